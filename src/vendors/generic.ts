import { rankOf } from '../import/states.ts';
import type { ColumnTarget, StateVerdict, TableReading, TableShape, Vendor } from '../import/types.ts';
import { assignColumns } from './columns.ts';
import { findHeader, OPT_OUT_DATE_HEADERS } from './headers.ts';
import { signsOf } from './signs.ts';
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
  truthWords,
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
const LEFT_WORDS: Words = new Map([...STATUS_WORDS, ...truthWords({ yes: UNSUBSCRIBED, no: SUBSCRIBED })]);

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
  'do not contact',
  'do not email',
  'do not mail',
  'dnc',
  'excluded from campaigns',
  'is excluded from campaigns',
  'blacklisted',
  'email blacklisted',
  'blocklisted',
  'Abgemeldet',
  'désinscrit',
  'désabonné',
  'dado de baja',
  'disiscritto',
  'afgemeld',
  'uitgeschreven',
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
  const taken = new Set(sources.map(({ at }) => at));
  const signs = signsOf(shape, taken);
  const rules = sources.map(({ at, words: known }) => byWord(at, known));
  const [first] = rules;
  const from = [...(sources.length > 0 ? [...taken] : [dateAt].filter((at) => at >= 0)), ...signs.map(({ at }) => at)];
  const told = [
    ...(first ? rules : [byDate(dateAt)]),
    ...signs.map(({ at, stateOf }): Told => ({ stateOf: (cells) => stateOf(cells[at] ?? '') })),
  ];
  return {
    ...(first ?? byWord(-1, STATUS_WORDS)),
    columns,
    stateFrom:
      from.length === 0 ? undefined : `column ${from.map((at) => JSON.stringify(shape.header[at])).join(' and ')}`,
    told,
    stateOf: told.map(({ stateOf }) => stateOf).reduce(strictest),
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
  const sure = [status, ...repeated(shape, status), left, ...repeated(shape, left)].filter(({ at }) => at >= 0);
  const found = [doubtful, reason].filter((source) => holdsWords(shape, source)).slice(0, 1);
  return sure.length > 0 ? sure : found.length > 0 ? found : toldByWords(shape);
}

// A second column for the same thing counts too: under the same header always, under another when it holds words we know.
function repeated(shape: TableShape, source: StateSource): readonly StateSource[] {
  const names = new Set((source.words === LEFT_WORDS ? LEFT_HEADERS : STATUS_HEADERS).map(bareWord));
  const own = bareWord(shape.header[source.at] ?? '');
  return shape.header.flatMap((header, at) => {
    const word = bareWord(header);
    const counts = at !== source.at && names.has(word) && (word === own || holdsWords(shape, { ...source, at }));
    return counts ? [{ ...source, at }] : [];
  });
}

// A column under any header, in any language, that holds nothing but words for a state.
function toldByWords({ header, sample }: TableShape): readonly StateSource[] {
  const at = header.findIndex((_, column) => {
    const cells = sample.map((row) => bareWord(row[column] ?? '')).filter((word) => word !== '');
    return cells.every((word) => STATUS_WORDS.has(word)) && cells.some((word) => TELLING.has(word));
  });
  return at < 0 ? [] : [{ at, words: STATUS_WORDS, kind: 'status' }];
}

const TELLING: ReadonlySet<string> = new Set(
  ['subscribed', 'unsubscribed', 'opted out', 'bounced', 'hard bounce', 'complained'].map(bareWord),
);

function holdsWords({ sample }: TableShape, { at, words: known }: StateSource): boolean {
  return at >= 0 && sample.some((cells) => known.has(bareWord(cells[at] ?? '')));
}

type StateOf = TableReading['stateOf'];
type Told = Pick<TableReading, 'stateOf' | 'wordOf'>;

/**
 * Several columns tell of the state: the more restrictive is right, a blank one leaves it to the other, and a word that
 * nobody knows is asked about before anything is right.
 */
export function strictest(one: StateOf, other: StateOf): StateOf {
  return (cells) => stricterOf(one(cells), other(cells));
}

function stricterOf(one: StateVerdict, other: StateVerdict): StateVerdict {
  const [weight, otherWeight] = [weightOf(one), weightOf(other)];
  if (weight !== otherWeight) {
    return weight > otherWeight ? one : other;
  }
  return rankOf(other.state) < rankOf(one.state) ? other : one;
}

function weightOf({ state, unknown }: StateVerdict): number {
  if (unknown !== undefined) {
    return unknown === '' ? 1 : 3;
  }
  return state === 'none' ? 0 : 2;
}

/** The state rule of a column that --map names as the status or the reason. */
export function mappedState(
  kind: 'status' | 'reason',
  platformWords: Words | undefined,
): (cell: string) => StateVerdict {
  return createWordReader(kind === 'reason' ? REASON_WORDS : (platformWords ?? STATUS_WORDS));
}
