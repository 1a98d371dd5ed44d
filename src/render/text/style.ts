import { Chalk } from 'chalk';
import type { Context, OutputStream } from '../../base/context.ts';

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

/** The style of an output stream with the present width of its terminal. `color` is the result of `mayColor`. */
export function styleOf(stream: OutputStream, color: boolean): Style {
  return createStyle(color, stream.isTTY ? (stream.columns ?? 80) : undefined);
}

/** What decides about colors. `isOff` is true with --no-color. */
interface ColorChoice {
  readonly isOff: boolean;
  readonly env: Context['env'];
  readonly isTTY: boolean;
}

/**
 * True if colors may be written. The first of these decides: --no-color, NO_COLOR (https://no-color.org), FORCE_COLOR,
 * the terminal. With TERM=dumb the terminal would show color codes as text.
 */
export function mayColor({ isOff, env, isTTY }: ColorChoice): boolean {
  if (isOff || env.NO_COLOR) {
    return false;
  }
  const forced = env.FORCE_COLOR;
  return forced ? !['0', 'false'].includes(forced) : isTTY && env.TERM !== 'dumb';
}
