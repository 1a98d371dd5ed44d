import { formatNumber, plural } from '../../base/lib/text.ts';
import type { ConsentColumn } from '../consent-columns/detect.ts';
import { isBareAnswer } from '../consent-columns/value-words.ts';
import type { Table } from '../mapping/table.ts';
import { labelOf } from '../source/label.ts';
import { holdsPeopleWhoLeft, toldState } from '../status/default-status.ts';
import {
  firstExamples,
  type ListCheck,
  MOST_ANSWERS,
  orPass,
  quote,
  type SeenTable,
  statusLine,
} from '../survey/checks/seen.ts';
import type { Examples } from '../survey/examples.ts';
import type { Finding } from '../survey/survey-types.ts';
import type { Watch } from '../survey/watch.ts';

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
