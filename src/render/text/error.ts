import { terminalSafe } from '../../base/lib/text.ts';
import { jsonText } from './object.ts';
import type { Style } from './style.ts';
import { commandLines, wrapText } from './wrap.ts';

// The number of columns that `svc: ` takes before the first line.
const MARGIN = 5;

export interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly exit_code: number;
  readonly request_id?: string | undefined;
}

/** The error for users: what happened, what to type, and the request id, for which the support of the service asks. */
export function errorText(error: ShownError, style: Style): string {
  const [first = '', ...rest] = errorLines(error, style);
  return `${[`${style.red('svc:')} ${first}`, ...rest.map((line) => `  ${line}`)].join('\n')}\n`;
}

/** The message, the hint and the request id of an error, each on its own lines, not indented. */
export function errorLines(error: Pick<ShownError, 'message' | 'hint' | 'request_id'>, style: Style): string[] {
  return [
    ...wrapText(terminalSafe(error.message), style.columns === undefined ? undefined : style.columns - MARGIN),
    ...hintLines(error.hint, style),
    ...(error.request_id ? [style.dim(`request id: ${terminalSafe(error.request_id)}`)] : []),
  ];
}

/** The error for programs: a JSON object on one line. It always has `hint`, even if that is empty. */
export function errorJson(error: ShownError): string {
  const { code, message, hint = '', exit_code, request_id } = error;
  return jsonText({ error: { code, message, hint, exit_code, ...(request_id ? { request_id } : {}) } });
}

const INDENT = 6;

/** The hint as lines that fit after `indent` columns. A command in the hint can be pasted unchanged. */
export function hintLines(hint: string | undefined, style: Style, indent = INDENT): string[] {
  const room = style.columns === undefined ? undefined : style.columns - indent;
  const lines = hint ? hint.split('\n').map(terminalSafe) : [];
  return lines.flatMap((line) => (isCommand(line) ? commandLines(line.trim(), room) : wrapText(line, room)));
}

/** True for a line that is a command, or flags to add to a command. False for a sentence that begins with a flag. */
function isCommand(line: string): boolean {
  return /^\s*(npx )?svc /.test(line) || (/^\s*--[a-z]/.test(line) && !/, (?:or|and|to) /.test(line));
}
