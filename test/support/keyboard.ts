import { PassThrough, Writable } from 'node:stream';
import xterm from '@xterm/headless';
import type { ChoiceList } from '../../src/base/context.ts';
import { createInterruption } from '../../src/base/lib/interruption.ts';
import { chooseAtStreams } from '../../src/base/os/terminal.ts';

export const ENTER = '\r';
export const DOWN = '\u001b[B';
export const UP = '\u001b[A';
export const ESCAPE = '\u001b';
export const CTRL_C = '\u0003';

/** A terminal in memory at which a person presses keys, one at a time. */
export interface Keyboard {
  readonly signal: AbortSignal;
  choose(list: ChoiceList): Promise<number | undefined>;
  /** The screen before each key, and the last one. */
  screens(): Promise<readonly string[]>;
}

/** Presses these keys, each when a question waits for one. After the last key it presses Ctrl-C. */
export function createKeyboard(keys: readonly string[], columns = 100): Keyboard {
  const left = [...keys];
  const stop = new AbortController();
  const screen = new xterm.Terminal({ cols: columns, rows: 60, convertEol: true, allowProposedApi: true });
  const seen: string[] = [];
  const input = new PassThrough();
  const output = Object.assign(
    new Writable({ write: (part, _encoding, done) => screen.write(String(part), () => done()) }),
    { columns, rows: 60 },
  );
  const press = async (isOpen: () => boolean) => {
    while (isOpen()) {
      if (input.listenerCount('keypress') > 1 && output.writableLength === 0) {
        seen.push(await textOf(screen));
        const key = left.shift() ?? CTRL_C;
        input.write(key);
        if (key === ESCAPE) {
          // The code of Escape also begins other keys, so the prompt waits a moment before it accepts Escape.
          return;
        }
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    signal: stop.signal,
    choose: async (list) => {
      let open = true;
      void press(() => open);
      const interrupt = () => stop.abort(createInterruption('SIGINT'));
      return chooseAtStreams({ input, output }, list, { signal: stop.signal, interrupt }).finally(() => {
        open = false;
      });
    },
    screens: async () => [...seen, await textOf(screen)],
  };
}

async function textOf(screen: InstanceType<typeof xterm.Terminal>): Promise<string> {
  await new Promise<void>((done) => screen.write('', done));
  const { active } = screen.buffer;
  const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '');
  return lines.join('\n').trimEnd();
}
