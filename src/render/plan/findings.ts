import type { Finding, FindingExample } from '../../base/finding.ts';
import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import { hintLines } from '../text/error.ts';
import type { Style, Tone } from '../text/style.ts';
import { shorten, shortenMiddle } from '../text/width.ts';
import { markedLines } from '../text/wrap.ts';
import type { PlanInput } from './inputs.ts';

type Level = Finding['level'];

const MARKS: Readonly<Record<Level, { mark: string; tone: Tone }>> = {
  stop: { mark: '✗', tone: 'red' },
  warn: { mark: '!', tone: 'magenta' },
  skipped: { mark: '–', tone: 'dim' },
  pass: { mark: '✓', tone: 'green' },
};
const MAX_SHOWN_EXAMPLES = 5;
/** The maximum number of findings to show of one level. An archive can have thousands of files with one problem. */
export const MAX_SHOWN_FINDINGS = 30;

/**
 * The findings of a plan: at most 30 stops, then at most 30 warnings, each with examples and a hint. Skipped checks
 * with the same cause share a line. Passed checks are only counted.
 */
export function findingLines(findings: readonly Finding[], style: Style): string[] {
  const notable = (['stop', 'warn'] as const).flatMap((level) => {
    const found = findings.filter((finding) => finding.level === level);
    const lines = found.slice(0, MAX_SHOWN_FINDINGS).flatMap((finding) => findingLine(finding, style));
    const more = found.length - MAX_SHOWN_FINDINGS;
    return more > 0 ? [...lines, ...messageLines(level, `and ${plural(more, 'more finding')}`, style)] : lines;
  });
  return [...notable, ...skippedLines(findings, style), ...passedLine(findings, style)];
}

/** Lines such as `– 4 checks skipped: the account was not checked: no URL or no key`. */
function skippedLines(findings: readonly Finding[], style: Style): string[] {
  const skipped = findings.filter(({ level }) => level === 'skipped');
  return [...Map.groupBy(skipped, ({ message }) => terminalSafe(message))].flatMap(([message, { length }]) =>
    messageLines('skipped', length === 1 ? message : `${length} checks skipped: ${message}`, style),
  );
}

/** A line such as `✓ 16 checks passed`. The JSON report has the names of the checks. */
function passedLine(findings: readonly Finding[], style: Style): string[] {
  const passed = new Set(findings.filter(({ level }) => level === 'pass').map(({ check }) => check)).size;
  return passed === 0 ? [] : [`  ${markOf('pass', style)} ${plural(passed, 'check')} passed`];
}

function findingLine(finding: Finding, style: Style): string[] {
  return [
    ...messageLines(finding.level, terminalSafe(finding.message), style),
    ...exampleLines(finding, style),
    ...hintLines(finding.hint, style).map((line) => `      ${style.bold(line)}`),
  ];
}

/** A finding with its mark. Only the mark is colored, because some terminals make colored text hard to read. */
function messageLines(level: Level, message: string, style: Style): string[] {
  return markedLines(markOf(level, style), message, style.columns);
}

function markOf(level: Level, style: Style): string {
  const { mark, tone } = MARKS[level];
  return style[tone](mark);
}

interface BriefMeta {
  readonly findings: readonly Finding[];
  readonly inputs: readonly Pick<PlanInput, 'path' | 'entry'>[];
  readonly rows: { readonly merged: number };
}

const MAX_SHOWN_WARNINGS = 4;
const WARNING_LINES = 2;

/** The findings in short: all stops without hints, at most four warnings, and the number of further warnings. */
export function briefFindingLines({ findings, inputs, rows }: BriefMeta, style: Style): string[] {
  // Leaves out the finding about merged rows, because the plan already shows their number. Only this finding of the
  // check `duplicates` has a hint.
  const isCounted = ({ check, hint }: Finding) => check === 'duplicates' && hint !== undefined && rows.merged > 0;
  const atLevel = (level: Level) => findings.filter((finding) => finding.level === level && !isCounted(finding));
  const messageOf = (finding: Finding) => withoutInput(terminalSafe(finding.message), inputs);
  const stops = atLevel('stop').flatMap((finding) => [
    ...messageLines('stop', messageOf(finding), style),
    ...exampleLines(finding, style),
  ]);
  const warnings = atLevel('warn')
    .slice(0, MAX_SHOWN_WARNINGS)
    .flatMap((finding) => firstLines(messageLines('warn', messageOf(finding), style), style));
  const more = atLevel('warn').length - MAX_SHOWN_WARNINGS;
  return [
    ...stops,
    ...warnings,
    ...(more > 0 ? messageLines('warn', `${plural(more, 'more warning')}: see the details`, style) : []),
    ...skippedLines(findings.map(cutToCause(findings)), style),
    ...(stops.length > 0 ? [] : passedLine(findings, style)),
  ];
}

/**
 * Returns a function that shortens the message of a skipped check to its cause. Checks with the same cause can then be
 * counted together.
 */
function cutToCause(findings: readonly Finding[]): (finding: Finding) => Finding {
  const causes = findings.filter(({ level }) => level === 'skipped').map(({ message }) => message);
  return (finding) => ({
    ...finding,
    message: causes.find((cause) => finding.message.startsWith(`${cause}; `)) ?? finding.message,
  });
}

/**
 * Removes the name of the input from the start of a message, if the plan has only one input: the title shows its name.
 * A name inside a sentence stays, as in `list.csv is not UTF-8`.
 */
function withoutInput(message: string, inputs: BriefMeta['inputs']): string {
  const paths = new Set(inputs.map(({ path }) => path));
  const [path] = paths;
  const label = path === '-' ? 'standard input' : terminalSafe(path ?? '');
  if (paths.size !== 1 || !message.startsWith(label)) {
    return message;
  }
  const rest = message.slice(label.length);
  const name = /^(?: \([^)]*\))?(?: and \d+ more like it)?: /.exec(rest);
  return name ? rest.slice(name[0].length) : message;
}

function firstLines(lines: readonly string[], style: Style): string[] {
  const last = lines[WARNING_LINES - 1];
  return lines.length <= WARNING_LINES || last === undefined || style.columns === undefined
    ? [...lines]
    : [...lines.slice(0, WARNING_LINES - 1), `${shorten(last, style.columns - 2)} …`];
}

export function exampleLines({ examples = [], total = examples.length }: Finding, style: Style): string[] {
  const shown = examples
    .slice(0, MAX_SHOWN_EXAMPLES)
    .map((example) => style.dim(`      ${exampleText(example, style.columns)}`));
  const more = total - shown.length;
  return more > 0 && shown.length > 0 ? [...shown, style.dim(`      and ${formatNumber(more)} more`)] : shown;
}

/**
 * An example such as `list.csv:7  Notes "a value"`, on one line. If it is too long, the file name is shortened in the
 * middle and the value at its end.
 */
function exampleText({ file, line, column, value }: FindingExample, columns: number | undefined): string {
  const what = [column && terminalSafe(column), value === undefined ? undefined : `"${terminalSafe(value)}"`]
    .filter(Boolean)
    .join(' ');
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - INDENT;
  const place = `${shortenMiddle(terminalSafe(file), Math.max(16, Math.floor(room / 2)))}:${line}`;
  return shorten(`${place}${what && `  ${what}`}`, room);
}

const INDENT = 6;
