import type { StateVerdict, TableShape } from '../import/types.ts';
import { BOUNCED, bareWord, COMPLAINED, NONE, readBoolean, remember, SUPPRESSED, UNSUBSCRIBED } from './words.ts';

/** A column that says of some people that they are not to be mailed, and nothing of the others. */
export interface Sign {
  readonly at: number;
  stateOf(cell: string): StateVerdict;
}

interface Kind {
  readonly headers: readonly string[];
  /** True where the column is such a sign only if it holds yes and no. */
  readonly truth: boolean;
  /** True where another column that tells the state is right about it. */
  readonly yields: boolean;
  readonly says: (cell: string) => StateVerdict;
}

const KINDS: readonly Kind[] = [
  flag(BOUNCED, 'bounced', 'is bounced', 'has bounced', 'hard bounced', 'email bounced'),
  flag(COMPLAINED, 'complained', 'has complained', 'marked as spam', 'spam complaint', 'spam reported'),
  flag(SUPPRESSED, 'suppressed', 'is suppressed', 'email suppressed'),
  // Yes is no sign-up: an active account, or a consent to something. A no is asked about.
  {
    headers: [
      ...['consent', 'email consent', 'marketing consent', 'newsletter consent', 'consent given', 'has consent'],
      ...['permission', 'email permission', 'marketing permission', 'newsletter', 'einwilligung', 'consentement'],
      ...['active', 'is active', 'enabled', 'is enabled'],
    ],
    truth: true,
    yields: true,
    says: (cell) => (readBoolean(cell) === false ? { state: 'none', unknown: cell.trim() } : NONE),
  },
  {
    headers: [
      'unsubscribe reason',
      'unsubscribed reason',
      'unsub reason',
      'opt-out reason',
      'reason for unsubscribing',
    ],
    truth: false,
    yields: true,
    says: (cell) => (NOTHING.has(bareWord(cell)) ? NONE : UNSUBSCRIBED),
  },
];

const NOTHING: ReadonlySet<string> = new Set(['', 'na', 'none', 'null', 'no', 'false', '0']);

/** The signs of a table that is no platform's own, beside the columns `taken` that tell the state. */
export function signsOf({ header, sample }: TableShape, taken: ReadonlySet<number>): Sign[] {
  return header.flatMap((text, at) => {
    const kind = KINDS.find(({ headers }) => headers.some((name) => bareWord(name) === bareWord(text)));
    const counts = kind && !taken.has(at) && (taken.size === 0 || !kind.yields);
    return counts && (!kind.truth || holdsTruth(sample, at)) ? [{ at, stateOf: remember(kind.says) }] : [];
  });
}

function flag(verdict: StateVerdict, ...headers: readonly string[]): Kind {
  const says = (cell: string): StateVerdict => {
    const answer = readBoolean(cell);
    return answer === true
      ? verdict
      : answer === false || cell.trim() === ''
        ? NONE
        : { state: 'none', unknown: cell.trim() };
  };
  return { headers, truth: true, yields: false, says };
}

function holdsTruth(sample: readonly (readonly string[])[], at: number): boolean {
  const filled = sample.map((cells) => cells[at] ?? '').filter((cell) => cell.trim() !== '');
  return filled.length > 0 && filled.every((cell) => readBoolean(cell) !== undefined);
}
