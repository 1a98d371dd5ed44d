import { SvcError } from '../../base/lib/errors.ts';
import { EXIT, type ExitCode, worstExit } from '../../base/lib/exit.ts';
import { safe } from '../../base/lib/text.ts';
import { table } from '../../render/table/table.ts';
import { hintLines } from '../../render/text/error.ts';
import type { Style, Tone } from '../../render/text/style.ts';
import { wrap } from '../../render/text/wrap.ts';

/** `info` is worth knowing and needs nothing done; `stop` is why a command would fail. */
type FindingLevel = 'pass' | 'info' | 'warn' | 'stop' | 'skipped';

/** What one look found. */
export interface DoctorFinding {
  readonly check: string;
  readonly level: FindingLevel;
  readonly message: string;
  readonly hint?: string | undefined;
  /** `error.code`, where a problem was met. */
  readonly code?: string | undefined;
  /** What a stop is worth as an exit code. */
  readonly exit_code?: ExitCode | undefined;
}

/** The exit code of the worst finding: a warning is 3, a stop is worth what its cause is. */
export function exitOf(findings: readonly DoctorFinding[]): ExitCode {
  return worstExit(
    findings.map(({ level, exit_code }) => {
      if (level === 'stop') {
        return exit_code ?? EXIT.failed;
      }
      return level === 'warn' ? EXIT.partial : EXIT.ok;
    }),
  );
}

/** A problem as a finding; what is no problem of a run is thrown on. */
export function findingOf(check: string, error: unknown): DoctorFinding {
  if (!(error instanceof SvcError)) {
    throw error;
  }
  const { message, hint, code, exit } = error;
  return { check, level: 'stop', message, hint, code, exit_code: exit };
}

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
