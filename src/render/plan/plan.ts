import type { Finding } from '../../base/finding.ts';
import { formatDuration } from '../../base/lib/duration.ts';
import { formatNumber, joinAtMost, plural, terminalSafe } from '../../base/lib/text.ts';
import { UNREADABLE_ACCOUNT } from '../../base/skipped-checks.ts';
import type { Plan, RunReport } from '../../run-lifecycle/data/run-report.ts';
import type { BatchContact } from '../../wire/shapes.ts';
import { countLines, countsLargestFirst, nameValueLines, nameWithId, titledSection } from '../text/block.ts';
import type { Style } from '../text/style.ts';
import { HANGING, wrapText } from '../text/wrap.ts';
import { findingLines } from './findings.ts';
import { columnLines, inputLines, type PlanInput } from './inputs.ts';

/** What is shown together with a plan: fields of a RunReport. Only an enrollment has `automation`. */
export interface PlanMeta extends Pick<RunReport, 'command' | 'origin' | 'audience' | 'skipped'> {
  readonly inputs: readonly PlanInput[];
  readonly findings: readonly Finding[];
  readonly rows: {
    readonly read: number;
    readonly merged: number;
    readonly rejected: number;
    readonly unchanged?: number;
  };
  readonly preview?: RunReport['preview'];
  readonly automation?: { readonly id: string; readonly name: string } | null;
  /** The number of people to enroll. Each costs one request. */
  readonly enrollments?: number;
}

/** Why a dry run shows no account: the user gave no key or URL, or svc could not read the account. */
export function whyNoAccount(findings: readonly Finding[]): string {
  const isNamed = findings.some(({ message }) => message.startsWith(UNREADABLE_ACCOUNT));
  return isNamed ? UNREADABLE_ACCOUNT : 'no service: the account was not checked';
}

/** The full plan: destination, inputs, what will be written and what not, and the findings. */
export function planText(plan: Plan, meta: PlanMeta, style: Style): string {
  const lines = [
    style.bold(`Plan: ${terminalSafe(meta.command)}`),
    ...nameValueLines(
      [
        ['to', meta.origin === null ? whyNoAccount(meta.findings) : terminalSafe(meta.origin)],
        ['audience', nameWithId(meta.audience)],
        ['automation', nameWithId(meta.automation)],
      ],
      style,
    ),
    ...titledSection('From', inputLines(meta.inputs, style), style),
    ...titledSection('Will be written', writtenLines(plan, meta.enrollments ?? plan.enrollments, style), style),
    ...titledSection('Columns', columnLines(plan, meta.inputs, style), style),
    ...titledSection('Custom fields', newFieldLines(plan, style), style),
    ...titledSection('Will not be sent', skippedLines(meta, style), style),
    ...titledSection('First contacts', previewLines(meta.preview ?? [], style), style),
    ...titledSection('Checks', findingLines(meta.findings, style), style),
  ];
  return `${lines.join('\n')}\n`;
}

function newFieldLines(plan: Plan, style: Style): string[] {
  const count = plan.new_fields.length;
  return count === 0
    ? []
    : nameValueLines(
        [
          [
            'new, at most',
            `${formatNumber(count)}: ${joinAtMost(plan.new_fields.map(terminalSafe), MAX_SHOWN_FIELDS)}`,
          ],
          ['', "custom fields can't be deleted"],
        ],
        style,
      );
}

/** What will be written, what can't be undone (C5, C8, M5), the number of requests and the time. */
function writtenLines(plan: Plan, enrollments: number | undefined, style: Style): string[] {
  const { contacts, requests, batches, estimated_seconds } = plan;
  const people = enrollments === undefined ? undefined : plural(enrollments, 'person', 'people');
  return nameValueLines(
    [
      ...suppressionLines(plan),
      ['contacts', enrollments !== undefined && contacts === 0 ? undefined : contactWords(plan)],
      ['', contacts > 0 ? "contacts get a new created_at: the old one can't be kept" : undefined],
      ['enrollments', people && `${people}, one request each; the automation mails them, and each mail is billed`],
      [
        'requests',
        `${formatNumber(requests)}, ${batches > 0 ? `${plural(batches, 'batch')}, ` : ''}about ${formatDuration(estimated_seconds * 1000)}`,
      ],
    ],
    style,
  );
}

function suppressionLines({ suppressions, respelled }: Plan): [string, string | undefined][] {
  const present = Object.entries(suppressions).filter(([, count]) => count > 0);
  const counted = present.map(([reason, count]): [string, string] => [
    terminalSafe(reason),
    plural(count, 'suppression'),
  ]);
  return present.length === 0
    ? []
    : [
        ...counted,
        ['', respelled === undefined ? undefined : `also suppressed: ${otherSpellingsText(respelled)}`],
        ['', "suppressions hold for the whole account and can't be undone over this API"],
      ];
}

/** A text such as `2 other spellings of these addresses` (F8). */
export function otherSpellingsText(count: number): string {
  return `${plural(count, 'other spelling')} of these addresses`;
}

function contactWords({ contacts, unsubscribed }: Plan): string {
  const unsubscribedWords = unsubscribed > 0 ? `, ${formatNumber(unsubscribed)} of them as unsubscribed` : '';
  return formatNumber(contacts) + unsubscribedWords;
}

const MAX_PREVIEWED = 3;
/**
 * The maximum number of fields to show for a contact. Further fields are only counted; the JSON report has all of them.
 */
const MAX_SHOWN_FIELDS = 50;

function previewLines(contacts: readonly BatchContact[], style: Style): string[] {
  return contacts.slice(0, MAX_PREVIEWED).flatMap((contact) => wrapText(previewWords(contact), style.columns, HANGING));
}

function previewWords({ email, attributes = {}, topics = {}, ...fields }: BatchContact): string {
  const nested = [...groupEntries('attributes', attributes), ...groupEntries('topics', topics)];
  const all = [...Object.entries(fields), ...nested].map(
    ([name, value]) => `${terminalSafe(name)}="${terminalSafe(String(value))}"`,
  );
  const more = all.length - MAX_SHOWN_FIELDS;
  return [
    terminalSafe(email),
    ...all.slice(0, MAX_SHOWN_FIELDS),
    ...(more > 0 ? [`and ${plural(more, 'more field')}`] : []),
  ].join(' ');
}

function groupEntries(group: string, values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).map(([key, value]) => [`${group}.${key}`, value]);
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['pending', 'never confirmed'],
  ['unknown_status', 'status unknown'],
  ['no_status', 'no status'],
  ['by_request', 'by your answer'],
  ['contact', 'contacts, which this command does not write'],
  ['no_consent', 'never agreed'],
  ['soft_bounce', 'soft bounce or block, and nothing else is known'],
  ['enrolled_before', 'enrolled before, or perhaps enrolled'],
  ['deleted_since', 'deleted from the audience'],
  ['kept_away', 'named in a row that subscribes no person'],
  ['invalid', 'invalid address according to the old platform'],
]);

export function skippedWords(skipped: Readonly<Record<string, number>>): [number, string][] {
  return countsLargestFirst(skipped).map(([reason, count]) => [
    count,
    REASONS.get(reason) ?? terminalSafe(reason).replaceAll('_', ' '),
  ]);
}

function skippedLines({ skipped, rows }: PlanMeta, style: Style): string[] {
  const others: [number, string][] = [
    [rows.merged, 'merged into another row of the same person'],
    [rows.rejected, 'rejected: left out, and kept in a file to be corrected'],
  ];
  return countLines([...skippedWords(skipped), ...others], style);
}
