import { safe } from '../../base/lib/text.ts';
import type { Style } from './style.ts';
import { wrap } from './wrap.ts';

const INDENT = 6;

/** What to do, in lines that fit behind an indent; a command to copy stays on one line. */
export function hintLines(hint: string | undefined, style: Style, indent = INDENT): string[] {
  const room = style.columns === undefined ? undefined : style.columns - indent;
  const lines = hint ? hint.split('\n').map(safe) : [];
  return lines.flatMap((line) => (/^\s*(svc|--?\w)/.test(line) ? [line] : wrap(line, room)));
}
