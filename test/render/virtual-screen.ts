import type { OutputStream } from '../../src/base/context.ts';

/** A terminal in memory. It understands the sequences that svc writes, and shows what a person would see. */
export interface VirtualScreen extends OutputStream {
  /** Changes the width. Rows are broken again, as modern terminals do. */
  resize(columns: number): void;
  /** The text on the screen, without colours and trailing blank lines. */
  text(): string;
  /** Everything written since the last call. */
  written(): string;
}

const TOKEN = /\x1b\[(\d*)([A-Za-z])|\r|\n|[^\x1b\r\n]/gu;

/** Creates a screen of this width and any height. */
export function createVirtualScreen(width: number): VirtualScreen {
  let columns = width;
  let rows: { text: string; wraps: boolean }[] = [{ text: '', wraps: false }];
  let at = { row: 0, column: 0 };
  let log = '';

  const line = () => {
    rows[at.row] ??= { text: '', wraps: false };
    return rows[at.row]!;
  };
  const put = (character: string) => {
    if (at.column >= columns) {
      line().wraps = true;
      at = { row: at.row + 1, column: 0 };
    }
    const { text } = line();
    line().text = text.padEnd(at.column).slice(0, at.column) + character + text.slice(at.column + 1);
    at.column += 1;
  };
  const obey = (command: string, count: string) => {
    if (command === 'A') {
      at.row = Math.max(0, at.row - (Number(count) || 1));
    } else if (command === 'K' && count === '2') {
      rows[at.row] = { text: '', wraps: false };
    } else if (command !== 'm') {
      throw new Error(`the screen does not know ${command}`);
    }
  };
  const take = ([token, count = '', command]: RegExpMatchArray) => {
    if (command !== undefined) {
      obey(command, count);
    } else if (token === '\r') {
      at.column = 0;
    } else if (token === '\n') {
      at = { row: at.row + 1, column: 0 };
      line();
    } else {
      put(token ?? '');
    }
  };

  return {
    isTTY: true,
    get columns() {
      return columns;
    },
    write: (text) => {
      log += text;
      for (const match of text.matchAll(TOKEN)) {
        take(match);
      }
    },
    resize: (next) => {
      const logical: string[] = [];
      let joins = false;
      for (const row of rows) {
        logical.push((joins ? logical.pop()! : '') + row.text);
        joins = row.wraps;
      }
      columns = next;
      rows = logical.flatMap((text) => broken(text, next));
      at = { row: rows.length - 1, column: rows.at(-1)!.text.length };
    },
    text: () =>
      rows
        .map((row) => row.text.trimEnd())
        .join('\n')
        .trimEnd(),
    written: () => {
      const text = log;
      log = '';
      return text;
    },
  };
}

function broken(text: string, columns: number): { text: string; wraps: boolean }[] {
  const parts = text.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''];
  return parts.map((part, at) => ({ text: part, wraps: at < parts.length - 1 }));
}
