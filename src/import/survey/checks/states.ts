import { formatNumber, plural } from '../../../base/lib/text.ts';
import type { ConsentColumn } from '../../consent-columns/detect.ts';
import { CLEAR_WORDS, isBareAnswer, isPipelineWord, keyOf } from '../../consent-columns/value-words.ts';
import { attributeKey } from '../../mapping/keys.ts';
import type { Table } from '../../mapping/table.ts';
import { labelOf } from '../../source/label.ts';
import { holdsPeopleWhoLeft, toldState } from '../../status/default-status.ts';
import type { State } from '../../types.ts';
import { type Examples, shownOf } from '../examples.ts';
import type { Finding } from '../survey-types.ts';
import type { UnknownWord, Watch } from '../watch.ts';
import { columnName, firstExamples, type ListCheck, mapLine, orPass, quote, type SeenTable } from './seen.ts';

/** A word nobody knows, or a blank beside other words, is answered before anything is written (rule C4). */
export const unknownStatus: ListCheck = ({ tables, skipped }) => {
  const held = (skipped.get('unknown_status') ?? 0) > 0 ? tables.flatMap(heldBack) : [];
  return orPass(
    [...tables.flatMap(unknownWords), ...tables.flatMap(contradicted), ...held],
    'unknown_status',
    'every word for a state is known',
  );
};

// Somebody skipped for a word that stands in a rejected row is told why (rule C9).
function heldBack({ table, watch: { doubtful } }: SeenTable): readonly Finding[] {
  const rows = plural(doubtful.total, 'rejected row names', 'rejected rows name');
  const message = `${labelOf(table.source)}: ${rows} people and can't be understood; other rows don't sign these people up`;
  return doubtful.total === 0 ? [] : [{ check: 'unknown_status', level: 'warn', message, ...shownOf(doubtful) }];
}

/**
 * A list that holds no state anywhere isn't subscribed people until somebody says so (rule C4). An input whose name says
 * that its people left is asked about even where other inputs have a state for all of them.
 */
export const noStatus: ListCheck = ({ tables, skipped }) => {
  const people = skipped.get('no_status') ?? 0;
  const silent = tables.filter(
    ({ table, watch }) => silentRows(watch) > 0 && (people > 0 || (isUnanswered(table) && holdsPeopleWhoLeft(table))),
  );
  return orPass(
    silent.map((seen) => silence(seen, people)),
    'no_status',
    'everybody has a state',
  );
};

// A column that says subscribed and a date of an opt-out: the date counts, and somebody should know.
function contradicted({ table, watch }: SeenTable): readonly Finding[] {
  const { contradicted: rows } = watch.dates;
  const message = `${labelOf(table.source)}: ${plural(rows.total, 'row says subscribed and holds', 'rows say subscribed and hold')} an opt-out date; the date counts`;
  return rows.total === 0 ? [] : [{ check: 'unknown_status', level: 'warn', message, ...shownOf(rows) }];
}

function unknownWords({ table, watch }: SeenTable): readonly Finding[] {
  const words = [...watch.unknown.values()].filter(({ word }) => word !== '' || table.blank.unknown !== undefined);
  return words.length === 0 ? [] : [unknownStop(table, watch, words)];
}

function unknownStop(table: Table, watch: Watch, words: readonly UnknownWord[]): Finding {
  const byColumn = [...Map.groupBy(words, ({ at }) => at)];
  const told = byColumn.map(([at, found]) => `${columnText(table, at)}: ${wordList(found)}`).join('; ');
  return {
    check: 'unknown_status',
    level: 'stop',
    message: `${labelOf(table.source)}: values that ${table.platform} isn't known to write for a state, in ${told}`,
    hint: [...new Set(byColumn.flatMap(([at, found]) => answersFor({ table, watch, at }, found)))].join(' '),
    otherwise: [
      ...byColumn.flatMap(([at]) =>
        at === undefined
          ? []
          : [
              {
                when: `Only if the column ${JSON.stringify(table.header[at])} is not about mail`,
                flags: mapLine(columnName(table, at), 'ignore'),
              },
            ],
      ),
    ],
    examples: firstExamples(words.map(({ examples: { shown } }) => shown)),
    total: words.reduce((sum, { examples: { total } }) => sum + total, 0),
  };
}

function columnText(table: Table, at: number | undefined): string {
  return at === undefined ? 'several columns' : `column ${JSON.stringify(table.header[at] || String(at + 1))}`;
}

function wordList(words: readonly UnknownWord[]): string {
  const shown = words
    .slice(0, 12)
    .map(
      ({ word, examples: { total } }) => `${word === '' ? 'a blank' : JSON.stringify(word)} (${formatNumber(total)})`,
    );
  return shown.join(', ') + (words.length > shown.length ? ` and ${words.length - shown.length} more` : '');
}

interface UnknownColumn {
  readonly table: Table;
  readonly watch: Watch;
  readonly at: number | undefined;
}

const MOST_ANSWERS = 20;

/**
 * The likeliest answers to the words of one column. Nobody is mailed because of them: a word that isn't understood is
 * skipped, and only a column of sales or order states is taken for an attribute.
 */
