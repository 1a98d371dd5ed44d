import { safe } from '../../base/lib/text.ts';
import { jsonText } from './object.ts';
import type { Style } from './style.ts';
import { commandLines, wrap } from './wrap.ts';

// The width of `svc: ` before the first line.
const MARGIN = 5;

/** The fields of a problem that ended a command. */
export interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly exit_code: number;
  readonly request_id?: string | undefined;
}

/** The problem for people: what happened, what to type, and the request id for the support of the service. */
export function errorText(error: ShownError, style: Style): string {
  const [first = '', ...rest] = errorLines(error, style);
  return `${[`${style.red('svc:')} ${first}`, ...rest.map((line) => `  ${line}`)].join('\n')}\n`;
}

/** Returns message, hint and request id on separate lines, without indent. */
export function errorLines(error: Pick<ShownError, 'message' | 'hint' | 'request_id'>, style: Style): string[] {
  return [
    ...wrap(safe(error.message), style.columns === undefined ? undefined : style.columns - MARGIN),
    ...hintLines(error.hint, style),
    ...(error.request_id ? [style.dim(`request id: ${safe(error.request_id)}`)] : []),
  ];
}

/** The problem for programs: one JSON object on one line. `hint` is present even if it is empty. */
export function errorJson(error: ShownError): string {
  const { code, message, hint = '', exit_code, request_id } = error;
  return jsonText({ error: { code, message, hint, exit_code, ...(request_id ? { request_id } : {}) } });
}

const INDENT = 6;

/** The hint in lines that fit behind an indent. A command works when it is pasted. */
export function hintLines(hint: string | undefined, style: Style, indent = INDENT): string[] {
  const room = style.columns === undefined ? undefined : style.columns - indent;
  const lines = hint ? hint.split('\n').map(safe) : [];
  return lines.flatMap((line) => (isCommand(line) ? commandLines(line.trim(), room) : wrap(line, room)));
}

/** True for a command, or for flags to add to one. Prose may begin with a flag too. */
function isCommand(line: string): boolean {
  return /^\s*(npx )?svc /.test(line) || (/^\s*--[a-z]/.test(line) && !/, (?:or|and|to) /.test(line));
}
