import { Chalk } from 'chalk';
import type { OutputStream } from '../../base/context.ts';

export type Tone = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** How text is dressed for one stream. `columns` is undefined where nobody looks at a terminal. */
export interface Style extends Readonly<Record<Tone, (text: string) => string>> {
  readonly columns: number | undefined;
}

/** A style in the 16 basic colours, or without any. Whether colour is wanted (NO_COLOR and so on) is decided before. */
export function createStyle(color: boolean, columns?: number): Style {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  return {
    columns,
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    red: (text) => chalk.red(text),
    green: (text) => chalk.green(text),
    yellow: (text) => chalk.yellow(text),
    cyan: (text) => chalk.cyan(text),
  };
}

/** The style that fits a stream at this moment: its width, and colour only where it is a terminal. */
export function styleOf(stream: OutputStream, color: boolean): Style {
  return stream.isTTY ? createStyle(color, stream.columns ?? 80) : createStyle(false);
}
