import { openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { ReadStream, WriteStream } from 'node:tty';
import { isCancel, select } from '@clack/prompts';
import type { ChoiceList } from '../context.ts';

/** How the user can leave a list of answers. */
interface ChoiceInterrupt {
  readonly signal: AbortSignal;
  /** Called on Ctrl-C, which arrives as a key. It aborts the signal. */
  interrupt(): void;
}

/** Opens the terminal of that path and shows a list of answers. See chooseAtStreams. */
export async function chooseAtTerminal(
  terminal: string,
  list: ChoiceList,
  interruptOptions: ChoiceInterrupt,
): Promise<number | undefined> {
  const input = new ReadStream(openSync(terminal, 'r'));
  const output = new WriteStream(openSync(terminal, 'w'));
  try {
    return await chooseAtStreams({ input, output }, list, interruptOptions);
  } finally {
    input.destroy();
    output.destroy();
  }
}

/**
 * Shows a list of answers and returns the index of the chosen one, or undefined after Escape. A key without a meaning
 * changes nothing. Ctrl-C calls `interrupt`.
 */
export async function chooseAtStreams(
  { input, output }: { readonly input: Readable; readonly output: Writable },
  { page = '', text, labels, initial }: ChoiceList,
  { signal, interrupt }: ChoiceInterrupt,
): Promise<number | undefined> {
  let interrupted = false;
  const onKey = (_text: unknown, key: { readonly sequence?: string }) => {
    interrupted ||= key.sequence === CTRL_C;
  };
  input.on('keypress', onKey);
  output.write(page);
  const options = labels.map((label, value) => ({ value, label }));
  const shown = { message: text, options, initialValue: initial, input, output, signal };
  const chosen = await select<number>(shown).finally(() => input.off('keypress', onKey));
  if (interrupted) {
    interrupt();
  }
  return isCancel(chosen) ? undefined : chosen;
}

const CTRL_C = '\u0003';
