import { displayWidth, shortenMiddle } from './width.ts';

/** The margins of a paragraph: the start of its first line and of the other lines. */
interface Margin {
  readonly first: string;
  readonly rest: string;
}

/**
 * Breaks a text at blanks so that its lines fit. A command or a path is not broken, because users copy it. Another word
 * that is wider than a line is shortened in the middle.
 */
export function wrap(text: string, columns: number | undefined, margin: Margin = { first: '', rest: '' }): string[] {
  return fillLines(unitsOf(text, columns, margin), ' ', columns, margin);
}

/** A text behind a mark of one column. Its further lines start below the text. */
export function markedLines(mark: string, text: string, columns: number | undefined, indent = '  '): string[] {
  const margin = `${indent}  `;
  return wrap(text, columns, { first: margin, rest: margin }).map((line, index) =>
    index === 0 ? `${indent}${mark} ${line.slice(margin.length)}` : line,
  );
}

/** Fills lines with parts that stay whole. `separator` stands between two parts of a line. */
export function fillLines(
  parts: readonly string[],
  separator: string,
  columns: number | undefined,
  margin: Margin,
): string[] {
  const lines: string[] = [];
  let line = margin.first;
  let empty = true;
  for (const part of parts) {
    const longer = empty ? line + part : line + separator + part;
    if (!empty && columns !== undefined && displayWidth(longer) > columns) {
      lines.push(line.trimEnd());
      line = startLine(part, columns, margin);
    } else {
      line = longer;
    }
    empty = false;
  }
  return [...lines, line];
}

/** A command or a path that fits only without the margin goes to the start of the line. */
function startLine(part: string, columns: number, { rest }: Margin): string {
  const width = displayWidth(part);
  return isCopied(part) && width <= columns && rest.length + width > columns ? part : rest + part;
}

// With less room than this, a shortened word would be unreadable.
const NARROWEST = 16;

// Quoted text of a shell command.
const QUOTED = /\$'(?:[^'\\]|\\.)*'|'[^']*'|\\'/g;

/** A command up to its group. Before the group there may be npx, and flags that choose the account. */
const COMMAND = new RegExp(
  String.raw`^["(]?(?:npx )?svc(?: --?[a-z][a-z-]*(?:[ =](?:${QUOTED.source}|[^\s'])+)?)* (?:migrate|contacts|suppressions|automations|audiences|webhooks|emails|runs|doctor|auth|completion|emulator|mcp|help|--help)\b`,
);

/** The words of a text. A command is one part up to the next punctuation mark, and so is a flag with its value. */
function unitsOf(text: string, columns: number | undefined, margin: Margin): string[] {
  const parts: string[] = [];
  const words = text.split(' ');
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const last = parts.at(-1);
    const start = /^["(]?(?:npx|svc)$/.test(word) ? COMMAND.exec(words.slice(at).join(' '))?.[0] : undefined;
    if (last !== undefined && (isOpenCommand(last) || isFlagWithValue(last, word) || isOpenPath(last))) {
      parts[parts.length - 1] = `${last} ${word}`;
    } else if (start === undefined) {
      parts.push(word);
    } else {
      const end = at + start.split(' ').length;
      parts.push(words.slice(at, end).join(' '));
      at = end - 1;
    }
  }
  const room = columns === undefined ? undefined : columns - displayWidth(margin.rest);
  return parts.map((part) =>
    room === undefined || room < NARROWEST || isCopied(part) ? part : shortenMiddle(part, room),
  );
}

/** True for a command that continues with the next word: no punctuation mark ended it, or a quote is open. */
function isOpenCommand(part: string): boolean {
  return COMMAND.test(part) && (!/[,;:.)"]$/.test(part) || part.replaceAll(QUOTED, '').includes("'"));
}

function isFlagWithValue(part: string, word: string): boolean {
  return /(?:^|\s)--[a-z][a-z-]*$/.test(part) && !word.startsWith('-');
}

/** True for the start of a path in quotes, up to a blank in it. */
function isOpenPath(part: string): boolean {
  return QUOTED_PATH.test(part) && part.replaceAll("\\'", '').split("'").length % 2 === 0;
}

const QUOTED_PATH = /^\$?'[~.]?\//;

/** True for text that users copy: a command, a flag, a path or a URL. */
function isCopied(part: string): boolean {
  return COMMAND.test(part) || part.startsWith('--') || /^[~.]?\/|^https?:/.test(part) || QUOTED_PATH.test(part);
}

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
