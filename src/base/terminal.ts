import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ReadStream, WriteStream } from 'node:tty';

/** A question and how its answer is typed. */
export interface Question {
  readonly question: string;
  readonly signal: AbortSignal;
  /** True where the answer is not shown. */
  readonly hidden: boolean;
}

/** Asks at the terminal of that path, which is open for this question only, so that nothing keeps the process alive. */
export function askAtTerminal(terminal: string, asked: Question): Promise<string> {
  return withTerminal(terminal, (input, output) => readLine(input, output, asked));
}

async function withTerminal(
  terminal: string,
  use: (input: ReadStream, output: WriteStream) => Promise<string>,
): Promise<string> {
  const input = new ReadStream(openSync(terminal, 'r'));
  const output = new WriteStream(openSync(terminal, 'w'));
  try {
    return await use(input, output);
  } finally {
    input.destroy();
    output.destroy();
  }
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
