import { formatNumber, plural } from '../../../base/lib/text.ts';
import type { ConsentColumn } from '../../consent-columns/detect.ts';
import { isBareAnswer } from '../../consent-columns/value-words.ts';
import { holdsPeopleWhoLeft, toldState } from '../../mapping/default-status.ts';
import type { Table } from '../../mapping/table.ts';
import { labelOf } from '../../types.ts';
import type { ColumnStatistics } from '../column-statistics.ts';
import type { Examples } from '../examples.ts';
import type { Finding } from '../survey-types.ts';
import type { ValueCount } from '../value-counts.ts';
import {
  type Candidate,
  candidatesOf,
  cut,
  describeCandidates,
  holdsOnlyDates,
  likeliestOf,
  mapCandidates,
} from './candidates.ts';
import { firstExamples, type ListCheck, MOST_ANSWERS, orPass, quote, type SeenTable, statusFlags } from './context.ts';

/**
 * A list without any state counts as subscribed only after the user says so (rule C4). An input whose name says opt-out
 * list is asked about, even if other inputs have a state for all of its people.
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

function silentRows(watch: ColumnStatistics): number {
  return watch.stateless.total + blankExamples(watch).reduce((sum, { total }) => sum + total, 0);
}

function blankExamples(watch: ColumnStatistics): readonly Examples[] {
  return [...watch.unknown.values()].filter(({ word }) => word === '').map(({ examples }) => examples);
}

function isUnanswered({ stateless, blank }: Table): boolean {
  return stateless.state === 'none' && (blank.unknown !== undefined || blank.state === 'none');
}

function silence(seen: SeenTable, people: number): Finding {
  const { table, watch } = seen;
  const total = silentRows(watch);
  const named = toldState(table.source);
  const all = people > 0 ? ` (${plural(people, 'person', 'people')} of the list in all)` : '';
  const rows = `${plural(total, 'row')} of ${labelOf(table.source)}`;
  const columns = speakingColumns(table, watch);
  const who =
    columns === ''
      ? `${rows} ${total === 1 ? 'says' : 'say'} nothing about a state${all}`
      : `${rows} ${total === 1 ? 'does' : 'do'} not say for certain who is subscribed${all}; these columns are about it: ${columns}`;
  const candidates = candidatesOf(seen);
  const believed =
    watch.notBelieved === 0
      ? who
      : `${plural(watch.notBelieved, 'row')} of ${labelOf(table.source)} ${watch.notBelieved === 1 ? 'says' : 'say'} subscribed${all}`;
  return {
    check: 'no_status',
    level: 'stop',
    message: named ? `${believed}, and its name says that these people left` : `${who}${hidden(candidates)}`,
    ...silenceAnswers(seen, candidates, named),
    examples: firstExamples([watch.stateless.shown, ...blankExamples(watch).map(({ shown }) => shown)]),
    total,
  };
}

function hidden(candidates: readonly Candidate[]): string {
  const suspicious = candidates.filter(({ suspicion }) => suspicion > 0);
  const others = candidates.filter(({ suspicion }) => suspicion === 0);
  return [
    ...(suspicious.length > 0 ? [`these columns may say it: ${describeCandidates(suspicious)}`] : []),
    ...(others.length > 0 ? [`other columns with few values: ${describeCandidates(others)}`] : []),
  ]
    .map((text) => `; ${text}`)
    .join('');
}

const AGREED_ALL = 'Only if every one of these people agreed to get mail from you';
/** Meanings of a column in which a blank cell means that the person did not agree. */
const AGREEING: ReadonlySet<string> = new Set(['agreed', 'status', 'confirmed', 'active', 'channel']);

