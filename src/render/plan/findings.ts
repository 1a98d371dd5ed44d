import { formatNumber, safe } from '../../base/lib/text.ts';
import type { Finding, FindingExample } from '../../import/survey/survey-types.ts';
import { hintLines } from '../text/error.ts';
import type { Style, Tone } from '../text/style.ts';
import { wrap } from '../text/wrap.ts';

type Level = Finding['level'];

const LEVELS: readonly Level[] = ['stop', 'warn', 'skipped', 'pass'];
const MARKS: Readonly<Record<Level, { mark: string; tone: Tone }>> = {
  stop: { mark: '✗', tone: 'red' },
  warn: { mark: '!', tone: 'yellow' },
  skipped: { mark: '–', tone: 'dim' },
  pass: { mark: '✓', tone: 'green' },
};
const SHOWN_EXAMPLES = 5;

/** The findings, stops first, each with examples and with what to type. All passed checks are one line. */
export function findingLines(findings: readonly Finding[], style: Style): string[] {
  const notable = LEVELS.filter((level) => level !== 'pass').flatMap((level) =>
    findings.filter((finding) => finding.level === level).flatMap((finding) => findingLine(finding, style)),
  );
  const passed = [
    ...new Set(findings.filter((finding) => finding.level === 'pass').map((finding) => safe(finding.check))),
  ];
  const passedLines = passed.length > 0 ? wrap(`passed: ${passed.join(', ')}`, style.columns, margin('pass')) : [];
  return [...notable, ...passedLines.map((line) => style.dim(line))];
}

function findingLine(finding: Finding, style: Style): string[] {
  const { tone } = MARKS[finding.level];
  const [first = '', ...rest] = wrap(
    `${safe(finding.check)}: ${safe(finding.message)}`,
    style.columns,
    margin(finding.level),
  );
  return [
    style[tone](first),
    ...rest.map((line) => style[tone](line)),
    ...exampleLines(finding, style),
    ...hintLines(finding.hint, style).map((line) => `      ${style.bold(line)}`),
  ];
}

function exampleLines({ examples = [], total = examples.length }: Finding, style: Style): string[] {
  const shown = examples.slice(0, SHOWN_EXAMPLES).map((example) => style.dim(`      ${exampleText(example)}`));
  const more = total - shown.length;
  return more > 0 && shown.length > 0 ? [...shown, style.dim(`      and ${formatNumber(more)} more`)] : shown;
}

function exampleText({ file, line, column, value }: FindingExample): string {
  const what = [column && safe(column), value === undefined ? undefined : `"${safe(value)}"`].filter(Boolean).join(' ');
  return `${safe(file)}:${line}${what && `  ${what}`}`;
}

function margin(level: Level): { first: string; rest: string } {
  return { first: `  ${MARKS[level].mark} `, rest: '    ' };
}
