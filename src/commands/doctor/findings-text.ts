import { safe } from '../../base/lib/text.ts';
import { table } from '../../render/table/table.ts';
import { hintLines } from '../../render/text/error.ts';
import type { Style, Tone } from '../../render/text/style.ts';
import { wrap } from '../../render/text/wrap.ts';
import type { DoctorFinding, FindingLevel } from './finding.ts';

const TONES: Readonly<Record<FindingLevel, Tone>> = {
  pass: 'green',
  info: 'cyan',
  warn: 'yellow',
  stop: 'red',
  skipped: 'dim',
};

/** The findings as they came: level, check, words, and what to do below. */
export function findingsText(findings: readonly DoctorFinding[], style: Style): string {
  if (style.columns === undefined) {
    const columns = [{ title: 'level' }, { title: 'check' }, { title: 'finding' }, { title: 'hint' }];
    return table(
      columns,
      findings.map(({ level, check, message, hint }) => [level, check, message, hint]),
      style,
    );
  }
  return findings.map((finding) => `${lines(finding, style).join('\n')}\n`).join('');
}

function lines({ level, check, message, hint }: DoctorFinding, style: Style): string[] {
  const first = `${level.padEnd(7)}  ${check.padEnd(8)}  `;
  const rest = ' '.repeat(first.length);
  const [head = '', ...more] = wrap(safe(message), style.columns, { first, rest });
  const hints = hintLines(hint, style, rest.length).map((line) => rest + line);
  const dressed = style[TONES[level]](level.padEnd(7)) + head.slice(7);
  return [dressed, ...more, ...hints.map((line) => style.dim(line))];
}
