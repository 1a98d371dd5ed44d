import xterm from '@xterm/headless';
import type { OutputStream } from '../../../src/base/context.ts';

/** A terminal in memory that shows what a user would see. */
export interface VirtualScreen extends OutputStream {
  /** Changes the width of the terminal and wraps its lines again. */
  resize(columns: number): Promise<void>;
  /** The text on the screen, without colors and empty lines at the end. */
  text(): Promise<string>;
  /** Everything written since the last call, as bytes. */
  written(): string;
}

export function createVirtualScreen(columns: number): VirtualScreen {
  const terminal = new xterm.Terminal({ cols: columns, rows: 50, convertEol: true, allowProposedApi: true });
  const shown = () => new Promise<void>((done) => terminal.write('', done));
  let log = '';
  return {
    isTTY: true,
    get columns() {
      return terminal.cols;
    },
    write: (text) => {
      log += text;
      terminal.write(text);
    },
    resize: async (next) => {
      await shown();
      terminal.resize(next, terminal.rows);
    },
    text: async () => {
      await shown();
      const { active } = terminal.buffer;
      const rows = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true));
      return rows
        .map((row) => row?.trimEnd())
        .join('\n')
        .trimEnd();
    },
    written: () => {
      const text = log;
      log = '';
      return text;
    },
  };
}
