import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { ReadStream, WriteStream } from 'node:tty';
import { isCancel, select } from '@clack/prompts';
import type { ChoiceList } from '../context.ts';

/**
 * Asks at the terminal with this path. Opens it only for this question, because an open terminal keeps the process
 * alive.
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

/**
 * A question whose answer the user types. The last line of `question` is the prompt. The lines above it are text to
 * read first.
 */
export interface TypedQuestion {
  readonly question: string;
  /** True if the terminal must not show the answer. */
  readonly isHidden: boolean;
  readonly signal: AbortSignal;
  /** Called on Ctrl-C, because a terminal in raw mode sends it as a key. It aborts the signal. */
  interrupt(): void;
}

interface TerminalStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Returns one typed line, which the usual keys edit (arrow keys, Ctrl-U, Ctrl-W, paste). The end of the input (Ctrl-D)
 * is an empty answer. Rejects if the signal aborts.
 */
export async function readTypedAnswer(
  { input, output }: TerminalStreams,
  { question, isHidden, signal, interrupt }: TypedQuestion,
): Promise<string> {
  const start = question.lastIndexOf('\n') + 1;
  output.write(question.slice(0, start));
  const prompt = question.slice(start);
  if (isHidden) {
    output.write(prompt);
  }
  const reader = createInterface({ input, output: isHidden ? mutedOutput() : output, terminal: true, historySize: 0 });
  reader.on('SIGINT', interrupt);
  const ended = new Promise<undefined>((resolve) => reader.on('close', () => resolve(undefined)));
  let answer: string | undefined;
  try {
    answer = await Promise.race([reader.question(isHidden ? '' : prompt, { signal }), ended]);
    return answer ?? '';
  } finally {
    reader.close();
    // After a hidden answer, Ctrl-D or Ctrl-C, the cursor is still behind the question. Without a line break here, a
    // progress line would overwrite the question.
    if (isHidden || answer === undefined) {
      output.write('\n');
    }
  }
}

/** A stream that shows nothing. So the terminal does not show what the user types. */
function mutedOutput(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** What can end a question with a list of answers early: an abort of the signal, or Ctrl-C. */
interface ChoiceInterrupt {
  readonly signal: AbortSignal;
  /** Called on Ctrl-C, which arrives as a key. It aborts the signal. */
  interrupt(): void;
}

/** Like `chooseAtStreams`, at the terminal with this path. */
export async function chooseAtTerminal(
  terminal: string,
  list: ChoiceList,
  interruptOptions: ChoiceInterrupt,
): Promise<number | undefined> {
  const input = new ReadStream(openSync(terminal, 'r'));
  const output = new WriteStream(openSync(terminal, 'w'));
  // A terminal without a size reports 0 columns, and the library would print one letter a line.
  output.columns ||= 80;
  output.rows ||= 24;
  try {
    return await chooseAtStreams({ input, output }, list, interruptOptions);
  } finally {
    input.destroy();
    output.destroy();
  }
}

/**
 * Shows a list of answers, and returns the index of the chosen one. Undefined after Escape. A key without a meaning
 * does nothing. Ctrl-C calls `interrupt`.
 */
export async function chooseAtStreams(
  { input, output }: { readonly input: Readable; readonly output: Writable },
  { textAbove = '', question: text, labels, initial }: ChoiceList,
  { signal, interrupt }: ChoiceInterrupt,
): Promise<number | undefined> {
  let isInterrupted = false;
  const onKey = (_text: unknown, key: { readonly sequence?: string }) => {
    isInterrupted ||= key.sequence === CTRL_C;
  };
  input.on('keypress', onKey);
  output.write(textAbove);
  const options = labels.map((label, value) => ({ value, label }));
  const shown = { message: text, options, initialValue: initial, input, output, signal };
  const chosen = await select<number>(shown).finally(() => input.off('keypress', onKey));
  if (isInterrupted) {
    interrupt();
  }
  return isCancel(chosen) ? undefined : chosen;
}

const CTRL_C = '\u0003';
