import { formatDuration } from '../../base/lib/duration.ts';
import { sumOf } from '../../base/lib/rows.ts';
import { formatNumber, joinAtMost, plural, terminalSafe } from '../../base/lib/text.ts';
import type { PlannedAudience } from '../../run-lifecycle/data/run-context.ts';
import type { Plan } from '../../run-lifecycle/data/run-report.ts';
import { countLines } from '../text/block.ts';
import type { Style } from '../text/style.ts';
import { displayWidth, shorten, shortenMiddle } from '../text/width.ts';
import { fillLines, HANGING, wrapText } from '../text/wrap.ts';
import { briefFindingLines } from './findings.ts';
import { pathNames, unsentHeaders } from './inputs.ts';
import { otherSpellingsText, type PlanMeta, skippedWords, whyNoAccount } from './plan.ts';

interface PlanSummary extends PlanMeta {
  readonly planned?: PlannedAudience | undefined;
}

/** The plan on one screen: destination, number of rows by outcome, time, changes that can't be undone, and warnings. */
export function planSummary(plan: Plan, meta: PlanSummary, style: Style): string {
  const time = plan.requests > 0 ? [`Takes ${timeWords(plan)}`] : [];
  return summaryText(plan, meta, time, style);
}

function summaryText(plan: Plan, meta: PlanSummary, time: readonly string[], style: Style): string {
  const lines = [
    ...titleLines(meta, style),
    ...wrapText(readWords(meta), style.columns, HANGING),
    ...countLines(rowEntries(plan, meta), style),
    ...[...noteWords(plan, meta), ...time].flatMap((note) => wrapText(note, style.columns, HANGING)),
    ...briefFindingLines(meta, style),
  ];
  return `${lines.join('\n')}\n`;
}

function timeWords({ estimated_seconds }: Plan): string {
  return `about ${formatDuration(Math.max(1, estimated_seconds) * 1000)}`;
}

/** The plan in short, and the question with the time: `Import 33 contacts and suppress 5 addresses? About 3 s.` */
export function planPage(
  plan: Plan,
  meta: PlanSummary,
  style: Style,
): { readonly short: string; readonly question: string } {
  const short = summaryText(plan, meta, [], style);
  // The title of a long plan may have left the screen, so the question repeats the destination.
  const isLong = short.split('\n').length > LONG_PLAN;
  const place = [destinationName(meta), hostName(meta)].filter((name) => name !== undefined);
  const question = planQuestion(
    plan,
    meta,
    isLong ? ` (to ${place.map((name) => shorten(name, LONGEST_PLACE)).join(', ')})` : '',
  );
  return { short, question: questionText(question, '[y]es [N]o [d]etails', style.columns) };
}

// A plan of at most this many lines fits on a terminal of 24 lines, together with its question.
const LONG_PLAN = 20;
const LONGEST_PLACE = 40;

function planQuestion(plan: Plan, meta: PlanSummary, place: string): string {
  const actions = [
    ...(plan.enrollments === undefined ? [] : [`enroll ${plural(plan.enrollments, 'person', 'people')}`]),
    ...(plan.contacts > 0 ? [`import ${plural(plan.contacts, 'contact')}`] : []),
    ...(plan.opt_outs === undefined
      ? []
      : [`unsubscribe ${plural(plan.opt_outs, 'missing person', 'missing people')}`]),
    ...(suppressedCount(plan) > 0 ? [`suppress ${plural(suppressedCount(plan), 'address', 'addresses')}`] : []),
  ].join(' and ');
  const enrolls = meta.automation ? ' The automation mails them.' : '';
  const time = `A${timeWords(plan).slice(1)}.`;
  return `${actions === '' ? 'Go ahead' : actions[0]?.toUpperCase() + actions.slice(1)}${place}?${enrolls} ${time}`;
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['migrate', 'Migrate'],
  ['contacts import', 'Import contacts'],
  ['suppressions import', 'Import suppressions'],
  ['automations enroll', 'Enroll'],
]);

/**
 * The title, such as `Migrate  list.csv  ->  Newsletter (0 contacts)  api.example.com`. A long title takes more lines.
 */
function titleLines(meta: PlanSummary, style: Style): string[] {
  const room = (style.columns ?? Number.POSITIVE_INFINITY) - HANGING.rest.length;
  const place = [destinationName(meta), hostName(meta)].filter((name) => name !== undefined);
  const to = place.map((name, index) => `${index === 0 ? '->  ' : ''}${shorten(name, room - '->  '.length)}`);
  const verb = VERBS.get(meta.command) ?? terminalSafe(meta.command);
  const from = shortenMiddle(pathNames(meta.inputs), room);
  const parts = [verb, ...(from === '' ? [] : [from]), ...to];
  return fillLines(parts, '  ', style.columns, { first: '', rest: HANGING.first }).map(style.bold);
}

