import { displayWidth, shortenMiddle } from './width.ts';

/** The margins of a paragraph: the text before its first line, and the text before each other line. */
interface Margin {
  readonly first: string;
  readonly rest: string;
}

/** The margins of an indented paragraph. Its further lines begin two columns further right. */
export const HANGING: Margin = { first: '  ', rest: '    ' };

/**
 * Breaks a text into lines that fit. Does not break commands and paths, because users copy them. Any other word that is
 * too wide is shortened in its middle.
 */
export function wrapText(
  text: string,
  columns: number | undefined,
  margin: Margin = { first: '', rest: '' },
): string[] {
  return fillLines(unitsOf(text, columns, margin), ' ', columns, margin);
}

/** A text after a mark such as `✓`. Its further lines begin in the same column as the text. */
export function markedLines(mark: string, text: string, columns: number | undefined, indent = '  '): string[] {
  const margin = `${indent}  `;
  return wrapText(text, columns, { first: margin, rest: margin }).map((line, index) =>
    index === 0 ? `${indent}${mark} ${line.slice(margin.length)}` : line,
  );
}

/** Puts parts on lines without breaking a part. `separator` is put between two parts of a line. */
export function fillLines(
  parts: readonly string[],
  separator: string,
  columns: number | undefined,
  margin: Margin,
): string[] {
  const lines: string[] = [];
  let line = margin.first;
  let isEmpty = true;
  for (const part of parts) {
    const longer = isEmpty ? line + part : line + separator + part;
    if (!isEmpty && columns !== undefined && displayWidth(longer) > columns) {
      lines.push(line.trimEnd());
      line = startLine(part, columns, margin);
    } else {
      line = longer;
    }
    isEmpty = false;
  }
  return [...lines, line];
}

/**
 * The start of any line but the first: the margin and the first part. A command or path that fits only without the
 * margin begins at the left edge.
 */
function startLine(part: string, columns: number, { rest }: Margin): string {
  const width = displayWidth(part);
  return isCopied(part) && width <= columns && rest.length + width > columns ? part : rest + part;
}

// With less room than this, the rest of a shortened word would not be readable.
const MIN_ROOM = 16;

// Matches quoted text in a shell command.
const QUOTED = String.raw`\$'(?:[^'\\]|\\.)*'|'[^']*'|\\'`;

// Matches one character of a value that is not quoted. It must not match the start of quoted text: otherwise the
// expression could match a text in very many ways, and be slow.
const PLAIN = String.raw`(?:[^\s'$\\]|\$(?!')|\\(?!'))`;

const VALUE = `(?:${QUOTED}|${PLAIN})`;

const WITHOUT_OPEN_QUOTE = new RegExp(`^(?:${VALUE}|\\s)*$`);

/**
 * Matches the start of an svc command up to its first word, such as `svc runs`. `npx` may come before `svc`, and flags
 * before the first word. If the value of a flag looks like a flag (`-a`), it counts as a further flag.
 */
const COMMAND = new RegExp(
  String.raw`^["(]?(?:npx )?svc(?: --?[a-z]${VALUE}*(?: (?!--?[a-z])${VALUE}+)?)* (?:migrate|contacts|suppressions|automations|audiences|webhooks|emails|runs|doctor|auth|completion|emulator|mcp|help|--help)\b`,
);

/** The parts of a text that must stay on one line: single words, whole commands, and flags with their value. */
function unitsOf(text: string, columns: number | undefined, margin: Margin): string[] {
  const parts: string[] = [];
  const words = text.split(' ');
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const last = parts.at(-1);
    const start = /^["(]?(?:npx|svc)$/.test(word) ? COMMAND.exec(words.slice(index).join(' '))?.[0] : undefined;
    if (
      last !== undefined &&
      (isOpenCommand(last) || isFlagWithValue(last, word) || isOpenPath(last) || isUnit(last, word))
    ) {
      parts[parts.length - 1] = `${last} ${word}`;
    } else if (start === undefined) {
      parts.push(word);
    } else {
      const end = index + start.split(' ').length;
      parts.push(words.slice(index, end).join(' '));
      index = end - 1;
    }
  }
  const room = columns === undefined ? undefined : columns - displayWidth(margin.rest);
  return parts.map((part) =>
    room === undefined || room < MIN_ROOM || isCopied(part) ? part : shortenMiddle(part, room),
  );
}

/**
 * True if the next word still belongs to the command: no punctuation mark has ended the command, or a quote is open.
 */
function isOpenCommand(part: string): boolean {
  return COMMAND.test(part) && (!/[,;:.)"]$/.test(part) || !WITHOUT_OPEN_QUOTE.test(part));
}

/** True for a unit after a number, as in `12 s`. */
function isUnit(part: string, word: string): boolean {
  return /^[(\d][\d.,]*$/.test(part) && /^(?:ms|s|min|h|d|%)[,;:.)]*$/.test(word);
}

function isFlagWithValue(part: string, word: string): boolean {
  return /(?:^|\s)--[a-z][a-z-]*$/.test(part) && !word.startsWith('-');
}

/** True if a quoted path is not complete yet, because the path contains a blank. */
function isOpenPath(part: string): boolean {
  return QUOTED_PATH.test(part) && part.replaceAll("\\'", '').split("'").length % 2 === 0;
}

const QUOTED_PATH = /^\$?'[~.]?\//;

/** True for text that users copy: a command, a flag, a path or a URL. */
function isCopied(part: string): boolean {
  return COMMAND.test(part) || part.startsWith('--') || /^[~.]?\/|^https?:/.test(part) || QUOTED_PATH.test(part);
}

// Matches one word of a command line. Quoted text is part of its word.
const WORD = /(?:\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g;

/**
 * Breaks a command into lines that fit. Each line but the last ends with a backslash, so that the command can be
 * pasted. A flag and its value stay on one line. Without a width, the command stays on one line.
 */
export function commandLines(command: string, columns: number | undefined, margin = ''): string[] {
  if (columns === undefined || displayWidth(margin + command) <= columns) {
    return [margin + command];
  }
  const parts: string[] = [];
  for (const word of command.match(WORD) ?? []) {
    const isValue = /(?:^|\s)--?[a-z][a-z-]*$/.test(parts.at(-1) ?? '') && !word.startsWith('-');
    parts.push(isValue ? `${parts.pop()} ${word}` : word);
  }
  const lines = fillLines(parts, ' ', columns - LINE_CONTINUATION.length, { first: margin, rest: `${margin}  ` });
  return lines.map((line, index) => (index < lines.length - 1 ? line + LINE_CONTINUATION : line));
}

const LINE_CONTINUATION = ' \\';
