import { displayWidth } from './width.ts';
import { fillLines } from './wrap.ts';

// A part of a command line. Quoted text stays together with its neighbors.
const WORD = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g;

/**
 * A command in lines that fit, each but the last with a backslash at its end, so that it works when pasted. A flag and
 * its value stay on one line. Without a width the command stays on one line.
 */
export function commandLines(command: string, columns: number | undefined, margin = ''): string[] {
  // A backslash behind a comment would not continue the command.
  if (columns === undefined || displayWidth(margin + command) <= columns || command.includes(' # ')) {
    return [margin + command];
  }
  const parts: string[] = [];
  for (const word of command.match(WORD) ?? []) {
    const isValue = /(?:^|\s)--?[a-z][a-z-]*$/.test(parts.at(-1) ?? '') && !word.startsWith('-');
    parts.push(isValue ? `${parts.pop()} ${word}` : word);
  }
  const lines = fillLines(parts, ' ', columns - CONTINUED.length, { first: margin, rest: `${margin}  ` });
  return lines.map((line, index) => (index < lines.length - 1 ? line + CONTINUED : line));
}

const CONTINUED = ' \\';
