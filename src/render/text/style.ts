import { Chalk } from 'chalk';
import type { OutputStream } from '../../base/context.ts';

/** The ways to emphasize text on a terminal. */
export type Tone = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan';

/** How to color text for one output stream. `columns` is the width of its terminal, undefined without a terminal. */
export interface Style extends Readonly<Record<Tone, (text: string) => string>> {
  readonly columns: number | undefined;
  /** Set if a table is written as CSV. `header` is true only for the first block of a long table. */
  readonly csv?: { readonly header: boolean };
}

/** A style with the 16 basic colors, or without colors. The caller must have checked NO_COLOR. */
export function createStyle(color: boolean, columns?: number): Style {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  return {
    columns,
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    red: (text) => chalk.red(text),
    green: (text) => chalk.green(text),
    yellow: (text) => chalk.yellow(text),
    magenta: (text) => chalk.magenta(text),
    cyan: (text) => chalk.cyan(text),
  };
}

export function createCsvStyle(hasHeader: boolean): Style {
  return { ...createStyle(false), csv: { header: hasHeader } };
}

/** The style of an output stream: the present width of its terminal, and colors only on a terminal. */
export function styleOf(stream: OutputStream, color: boolean): Style {
  return stream.isTTY ? createStyle(color, stream.columns ?? 80) : createStyle(false);
}
