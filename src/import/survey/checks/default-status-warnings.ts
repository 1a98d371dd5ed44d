import type { Finding } from '../../../base/finding.ts';
import { sumOf } from '../../../base/lib/rows.ts';
import { plural, shellWord } from '../../../base/lib/text.ts';
import { rankOf, type State } from '../../../platforms/lib/states.ts';
import { LIKELY_CONSENT } from '../../consent-columns/consent-likelihood.ts';
import { columnName, mapFlag } from '../../mapping/column-names.ts';
import type { ReadingOptions } from '../../mapping/reading-answers.ts';
import { answeredName, hasDoubtfulName, isOptOutList } from '../../mapping/state/default-status.ts';
import { sourceLabel } from '../../source/source.ts';
import { examplesForFinding } from '../statistics/examples.ts';
import { blankExamples, type TableWithStatistics } from './check-context.ts';
import {
  agreementDateCandidates,
  type Candidate,
  candidatesOf,
  dateAnswers,
  describeCandidates,
  likeliestOf,
  mapCandidates,
} from './status-candidates.ts';

interface BesideTable {
  readonly others: readonly TableWithStatistics[];
  /** The name by which an answer refers to the input. */
  readonly answeredAs: string;
}

/**
 * Warns about rows that get the default status although the list may say who opted out. A default status that was typed
 * in advance, as in cron, answers the question that svc would ask otherwise. So svc warns, and names the flags that
 * read the list instead (C11). It does not warn if the default status keeps these people opted out.
 */
export function defaultStatusWarnings(surveyed: TableWithStatistics, beside: BesideTable): readonly Finding[] {
  const { state } = surveyed.table.withoutStatus;
  if (state === 'none' || rankOf(state) < rankOf('pending') || countRowsByDefault(surveyed) === 0) {
    return [];
  }
  return [...columnWarnings(surveyed, state), ...inputWarnings(surveyed, state, beside)];
}

/**
 * Warns about a typed `--default-status left.csv=unsubscribed` that counts for no row, because each row has a state of
 * its own. Some of these rows are subscribed, and the user may believe that the flag keeps mail away from them (C1).
 */
export function unusedDefaultWarnings(
  surveyed: TableWithStatistics,
  { defaultStatus }: Pick<ReadingOptions, 'defaultStatus'>,
  typed: readonly string[],
): readonly Finding[] {
  const { source, withoutStatus, reading, columns } = surveyed.table;
  const name = answeredName(source, { defaultStatus });
  const pair = `${name}=${defaultStatus[name ?? '']}`;
  const isUnused = countRowsByDefault(surveyed) === 0 && surveyed.statistics.status.subscribed > 0;
  if (!typed.includes(pair) || withoutStatus.state === 'subscribed' || !isUnused) {
    return [];
  }
  const states = columns.flatMap(({ kind }, index) => (kind === 'status' ? [columnName(surveyed.table, index)] : []));
  const why = `${sourceLabel(source)} has a state for each row, by ${reading.stateSource ?? 'its columns'}`;
  const message = `--default-status ${JSON.stringify(pair)} counts for no row: ${why}`;
  const flags = states.map((column) => mapFlag(surveyed.table, column, 'ignore')).join(' ');
  const hint = flags === '' ? undefined : `If none of its people may get mail: ${flags}`;
  return [{ check: 'unknown_status', level: 'warn', message, hint }];
}

function countRowsByDefault({ table, statistics }: TableWithStatistics): number {
  const blanks = table.blankStatus === table.withoutStatus ? blankExamples(statistics.status) : [];
  return statistics.status.defaulted.total + sumOf(blanks.map(({ total }) => total));
}

