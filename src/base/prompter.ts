import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ReadStream, WriteStream } from 'node:tty';
import type { Prompter } from './context.ts';

const TERMINAL = '/dev/tty';

/**
 * Asks at the controlling terminal, so that questions work while standard input is data. Undefined where there is no
 * terminal. The terminal is opened for each question only, so that nothing keeps the process alive.
 */
export function createTerminalPrompter(signal: AbortSignal): Prompter | undefined {
  if (!hasTerminal()) {
    return undefined;
  }
  return {
    ask: (question) => withTerminal((input, output) => readLine(input, output, { question, signal, hidden: false })),
    askHidden: (question) =>
      withTerminal((input, output) => readLine(input, output, { question, signal, hidden: true })),
  };
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync(TERMINAL, 'r+'));
    return true;
  } catch {
    return false;
  }
}

async function withTerminal<T>(use: (input: ReadStream, output: WriteStream) => Promise<T>): Promise<T> {
  const input = new ReadStream(openSync(TERMINAL, 'r'));
  const output = new WriteStream(openSync(TERMINAL, 'w'));
  try {
    return await use(input, output);
  } finally {
    input.destroy();
    output.destroy();
  }
}

interface Question {
  readonly question: string;
  readonly signal: AbortSignal;
  readonly hidden: boolean;
}

async function readLine(input: ReadStream, output: WriteStream, asked: Question): Promise<string> {
  if (asked.hidden) {
    return readHidden(input, output, asked);
  }
  const lines = createInterface({ input, output });
  try {
    return await lines.question(asked.question, { signal: asked.signal });
  } finally {
    lines.close();
  }
}

async function readHidden(input: ReadStream, output: WriteStream, asked: Question): Promise<string> {
  output.write(asked.question);
  input.setRawMode(true);
  try {
    return await typedLine(input, asked.signal);
  } finally {
    input.setRawMode(false);
    output.write('\n');
  }
}

function typedLine(input: ReadStream, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = '';
    input.setEncoding('utf8');
    input.on('data', (chunk: string) => {
      for (const character of chunk) {
        if (character === '\r' || character === '\n') {
          resolve(typed);
        } else if (character === '\u0003') {
          reject(new Error('cancelled'));
        } else {
          typed = character === '\u007f' ? typed.slice(0, -1) : typed + character;
        }
      }
    });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
