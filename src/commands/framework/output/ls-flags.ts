import { type Command, Option } from 'commander';
import { EXIT, SvcError } from '../../../base/lib/errors.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { commandLines } from '../../../render/text/wrap.ts';
import { LIMITS } from '../../../wire/limits.ts';
import { type Invocation, wholeNumberParser } from '../invocation.ts';
import { lineWithFlags, programName } from './command-to-paste.ts';
import { excludeEachOther } from './lines-to-type.ts';

export interface LsFlags {
  readonly limit?: number | undefined;
  readonly all?: boolean;
  readonly output?: 'csv';
}

export interface LsCommand extends Pick<Invocation<LsFlags>, 'flags' | 'context' | 'settings' | 'argv'> {
  /** True if the list may be very long. Then even --json prints only 50 entries by default. */
  readonly limitsJson?: boolean;
}

const SHOWN_BY_DEFAULT = 50;

export function withLsFlags(command: Command, { limitsJson = false }: Pick<LsCommand, 'limitsJson'> = {}): Command {
  const json = limitsJson ? '' : '; with --json: all';
  return command
    .option('--limit <n>', `list at most n (default: ${SHOWN_BY_DEFAULT}${json})`, wholeNumberParser('--limit', 1))
    .option('--all', 'list all')
    .addOption(new Option('--output <format>', 'csv: a header, then one line per entry').choices(['csv']));
}

export function checkLsFlags({ flags, settings }: Pick<LsCommand, 'flags' | 'settings'>): void {
  if (flags.all && flags.limit !== undefined) {
    throw excludeEachOther(['--all', '--limit']);
  }
  if (flags.output === 'csv' && settings.output.json) {
    throw excludeEachOther(['--json', '--output']);
  }
}

/**
 * How many entries to print: the value of --limit, or else 50. `maxItems` is undefined if all entries are printed: with
 * --all, and with --json if `limitsJson` is not set.
 */
export function printLimitOf({ flags, settings, limitsJson }: Pick<LsCommand, 'flags' | 'settings' | 'limitsJson'>) {
  if (flags.limit !== undefined || flags.all || (settings.output.json && !limitsJson)) {
    return { maxItems: flags.limit, isDefault: false };
  }
  return { maxItems: SHOWN_BY_DEFAULT, isDefault: true };
}

/**
 * The page size to ask for: the number of entries to print, but at most the maximum of the API. For the default number
 * of entries svc asks for one more, to see whether there are further entries.
 */
export function pageSizeOf(listing: Pick<LsCommand, 'flags' | 'settings' | 'limitsJson'>): number {
  const { maxItems = LIMITS.pageSizeMax, isDefault } = printLimitOf(listing);
  return Math.min(maxItems + (isDefault ? 1 : 0), LIMITS.pageSizeMax);
}

/** Says on stderr that only the first entries were listed, and which command lists all of them. */
export function noteMoreEntries({ context, settings, argv }: Omit<LsCommand, 'flags'>): void {
  if (!settings.output.quiet && !context.stdout.closed) {
    context.stderr.write(`Only the first ${SHOWN_BY_DEFAULT} are listed. For all of them:\n`);
    const command = lineWithFlags('--all', argv, programName(context));
    context.stderr.write(`${commandLines(command, context.stderr.columns, '  ').join('\n')}\n`);
  }
}

/**
 * Throws if --status is no word of the service document. With a typing error, the list would be empty without a reason.
 */
export function checkStatusWord(word: string | undefined, known: readonly string[], what: string): void {
  if (word !== undefined && !known.includes(word)) {
    throw statusError(word, known, what);
  }
}

export function statusError(word: string, known: readonly string[], what: string): SvcError {
  return new SvcError(EXIT.usage, 'unknown_status', `not a status of ${what}: ${terminalSafe(word)}`, {
    hint: `Possible values: ${known.join(', ')}. For example:\n--status ${known[0]}`,
  });
}