function silenceAnswers(
  { table, watch }: SeenTable,
  candidates: readonly Candidate[],
  named: string | undefined,
): Pick<Finding, 'hint' | 'when' | 'otherwise'> {
  const offered = named ?? table.reading.offers;
  if (offered) {
    const line = (state: string) => `--default-status ${quote(`${table.source.name}=${state}`)}`;
    return watch.notBelieved === 0
      ? { hint: line(offered) }
      : {
          hint: line(offered),
          when: 'If the name of the file is right',
          otherwise: [
            { when: 'Only if its rows are right and these people agreed to get mail', flags: line('subscribed') },
          ],
        };
  }
  const suspicious = candidates.filter(({ suspicion }) => suspicion > 0).map(({ name }) => JSON.stringify(name));
  const ignored = suspicious.length > 0 ? `; this ignores ${suspicious.join(' and ')}` : '';
  const everybody = { when: `${AGREED_ALL}${ignored}`, flags: '--default-status subscribed' };
  const answers = likelyAnswers(table, watch);
  if (answers !== undefined) {
    return { hint: answers.flags, when: `This subscribes ${plural(answers.rows, 'row')}`, otherwise: [everybody] };
  }
  if (hasAgreed(table, watch)) {
    const when = `To leave out ${plural(silentRows(watch), 'row')} without an answer`;
    return { hint: '--default-status skip', when, otherwise: [everybody] };
  }
  const likeliest = likeliestOf(candidates);
  return likeliest.length > 0
    ? { hint: mapCandidates(likeliest), when: whenRight(likeliest), otherwise: [everybody] }
    : { hint: everybody.flags, when: everybody.when };
}

function whenRight(candidates: readonly Candidate[]): string {
  const names = candidates.map(({ name }) => JSON.stringify(name)).join(' and ');
  return candidates.every(holdsOnlyDates)
    ? `If ${names} says when people left`
    : `If ${names} ${candidates.length === 1 ? 'says' : 'say'} who may be mailed; words that are not clear are asked about next`;
}

// True if a consent column records agreement. Then people with a blank there are not signed up beside those who agreed.
function hasAgreed({ consent }: Table, { values }: ColumnStatistics): boolean {
  return consent.some(({ at, meaning }) => {
    const subscribed = [...(values.get(at)?.values() ?? [])].some(({ states }) => (states.get('subscribed') ?? 0) > 0);
    return AGREEING.has(meaning) && subscribed;
  });
}

const BEST: readonly string[] = ['agreed', 'channel', 'left', 'status', 'confirmed', 'active'];

interface LikelyAnswers {
  readonly flags: string;
  readonly rows: number;
}

// A yes in the column that most clearly means mail, or a no in a column that means opt-out.
function likelyAnswers(table: Table, watch: ColumnStatistics): LikelyAnswers | undefined {
  const [best] = table.consent
    .filter(({ meaning }) => BEST.includes(meaning))
    .map((column) => ({ column, values: openValues(column, watch) }))
    .filter(({ values }) => values.length > 0 && values.length <= MOST_ANSWERS)
    .sort((one, other) => BEST.indexOf(one.column.meaning) - BEST.indexOf(other.column.meaning));
  return (
    best && {
      flags: best.values
        .map(({ value }) => statusFlags(`${table.header[best.column.at]}:${value}`, 'subscribed'))
        .join(' '),
      rows: best.values.reduce((sum, { states }) => sum + (states.get('none') ?? 0), 0),
    }
  );
}

function openValues({ at, meaning, stateOf }: ConsentColumn, watch: ColumnStatistics): readonly ValueCount[] {
  const values = [...(watch.values.get(at)?.values() ?? [])].filter(({ states }) => (states.get('none') ?? 0) > 0);
  return values.filter(({ value }) => {
    const { state, unknown, said } = stateOf(value);
    const plain = said || (meaning === 'left' && isBareAnswer(value));
    return value !== '' && state === 'none' && unknown === undefined && plain;
  });
}

function speakingColumns(table: Table, watch: ColumnStatistics): string {
  return [...watch.values]
    .filter(([, values]) => [...values.values()].some(({ value, rows }) => value !== '' && rows > 0))
    .map(([at, values]) => {
      const shown = [...values.values()]
        .filter(({ rows }) => rows > 0)
        .toSorted((one, other) => other.rows - one.rows)
        .slice(0, 6)
        .map(({ value, rows }) => `${value === '' ? 'blank' : JSON.stringify(cut(value))} (${formatNumber(rows)})`);
      return `${JSON.stringify(table.header[at] || String(at + 1))}: ${shown.join(', ')}`;
    })
    .join('; ');
}