function columnWarnings(surveyed: TableWithStatistics, state: State): readonly Finding[] {
  const { table, statistics } = surveyed;
  const candidates = candidatesOf(surveyed).filter(({ likelihood }) => likelihood >= LIKELY_CONSENT);
  if (candidates.length === 0) {
    return [];
  }
  const which = candidates.length === 1 ? 'this column' : 'these columns';
  const who = agreementDateCandidates(candidates).length > 0 ? 'may say who never agreed' : 'may say who opted out';
  const message = `${sourceLabel(table.source)}: ${describeDefaultRows(surveyed, state)}, although ${which} ${who}: ${describeCandidates(candidates)}`;
  const likeliest = likeliestOf(candidates);
  const otherCandidates = candidates.filter(
    (candidate) => !likeliest.includes(candidate) && (!candidate.dates || candidate.dates === 'optedOut'),
  );
  const hint = [
    ...(likeliest.length > 0 ? [`To read the status from ${namesOf(likeliest)}:`, mapCandidates(likeliest)] : []),
    ...otherCandidates.flatMap((candidate) => [`From ${namesOf([candidate])}:`, mapCandidates([candidate])]),
    ...dateAnswers(candidates).flatMap(({ when, flags }) => [`${when}:`, flags]),
    'If none of these columns is about mail:',
    candidates.map((candidate) => flagThatKeepsColumn(surveyed, candidate)).join(' '),
  ].join('\n');
  return [{ check: 'no_status', level: 'warn', message, hint, ...examplesForFinding(statistics.status.defaulted) }];
}

function namesOf(candidates: readonly Candidate[]): string {
  return candidates.map(({ name }) => JSON.stringify(name)).join(' and ');
}

// The `--map` flag that ends the warning about a column, without changing how the column is sent.
export function flagThatKeepsColumn(
  { table }: Pick<TableWithStatistics, 'table'>,
  { index, name }: Pick<Candidate, 'index' | 'name'>,
): string {
  const target = table.columns[index];
  return mapFlag(
    table,
    name,
    target?.kind === 'attribute' && target.key !== '' ? `attributes.${target.key}` : 'ignore',
  );
}

// Warns if the user may have meant the default status only for the other inputs. Rows of these inputs subscribe people,
// and this input may be a list of opted-out people. A default status that names this input needs no warning.
function inputWarnings(
  surveyed: TableWithStatistics,
  state: State,
  { others, answeredAs }: BesideTable,
): readonly Finding[] {
  const { table, statistics } = surveyed;
  if (table.isDefaultNamed || state === 'pending' || !others.some(subscribesByRows)) {
    return [];
  }
  const isNamed = isOptOutList(table);
  if (!isNamed && table.reading.stateSource !== undefined) {
    return [];
  }
  const isCertain = isNamed && !hasDoubtfulName(table.source);
  const why = isCertain ? 'its name says that these people opted out' : 'its people may have opted out';
  const effect = state === 'subscribed' ? '' : ', and another input may sign them up';
  const message = `${sourceLabel(table.source)}: ${describeDefaultRows(surveyed, state)}, although ${why}${effect}`;
  const flagFor = (answer: State) => `--default-status ${shellWord(`${answeredAs}=${answer}`)}`;
  const hint = ['If these people opted out:', flagFor('unsubscribed'), 'If not:', flagFor(state)].join('\n');
  return [{ check: 'no_status', level: 'warn', message, hint, ...examplesForFinding(statistics.status.defaulted) }];
}

/** True if some rows of the table are subscribed by their own cells, not by the default status. */
function subscribesByRows({ table, statistics }: TableWithStatistics): boolean {
  const byDefault = table.withoutStatus.state === 'subscribed' ? statistics.status.defaulted.total : 0;
  return statistics.status.subscribed > byDefault;
}

const COUNTED: Readonly<Partial<Record<State, string>>> = { subscribed: 'subscribed', pending: 'unconfirmed' };

function describeDefaultRows(surveyed: TableWithStatistics, state: State): string {
  const rows = countRowsByDefault(surveyed);
  const as = COUNTED[state];
  const [counts, are] = rows === 1 ? ['counts', 'is'] : ['count', 'are'];
  return `${plural(rows, 'row')} without a status ${as === undefined ? `${are} left out` : `${counts} as ${as}`} by default`;
}
