import { safe } from '../../base/lib/text.ts';
import { jsonText } from './object.ts';
import type { Style } from './style.ts';
import { wrap } from './wrap.ts';

// `svc: ` before the first line.
const MARGIN = 5;

/** What is shown of a problem that ended a command. */
export interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly exit_code: number;
  readonly request_id?: string | undefined;
}

/** The problem for people: what happened, what to type, and the id to quote to the service's support. */
export function errorText(error: ShownError, style: Style): string {
  const [first = '', ...rest] = errorLines(error, style);
  return `${[`${style.red('svc:')} ${first}`, ...rest.map((line) => `  ${line}`)].join('\n')}\n`;
}

/** Message, hint and request id as lines of their own, not indented. */
export function errorLines(error: Pick<ShownError, 'message' | 'hint' | 'request_id'>, style: Style): string[] {
  return [
    ...wrap(safe(error.message), style.columns === undefined ? undefined : style.columns - MARGIN),
    ...hintLines(error.hint, style),
    ...(error.request_id ? [style.dim(`request id: ${safe(error.request_id)}`)] : []),
  ];
}

/** The problem for programs: one object on one line (cli.md, "Global"). `hint` is there even when empty. */
export function errorJson(error: ShownError): string {
  const { code, message, hint = '', exit_code, request_id } = error;
  return jsonText({ error: { code, message, hint, exit_code, ...(request_id ? { request_id } : {}) } });
}

const INDENT = 6;

/** What to do, in lines that fit behind an indent; a command to copy stays on one line. */
export function hintLines(hint: string | undefined, style: Style, indent = INDENT): string[] {
  const room = style.columns === undefined ? undefined : style.columns - indent;
  const lines = hint ? hint.split('\n').map(safe) : [];
  return lines.flatMap((line) => (/^\s*(svc|--?\w)/.test(line) ? [line] : wrap(line, room)));
}
