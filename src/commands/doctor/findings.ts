import { EXIT, type ExitCode, SvcError, worstExitCode } from '../../base/lib/errors.ts';
import { plural, terminalSafe } from '../../base/lib/text.ts';
import { hintLines } from '../../render/text/error.ts';
import type { Style, Tone } from '../../render/text/style.ts';
import { renderTable } from '../../render/text/table.ts';
import { wrapText } from '../../render/text/wrap.ts';

/** How serious a finding is. `info`: the user need not act. `stop`: commands will fail because of it. */
type FindingLevel = 'pass' | 'info' | 'warn' | 'stop' | 'skipped';

export interface DoctorFinding {
  readonly check: string;
  readonly level: FindingLevel;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The error code, if the check had an error. */
  readonly code?: string | undefined;
  readonly exit_code?: ExitCode | undefined;
  readonly request_id?: string | undefined;
}

/** A finding without an error. */
export function finding(level: FindingLevel, check: string, message: string, hint?: string): DoctorFinding {
  return { check, level, message, hint };
}

/** The exit code of the worst finding. For a stop it is the exit code of its error, for a warning 3. */
export function doctorExitCode(findings: readonly DoctorFinding[]): ExitCode {
  const stops = findings.filter(({ level }) => level === 'stop');
  if (stops.length > 0) {
    return worstExitCode(stops.map(({ exit_code }) => exit_code ?? EXIT.failed));
  }
  return findings.some(({ level }) => level === 'warn') ? EXIT.partial : EXIT.ok;
}

/** The finding for a check that threw an `SvcError`. Any other error is a bug and is thrown again. */
export function findingForError(check: string, error: unknown): DoctorFinding {
  if (!(error instanceof SvcError)) {
    throw error;
  }
  const { message, hint, code, exit, requestId } = error;
  return { check, level: 'stop', message, hint, code, exit_code: exit, request_id: requestId };
}

const TONES: Readonly<Record<FindingLevel, Tone>> = {
  pass: 'green',
  info: 'cyan',
  warn: 'yellow',
  stop: 'red',
  skipped: 'dim',
};

/** The first line of the report, for example `Working, with 1 warning: 8 checks passed, 1 not made.` */
function headline(findings: readonly DoctorFinding[], style: Style): string {
  const countAt = (...levels: readonly FindingLevel[]) => findings.filter(({ level }) => levels.includes(level)).length;
  const [stops, warnings, skipped] = [countAt('stop'), countAt('warn'), countAt('skipped')];
  const passed = `${plural(countAt('pass', 'info'), 'check')} passed${skipped > 0 ? `, ${skipped} not made` : ''}.`;
  if (stops > 0) {
    const also = warnings > 0 ? ` and ${plural(warnings, 'warning')}` : '';
    return style.red(`Not working, because of ${plural(stops, 'problem')}${also}: ${passed}`);
  }
  return warnings > 0
    ? style.yellow(`Working, with ${plural(warnings, 'warning')}: ${passed}`)
    : style.green(`All is well: ${passed}`);
}

/** The report as text: a headline, then a line for each finding, with its hint below. In a pipe it is a table. */
export function findingsText(findings: readonly DoctorFinding[], style: Style): string {
  if (style.columns === undefined) {
    const columns = [{ title: 'level' }, { title: 'check' }, { title: 'finding' }, { title: 'hint' }];
    return renderTable(
      columns,
      findings.map(({ level, check, message, hint }) => [level, check, message, hint?.replaceAll('\n', ' ')]),
      style,
    );
  }
  const text = findings.map((finding) => `${lines(finding, style).join('\n')}\n`);
  return `${headline(findings, style)}\n${text.join('')}`;
}

function lines({ level, check, message, hint }: DoctorFinding, style: Style): string[] {
  const first = `${level.padEnd(7)}  ${check.padEnd(8)}  `;
  const rest = ' '.repeat(first.length);
  const [head = '', ...more] = wrapText(terminalSafe(message), style.columns, { first, rest });
  const hints = hintLines(hint, style, rest.length).map((line) => rest + line);
  const dressed = style[TONES[level]](level.padEnd(7)) + head.slice(7);
  return [dressed, ...more, ...hints.map((line) => style.dim(line))];
}
