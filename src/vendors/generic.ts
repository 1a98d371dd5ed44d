import { rankOf } from '../import/states.ts';
import type { ColumnTarget, StateVerdict, TableReading, TableShape, Vendor } from '../import/types.ts';
import { assignColumns } from './columns.ts';
import { findHeader, OPT_OUT_DATE_HEADERS } from './headers.ts';
import {
  BOUNCED,
  bareWord,
  byDate,
  byWord,
  COMPLAINED,
  createWordReader,
  PENDING,
  SUBSCRIBED,
  SUPPRESSED,
  UNSUBSCRIBED,
  type Words,
  words,
} from './words.ts';

/** Words under a header such as `Status`. */
const STATUS_WORDS: Words = words(
  [SUBSCRIBED, 'subscribed', 'active', 'yes', 'true', '1'],
  [UNSUBSCRIBED, 'unsubscribed', 'opted out', 'opt-out', 'optout'],
  [BOUNCED, 'bounced', 'hard bounce', 'hard_bounce', 'cleaned'],
  [COMPLAINED, 'complained', 'complaint', 'spam'],
  [SUPPRESSED, 'suppressed', 'suppress', 'blocked', 'manual', 'provider_suppressed'],
  [PENDING, 'pending', 'unconfirmed'],
);

/** Words under a header such as `Reason` of a suppression list; the service's request and event words (rule S2). */
const REASON_WORDS: Words = words(
  [
    SUPPRESSED,
    'unsubscribed',
    'unsubscribe',
    'opted out',
    'opt-out',
    'manual',
    'provider_suppressed',
    'suppressed',
    'blocked',
  ],
  [BOUNCED, 'bounced', 'bounce', 'hard bounce', 'hard_bounce', 'cleaned'],
  [COMPLAINED, 'complained', 'complaint', 'spam', 'spam complaint', 'spam report'],
);

// Under a header that asks whether somebody left, yes means the opposite.
const LEFT_WORDS: Words = new Map([
  ...STATUS_WORDS,
  ...words([UNSUBSCRIBED, 'yes', 'true', '1', 'y'], [SUBSCRIBED, 'no', 'false', '0', 'n']),
]);

const STATUS_HEADERS = [
  'status',
  'subscription status',
  'subscriber status',
  'email status',
  'email subscriber status',
  'contact status',
  'member status',
  'marketing status',
  'email marketing status',
  'is subscribed',
  'opted in',
  'opt-in',
  'email opt-in',
  'accepts marketing',
  'accepts email marketing',
  'subscription state',
];
// Headers that mean other things as well (a place, a date, a note): taken when the first rows hold a word we know.
const DOUBTFUL_STATUS_HEADERS = ['subscribed', 'subscription', 'state'];
const REASON_HEADERS = ['reason', 'suppression reason', 'suppressed reason'];
const LEFT_HEADERS = [
  'unsubscribed',
  'is unsubscribed',
  'opted out',
  'opt-out',
  'optout',
  'email opt-out',
  'opted out of email',
  'has opted out',
];

/** Any list at all: an address under a usual header, a status under a usual header, and attributes. */
export const generic: Vendor = { id: 'generic', title: 'generic list', recognise: () => 1, read };

function read(shape: TableShape): TableReading {
  const sources = stateSources(shape);
  const dateAt = shape.header.findIndex((header) => OPT_OUT_DATE_HEADERS.has(bareWord(header)));
  const columns = assignColumns(shape, { unsubscribed_at: dateAt < 0 ? [] : [shape.header[dateAt] as string] });
  for (const { at, kind } of sources) {
    columns[at] = columns[at]?.kind === 'attribute' ? { kind } : (columns[at] as ColumnTarget);
  }
  const [first, second] = sources.map(({ at, words: known }) => byWord(at, known));
  const at = sources[0]?.at ?? dateAt;
  return {
    ...(first ?? byWord(-1, STATUS_WORDS)),
    columns,
    stateFrom: at < 0 ? undefined : `column ${JSON.stringify(shape.header[at])}`,
    stateOf: first ? strictest(first.stateOf, second?.stateOf) : byDate(dateAt).stateOf,
  };
}

interface StateSource {
  readonly at: number;
  readonly words: Words;
  readonly kind: 'status' | 'reason';
}

function stateSources(shape: TableShape): readonly StateSource[] {
  const { header } = shape;
  const status: StateSource = { at: findHeader(header, ...STATUS_HEADERS), words: STATUS_WORDS, kind: 'status' };
  const doubtful = { ...status, at: findHeader(header, ...DOUBTFUL_STATUS_HEADERS) };
  const left: StateSource = { at: findHeader(header, ...LEFT_HEADERS), words: LEFT_WORDS, kind: 'status' };
  const reason: StateSource = { at: findHeader(header, ...REASON_HEADERS), words: REASON_WORDS, kind: 'reason' };
  const sure = [status, left].filter(({ at }) => at >= 0);
  return sure.length > 0 ? sure : [doubtful, reason].filter((source) => holdsWords(shape, source)).slice(0, 1);
}

function holdsWords({ sample }: TableShape, { at, words: known }: StateSource): boolean {
  return at >= 0 && sample.some((cells) => known.has(bareWord(cells[at] ?? '')));
}

type StateOf = TableReading['stateOf'];

// Two columns tell of the state: the more restrictive is right, and a blank one leaves it to the other.
function strictest(one: StateOf, other: StateOf | undefined): StateOf {
  return other === undefined ? one : (cells) => stricterOf(one(cells), other(cells));
}

function stricterOf(one: StateVerdict, other: StateVerdict): StateVerdict {
  if (one.unknown !== undefined || other.unknown !== undefined) {
    return one.unknown === '' ? other : other.unknown === '' ? one : one.unknown === undefined ? other : one;
  }
  return rankOf(other.state) < rankOf(one.state) ? other : one;
}

/** The state rule of a column that --map names as the status or the reason. */
export function mappedState(
  kind: 'status' | 'reason',
  platformWords: Words | undefined,
): (cell: string) => StateVerdict {
  return createWordReader(kind === 'reason' ? REASON_WORDS : (platformWords ?? STATUS_WORDS));
}
