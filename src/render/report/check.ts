import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import type { CheckExample, CheckReport } from '../../contacts-check/report.ts';
import { countLines, nameValueLines, nameWithId, titledSection } from '../text/block.ts';
import type { Style } from '../text/style.ts';
import { wrapText } from '../text/wrap.ts';

/** The text of `contacts check` and `runs verify`: how many people are the same and how many differ, with examples. */
export function checkText(report: CheckReport, style: Style): string {
  const { counts, examples } = report;
  const tone = report.status === 'same' ? style.green : style.yellow;
  const lines = [
    ...wrapText(headline(report), style.columns).map((line) => style.bold(tone(line))),
    ...nameValueLines(
      [
        ['list', report.inputs.map(({ path, entry }) => terminalSafe(entry ?? path)).join(', ')],
        ['audience', nameWithId(report.audience)],
        ['verifies', report.verifies],
      ],
      style,
    ),
    ...titledSection('People', countLines(peopleLines(report), style), style),
    ...titledSection('Different', resultLines(examples.different, counts.different), style),
    ...titledSection('Missing', resultLines(examples.missing, counts.missing), style),
    ...titledSection('Extra', resultLines(examples.extra, counts.extra), style),
    ...titledSection(
      'Notes',
      noteLines(report).flatMap((note) => wrapText(`  ${note}`, style.columns)),
      style,
    ),
    ...titledSection(
      'Files',
      nameValueLines([['people', report.files.output && terminalSafe(report.files.output)]], style),
      style,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function headline({ status, counts, notes }: CheckReport): string {
  if (status === 'same') {
    const without = notes.some((note) => note.startsWith('not compared: topics')) ? ', without topics' : '';
    const compared = `${plural(counts.same + counts.opted_out, 'person', 'people')} compared${without}`;
    const what = without === '' ? 'what the list says' : 'what the list says, apart from topics';
    return counts.opted_out === 0
      ? `The audience holds ${what}: ${compared}.`
      : `The audience differs from the list only in opt-outs: ${compared}, ${formatNumber(counts.opted_out)} opted out there.`;
  }
  const faults = counts.different + counts.missing + counts.extra;
  return faults === 0
    ? 'The audience was not read as a whole.'
    : `The audience differs from the list in ${plural(faults, 'person', 'people')}.`;
}

function peopleLines({ counts, fields, rows }: CheckReport): [number, string][] {
  const where = Object.entries(fields).map(([field, count]) => `${terminalSafe(field)} ${formatNumber(count)}`);
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

function resultLines(examples: readonly CheckExample[], total: number): string[] {
  const restCount = total - examples.length;
  return [
    ...examples.flatMap(({ email, fields = [] }) => [
      `  ${terminalSafe(email)}`,
      ...fields.map(
        ({ field, list, there }) =>
          `    ${terminalSafe(field)}: ${quotedValue(list)} in the list, ${quotedValue(there)} there`,
      ),
    ]),
    ...(restCount > 0 ? [`  and ${formatNumber(restCount)} more`] : []),
  ];
}

function quotedValue(value: string): string {
  return value === '' ? 'nothing' : `"${terminalSafe(value)}"`;
}

function noteLines({ notes, unconfirmed }: CheckReport): string[] {
  const many = Object.entries(unconfirmed).map(([outcome, count]) => `${formatNumber(count)} ${outcome}`);
  const note = `not looked up again, because they are too many: ${many.join(', ')}`;
  return [...notes.map(terminalSafe), ...(many.length > 0 ? [note] : [])];
}
