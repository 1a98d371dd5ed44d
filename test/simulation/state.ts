/** Reads the contents of a service, and compares the contents of two. */

import type { Service } from './machine/service.ts';

/** An address with different lines in two states. */
export interface Difference {
  readonly email: string;
  readonly what: string;
}

/** The contents of a service in a comparable form: a line for each contact and suppression. */
export interface ServiceState {
  readonly contacts: ReadonlyMap<string, string>;
  readonly suppressions: ReadonlyMap<string, string>;
  /** How often svc enrolled each person. */
  readonly enrollments: ReadonlyMap<string, number>;
}

/** The state of the target audience, the account's suppressions, and the automation. */
export function stateOf({ emulator: { admin }, audienceId: idOf, automationId, isUndecided }: Service): ServiceState {
  const audienceId = idOf();
  const there = audienceId === undefined ? [] : admin.contacts(audienceId);
  const contacts = there.map((row) => {
    const { status, first_name, last_name, attributes } = row;
    const left = row.unsubscribed_at === null ? null : optOut(row.unsubscribed_at);
    const consent = isUndecided(row.email) ? ['undecided', null] : [status, left];
    return [row.email, JSON.stringify([...consent, first_name, last_name, sortedEntries(attributes)])] as const;
  });
  const suppressions = admin.suppressions().map(({ email, reason }) => [email, reason] as const);
  const enrolled = (automationId === undefined ? [] : admin.enrollments(automationId)).filter(
    ({ source }) => source === 'api',
  );
  return {
    contacts: new Map(contacts),
    suppressions: new Map(suppressions),
    enrollments: countBy(enrolled.map(({ email }) => email)),
  };
}

function countBy(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** Differences between two states, leaving out these addresses. */
export function differences(expected: ServiceState, got: ServiceState, except: ReadonlySet<string>): Difference[] {
  return [
    ...compare('contact', { expected: expected.contacts, got: got.contacts }, except),
    ...compare('suppression', { expected: expected.suppressions, got: got.suppressions }, except),
  ];
}

interface Sides {
  readonly expected: ReadonlyMap<string, string>;
  readonly got: ReadonlyMap<string, string>;
}

function compare(kind: string, { expected, got }: Sides, except: ReadonlySet<string>): Difference[] {
  const emails = new Set([...expected.keys(), ...got.keys()]);
  return [...emails]
    .filter((email) => !except.has(email) && expected.get(email) !== got.get(email))
    .map((email) => ({
      email,
      what: `${kind} ${email}: ${expected.get(email) ?? 'none'} expected, ${got.get(email) ?? 'none'} found`,
    }));
}

// A later date is the time of a write, which differs from run to run. Dates of the list are earlier.
const SIMULATED_FROM = Date.UTC(2026, 0, 1);

function optOut(at: number): number | 'then' {
  return at >= SIMULATED_FROM ? 'then' : at;
}

function sortedEntries(json: string): [string, unknown][] {
  return Object.entries(JSON.parse(json) as object).sort(([a], [b]) => (a < b ? -1 : 1));
}