function destinationName({ planned, audience, automation }: PlanSummary): string | undefined {
  if (automation) {
    return terminalSafe(automation.name);
  }
  if (planned) {
    const { name, contacts, isNew } = planned;
    const size = isNew ? ' (new audience)' : contacts === undefined ? '' : ` (${plural(contacts, 'contact')})`;
    return terminalSafe(name) + size;
  }
  return audience ? terminalSafe(audience.name) : undefined;
}

function hostName({ origin, findings }: PlanSummary): string {
  if (origin === null) {
    return whyNoAccount(findings);
  }
  return origin.startsWith('emulator:') ? 'the emulator' : terminalSafe(origin).replace(/^https:\/\//, '');
}

/** A text such as `43 rows from 4 files, recognized as mailchimp`. */
function readWords({ inputs, rows }: PlanSummary): string {
  const platforms = [...new Set(inputs.map(({ platform }) => platform).filter((name) => name !== 'generic'))];
  const files = inputs.length > 1 ? ` from ${formatNumber(inputs.length)} files` : '';
  const how = inputs.some(({ recognized }) => recognized === 'as --from says') ? 'read' : 'recognized';
  return `${plural(rows.read, 'row')}${files}${platforms.length > 0 ? `, ${how} as ${platforms.map(terminalSafe).join(', ')}` : ''}`;
}

/** The number of rows by outcome. For an import, these numbers sum to the rows read. */
function rowEntries(plan: Plan, { rows, skipped, enrollments = plan.enrollments }: PlanSummary): [number, string][] {
  const unsubscribed = Math.min(plan.unsubscribed, plan.contacts);
  const reasons = Object.entries(plan.suppressions).map(([reason, count]): [number, string] => [
    count,
    `suppress: ${SUPPRESS_WORDS.get(reason) ?? terminalSafe(reason)}`,
  ]);
  return [
    ...(enrollments === undefined
      ? []
      : ([[enrollments, 'enroll, one request each; each mail of the automation is billed']] as [number, string][])),
    [plan.contacts - unsubscribed, enrollments === undefined ? 'subscribe' : 'create or update as contacts first'],
    [unsubscribed, 'add as unsubscribed'],
    ...reasons,
    ...skippedWords(skipped).map(([count, words]): [number, string] => [count, `skip: ${words}`]),
    [rows.unchanged ?? 0, 'unchanged since the last import: not sent again'],
    [rows.merged, 'merge into another row of the same person'],
    [rows.rejected, 'reject: left out, and kept in a file to be corrected'],
  ];
}

/**
 * The words for a suppression, by reason. By default, the reason itself is shown. The words name receipts, because a
 * suppression also refuses transactional email (C5).
 */
const SUPPRESS_WORDS: ReadonlyMap<string, string> = new Map([
  ['unsubscribed', 'unsubscribed from all mail of the account, also from receipts'],
]);

const MAX_SHOWN_NAMES = 6;

/**
 * Notes on the plan: what can't be undone or kept (C5, C8, F6), how many further spellings are suppressed, and how many
 * columns are not sent.
 */
function noteWords(plan: Plan, meta: PlanSummary): string[] {
  const fields = plan.new_fields.length;
  const unsent = unsentHeaders(plan, meta.inputs).length;
  const permanent = [
    ...(suppressedCount(plan) > 0 ? ['suppressions, which hold for the whole account'] : []),
    ...(fields > 0 ? [`${plural(fields, 'new custom field')} (${firstOf(plan.new_fields)})`] : []),
  ];
  return [
    ...(plan.respelled === undefined ? [] : [`Also suppressed: ${otherSpellingsText(plan.respelled)}`]),
    ...(permanent.length > 0 ? [`Can't be undone: ${permanent.join('; ')}`] : []),
    ...(plan.contacts > 0 ? ["New contacts get a new created_at: the old one can't be kept"] : []),
    ...(unsent > 0 ? [`${plural(unsent, 'column is', 'columns are')} not imported`] : []),
  ];
}

function firstOf(names: readonly string[]): string {
  return joinAtMost(
    names.map((name) => shorten(terminalSafe(name), LONGEST_NAME)),
    MAX_SHOWN_NAMES,
  );
}

const LONGEST_NAME = 24;

function suppressedCount({ suppressions }: Plan): number {
  return sumOf(Object.values(suppressions));
}

/** The question and its choices, on several lines if they are too long. The last line leaves room to type. */
function questionText(question: string, choices: string, columns: number | undefined): string {
  const line = `${question}  ${choices}`;
  return columns === undefined || displayWidth(line) < columns
    ? `${line} `
    : `${wrapText(question, columns).join('\n')}\n${choices} `;
}
