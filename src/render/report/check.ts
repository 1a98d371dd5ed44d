import { formatNumber, plural, safe } from '../../base/lib/text.ts';
import type { CheckExample, CheckReport } from '../../check/report.ts';
import { countLines, pairs, section } from '../text/block.ts';
import type { Style } from '../text/style.ts';
import { wrap } from '../text/wrap.ts';

/** The text of `contacts check` and `runs verify`: how many people are the same, how many differ, and examples. */
export function checkText(report: CheckReport, style: Style): string {
  const { counts, examples } = report;
  const tone = report.status === 'same' ? style.green : style.yellow;
  const lines = [
    ...wrap(headline(report), style.columns).map((line) => style.bold(tone(line))),
    ...pairs(
      [
        ['list', report.inputs.map(({ path, entry }) => safe(entry ?? path)).join(', ')],
        ['audience', `${safe(report.audience.name)} (${safe(report.audience.id)})`],
        ['verifies', report.verifies],
      ],
      style,
    ),
    ...section('People', countLines(peopleLines(report), style), style),
    ...section('Different', exampleLines(examples.different, counts.different), style),
    ...section('Missing', exampleLines(examples.missing, counts.missing), style),
    ...section('Extra', exampleLines(examples.extra, counts.extra), style),
    ...section(
      'Notes',
      noteLines(report).flatMap((note) => wrap(`  ${note}`, style.columns)),
      style,
    ),
    ...section('Files', pairs([['people', report.files.output && safe(report.files.output)]], style), style),
  ];
  return `${lines.join('\n')}\n`;
}

function headline({ status, counts }: CheckReport): string {
  if (status === 'same') {
    return `The audience holds what the list says: ${plural(counts.same + counts.opted_out, 'person', 'people')} compared.`;
  }
  const faults = counts.different + counts.missing + counts.extra;
  return faults === 0
    ? 'The audience was not read as a whole.'
    : `The audience differs from the list in ${plural(faults, 'person', 'people')}.`;
}

function peopleLines({ counts, fields, rows }: CheckReport): [number, string][] {
  const where = Object.entries(fields).map(([field, count]) => `${safe(field)} ${formatNumber(count)}`);
  return [
    [counts.same, 'same'],
    [counts.different, `different: ${where.join(', ')}`],
    [counts.missing, 'missing: in the list, not in the audience'],
    [counts.extra, 'extra: in the audience, not in the list'],
    [counts.opted_out, 'opted out: subscribed in the list, not there; imports do not change this'],
    [rows.suppressed, 'suppressed in the list: no contact is expected'],
    [rows.skipped, 'rows of the list that an import skips'],
    [rows.rejected, 'rows of the list that an import rejects'],
  ];
}

function exampleLines(examples: readonly CheckExample[], total: number): string[] {
  const rest = total - examples.length;
  return [
    ...examples.flatMap(({ email, fields = [] }) => [
      `  ${safe(email)}`,
      ...fields.map(
        ({ field, list, there }) => `    ${safe(field)}: ${quotedValue(list)} in the list, ${quotedValue(there)} there`,
      ),
    ]),
    ...(rest > 0 ? [`  and ${formatNumber(rest)} more`] : []),
  ];
}

function quotedValue(value: string): string {
  return value === '' ? 'nothing' : `"${safe(value)}"`;
}

function noteLines({ notes, unconfirmed }: CheckReport): string[] {
  const many = Object.entries(unconfirmed).map(([outcome, count]) => `${formatNumber(count)} ${outcome}`);
  const note = `not looked up again, because they are too many: ${many.join(', ')}`;
  return [...notes.map(safe), ...(many.length > 0 ? [note] : [])];
}
