import { openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import { type Question, readAnswer } from './typed-answer.ts';

/** Asks at the terminal of that path, which is open for this question only, so that nothing keeps the process alive. */
export async function askAtTerminal(terminal: string, asked: Question): Promise<string> {
  const input = new ReadStream(openSync(terminal, 'r'));
  const output = new WriteStream(openSync(terminal, 'w'));
  try {
    return await readAnswer({ input, output }, asked);
  } finally {
    input.destroy();
    output.destroy();
  }
}