function answersFor({ table, watch, at }: UnknownColumn, words: readonly UnknownWord[]): readonly string[] {
  const filled = words.filter(({ word }) => word !== '');
  if (
    at !== undefined &&
    filled.length > 0 &&
    filled.every(({ word }) => isPipelineWord(word)) &&
    isAllUnknown(watch, at, filled)
  ) {
    return [mapLine(columnName(table, at), `attributes.${attributeKey(table.header[at] ?? '') || `column_${at + 1}`}`)];
  }
  const blank = words.length > filled.length ? [statusLine('', 'skip')] : [];
  const rest =
    filled.length > MOST_ANSWERS
      ? [statusLine('*', 'skip')]
      : filled.map(({ word }) => statusLine(word, CLEAR_WORDS.get(keyOf(word))?.state ?? 'skip'));
  return [...rest, ...blank];
}

function isAllUnknown({ values }: Watch, at: number, words: readonly UnknownWord[]): boolean {
  const unknown = new Set(words.map(({ word }) => word));
  return [...(values.get(at)?.keys() ?? [])].every((value) => value === '' || unknown.has(value));
}

/** A `--status-map` line that can be typed. */
function statusLine(word: string, state: State): string {
  return word.startsWith('-') ? quote(`--status-map=${word}=${state}`) : `--status-map ${quote(`${word}=${state}`)}`;
}

function silentRows(watch: Watch): number {
  return watch.stateless.total + blankExamples(watch).reduce((sum, { total }) => sum + total, 0);
}

function blankExamples(watch: Watch): readonly Examples[] {
  return [...watch.unknown.values()].filter(({ word }) => word === '').map(({ examples }) => examples);
}

function isUnanswered({ stateless, blank }: Table): boolean {
  return stateless.state === 'none' && (blank.unknown !== undefined || blank.state === 'none');
}

function silence({ table, watch }: SeenTable, people: number): Finding {
  const total = silentRows(watch);
  const named = toldState(table.source);
  const all = people > 0 ? ` (${plural(people, 'person', 'people')} of the list in all)` : '';
  const rows = `${plural(total, 'row')} of ${labelOf(table.source)}`;
  const columns = speakingColumns(table, watch);
  const who =
    columns === ''
      ? `${rows} ${total === 1 ? 'says' : 'say'} nothing about a state${all}`
      : `${rows} ${total === 1 ? 'does' : 'do'} not say for certain who is subscribed${all}; these columns are about it: ${columns}`;
  return {
    check: 'no_status',
    level: 'stop',
    message: named ? `${who}, and its name says that these people left` : who,
    ...silenceAnswers(table, watch, named),
    examples: firstExamples([watch.stateless.shown, ...blankExamples(watch).map(({ shown }) => shown)]),
    total,
  };
}

const AGREED_ALL = 'Only if every one of these people agreed to get mail from you';

function silenceAnswers(
  table: Table,
  watch: Watch,
  named: string | undefined,
): Pick<Finding, 'hint' | 'when' | 'otherwise'> {
  const offered = named ?? table.reading.offers;
  if (offered) {
    return { hint: `--default-status ${quote(`${table.source.name}=${offered}`)}` };
  }
  const everybody = { when: AGREED_ALL, flags: '--default-status subscribed' };
  const answers = likelyAnswers(table, watch);
  return answers === '' ? { hint: everybody.flags, when: everybody.when } : { hint: answers, otherwise: [everybody] };
}

const BEST: readonly string[] = ['agreed', 'left', 'status', 'confirmed', 'active'];

// A yes under the column that speaks of mail most clearly, or a no under one that speaks of leaving.
function likelyAnswers(table: Table, watch: Watch): string {
  const open = table.consent
    .filter(({ meaning }) => BEST.includes(meaning))
    .map((column) => ({ column, values: openValues(column, watch) }))
    .filter(({ values }) => values.length > 0 && values.length <= MOST_ANSWERS)
    .sort((one, other) => BEST.indexOf(one.column.meaning) - BEST.indexOf(other.column.meaning));
  const [best] = open;
  return best
    ? best.values.map((value) => statusLine(`${table.header[best.column.at]}:${value}`, 'subscribed')).join(' ')
    : '';
}

function openValues({ at, meaning, stateOf }: ConsentColumn, watch: Watch): readonly string[] {
  const values = [...(watch.values.get(at)?.values() ?? [])].filter(({ states }) => (states.get('none') ?? 0) > 0);
  return values
    .map(({ value }) => value)
    .filter((value) => {
      const { state, unknown, said } = stateOf(value);
      const plain = said || (meaning === 'left' && isBareAnswer(value));
      return value !== '' && state === 'none' && unknown === undefined && plain;
    });
}

function speakingColumns(table: Table, watch: Watch): string {
  return [...watch.values]
    .filter(([, values]) => [...values.values()].some(({ value, rows }) => value !== '' && rows > 0))
    .map(([at, values]) => {
      const shown = [...values.values()]
        .filter(({ rows }) => rows > 0)
        .toSorted((one, other) => other.rows - one.rows)
        .slice(0, 6)
        .map(({ value, rows }) => `${value === '' ? 'blank' : JSON.stringify(value)} (${formatNumber(rows)})`);
      return `${JSON.stringify(table.header[at] || String(at + 1))}: ${shown.join(', ')}`;
    })
    .join('; ');
}
