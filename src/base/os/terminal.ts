import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ReadStream, WriteStream } from 'node:tty';

/**
 * Asks at the terminal with this path. It is open for this question only, so that it does not keep the process alive.
 */
export async function askAtTerminal(terminal: string, asked: TypedQuestion): Promise<string> {
  const input = new ReadStream(openSync(terminal, 'r'));
  const output = new WriteStream(openSync(terminal, 'w'));
  try {
    return await readTypedAnswer({ input, output }, asked);
  } finally {
    input.destroy();
    output.destroy();
  }
}

/** A question with a typed answer. All lines but the last are text to read before it. */
export interface TypedQuestion {
  readonly question: string;
  /** True if the answer is not shown. */
  readonly hidden: boolean;
  readonly signal: AbortSignal;
  /** Called on Ctrl-C, which a terminal in raw mode delivers as a key. It aborts the signal. */
  interrupt(): void;
}

/** The input and the output of a terminal. */
interface TerminalStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * One line, edited with the usual keys (arrow keys, Ctrl-U, Ctrl-W, paste). The end of the input is an empty answer.
 * Rejects when the signal aborts.
 */
export async function readTypedAnswer(
  { input, output }: TerminalStreams,
  { question, hidden, signal, interrupt }: TypedQuestion,
): Promise<string> {
  const start = question.lastIndexOf('\n') + 1;
  output.write(question.slice(0, start));
  const prompt = question.slice(start);
  if (hidden) {
    output.write(prompt);
  }
  const lines = createInterface({ input, output: hidden ? mutedOutput() : output, terminal: true, historySize: 0 });
  lines.on('SIGINT', interrupt);
  const ended = new Promise<undefined>((resolve) => lines.on('close', () => resolve(undefined)));
  let answer: string | undefined;
  try {
    answer = await Promise.race([lines.question(hidden ? '' : prompt, { signal }), ended]);
    return answer ?? '';
  } finally {
    lines.close();
    // After Ctrl-D and Ctrl-C the cursor still stands behind the question, and a progress line would overwrite it.
    if (hidden || answer === undefined) {
      output.write('\n');
    }
  }
}

/** A stream that shows nothing of what is typed. */
function mutedOutput(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
