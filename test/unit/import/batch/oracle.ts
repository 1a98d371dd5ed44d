/**
 * Derives the outcome of each row of a list from the rules alone (C1, C2, C4, C7, C9, S3, F2). It shares no code with
 * the program, so a mistake in one does not repeat in the other.
 */

export type Fault = 'none' | 'long' | 'nul' | 'address' | 'missing';

/** A row of a list, in a form from which tests write a file. */
export interface ListedPerson {
  readonly email: string;
  /** The words in the status columns, from the left. */
  readonly words: readonly string[];
  /** The date of the opt-out, or a blank. */
  readonly left: string;
  readonly first: string;
  readonly last: string;
  readonly city: string;
  readonly newsletter: string;
  readonly fault: Fault;
}

/** The outcome of a row: `contact …`, `suppressed …`, `skipped …`, `rejected …` or `merged`. */
export type Outcome = string;

// The order of states within a row and among rows, the most restrictive first. The words are those of the lists below.
const ORDER = ['complained', 'bounced', 'suppressed', 'unknown', 'unsubscribed', 'pending', 'subscribed', 'none'];
const MEANINGS: Readonly<Record<string, string>> = {
  active: 'subscribed',
  unsubscribed: 'unsubscribed',
  'hard bounce': 'bounced',
  complained: 'complained',
  suppressed: 'suppressed',
  pending: 'pending',
  xyzzy: 'unknown',
};
export const WORDS: readonly string[] = [...Object.keys(MEANINGS), ''];
const REASONS: Readonly<Record<string, string>> = {
  complained: 'complained',
  bounced: 'bounced',
  suppressed: 'unsubscribed',
};
const PROBLEMS: Readonly<Record<Fault, string | undefined>> = {
  none: undefined,
  long: 'too_many_fields',
  nul: 'nul_character',
  address: 'invalid_email',
  missing: 'missing_email',
};

/** The state of one row. An unknown word is asked about first. A blank decides nothing. */
export function stateOfRow({ words, left }: Pick<ListedPerson, 'words' | 'left'>): string {
  const states = words.filter((word) => word !== '').map((word) => MEANINGS[word] ?? 'unknown');
  const all = left === '' ? states : [...states, 'unsubscribed'];
  if (all.includes('unknown')) {
    return 'unknown';
  }
  // If other rows have a status, svc asks about a row without one (C4).
  return ORDER.find((state) => all.includes(state)) ?? 'unknown';
}

/** The outcome of each row, in the order of the list. */
export function outcomesOf(rows: readonly ListedPerson[], duplicates: 'merge' | 'reject'): readonly Outcome[] {
  return rows.map((row) => {
    if (row.fault === 'missing') {
      return 'rejected missing_email';
    }
    const own = rows.filter(({ email, fault }) => email === row.email && fault !== 'missing');
    const state = combineReadings(own);
    const written = rowWritten(own, state);
    if (row === written) {
      return personOutcome(own, { state, written, duplicates });
    }
    if (row.fault !== 'none') {
      return `rejected ${PROBLEMS[row.fault]}`;
    }
    return duplicates === 'merge' ? 'merged' : 'rejected duplicate_email';
  });
}

function combineReadings(rows: readonly ListedPerson[]): string {
  const states = rows.map(stateOfRow);
  return ORDER.find((state) => states.includes(state)) ?? 'none';
}

/** The first row without a fault. A suppression needs only a valid address. */
function rowWritten(rows: readonly ListedPerson[], state: string): ListedPerson | undefined {
  const sound = rows.find(({ fault }) => fault === 'none');
  return sound ?? (REASONS[state] === undefined ? undefined : rows.find(({ fault }) => fault !== 'address'));
}

interface Group {
  readonly state: string;
  readonly written: ListedPerson;
  readonly duplicates: 'merge' | 'reject';
}

function personOutcome(rows: readonly ListedPerson[], { state, written, duplicates }: Group): Outcome {
  if (REASONS[state] !== undefined) {
    return `suppressed ${REASONS[state]}`;
  }
  if (state !== 'subscribed' && state !== 'unsubscribed') {
    return state === 'unknown' ? 'skipped unknown_status' : `skipped ${state}`;
  }
  const parts = duplicates === 'merge' ? rows.filter(({ fault }) => fault === 'none') : [written];
  const lastOf = (values: readonly string[]) => values.findLast((value) => value !== '');
  const [first, last, city] = [
    lastOf(parts.map((row) => row.first)),
    lastOf(parts.map((row) => row.last)),
    lastOf(parts.map((row) => row.city)),
  ];
  const day = lastOf(rows.filter((row) => stateOfRow(row) === 'unsubscribed').map((row) => row.left));
  const contact = {
    email: written.email,
    ...(first && { first_name: first }),
    ...(last && { last_name: last }),
    ...(state === 'unsubscribed' && {
      status: 'unsubscribed',
      ...(day && { unsubscribed_at: `${day}T00:00:00.000Z` }),
    }),
    ...(city && { attributes: { city } }),
    ...(choosesTopic(parts) && !rows.some(refusesTopic) && { topics: { top_1: 'opt_in' } }),
  };
  return `contact ${JSON.stringify(contact)}`;
}

function choosesTopic(rows: readonly ListedPerson[]): boolean {
  return rows.some(({ newsletter }) => newsletter === 'yes');
}

function refusesTopic({ newsletter }: ListedPerson): boolean {
  return newsletter === 'no';
}
