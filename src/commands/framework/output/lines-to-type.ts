import type { Command, Option } from 'commander';
import { badUsage, type SvcError, withoutFlags } from '../../../base/lib/errors.ts';
import { possibleFlagsOf, shellWord, splitShellText } from '../../../base/lib/text.ts';
import { collectValues } from '../invocation.ts';
import { lineWithFlags } from './command-to-paste.ts';

/** A usage error for two or more flags that exclude each other. Its hint has the typed line without each of them. */
export function excludeEachOther(flags: readonly string[]): SvcError {
  const names = `${flags.slice(0, -1).join(', ')} and ${flags.at(-1)}`;
  const lines = flags.map((kept) => withoutFlags(flags.filter((flag) => flag !== kept)));
  return badUsage(`${names} exclude each other`, ['Give only one of them:', ...lines].join('\n'));
}

const WITHOUT = withoutFlags([]);
const WITH = 'with';

/**
 * Replaces lines of a hint by whole commands. A line of flags becomes the typed line with these flags. A line that
 * `withoutFlags` or `withoutPair` made becomes the typed line without the flags or the pair. If the user did not type
 * them but gave --mapping, they are in that file, and the line becomes a sentence about it. Without --mapping, a line
 * about an untyped pair is left out. Any other line stays, also one with a placeholder or an unknown flag.
 */
export function linesToType(
  hint: string | undefined,
  command: Command,
  { argv, program }: { readonly argv: readonly string[]; readonly program: string },
): string | undefined {
  const options = optionsOf(command);
  return hint
    ?.split('\n')
    .flatMap((text) => {
      if (text.startsWith(WITHOUT)) {
        const { flags, pair, added } = removalIn(text);
        const left = pair === undefined ? lineWithout(options, flags, argv) : lineWithoutPair(argv, flags[0], pair);
        // If nothing was removed, the flag is in the file of --mapping, and the same line would fail again.
        const isSame = left?.length === argv.length && added === '' && usesMapping(argv);
        return left === undefined || isSame ? inFile(argv, flags, added) : lineWithFlags(added, left, program);
      }
      const flags = flagsIn(text, options);
      return flags === undefined ? text : lineWithFlags(text, lineWithout(options, flags, argv), program);
    })
    .join('\n');
}

/**
 * Replaces each line that `withoutPair` made by a whole command: `argv` without the pair. Without `argv`, or if the
 * pair is in the file of --mapping, the line becomes a sentence. Other lines stay.
 */
export function linesWithoutPairs(hint: string, argv: readonly string[] | undefined, program: string): string {
  return hint
    .split('\n')
    .flatMap((text) => {
      const { flags, pair, added } = text.startsWith(WITHOUT) ? removalIn(text) : NO_REMOVAL;
      if (pair === undefined) {
        return text;
      }
      if (argv === undefined) {
        return `Type the command again ${text}`;
      }
      const left = lineWithoutPair(argv, flags[0], pair);
      return left === undefined ? inFile(argv, flags, added) : lineWithFlags(added, left, program);
    })
    .join('\n');
}

/** True if a hint has a line that `withoutFlags` or `withoutPair` made. */
export function hasRemoval(hint: string | undefined): boolean {
  return hint?.split('\n').some((text) => text.startsWith(`${WITHOUT}--`)) === true;
}

const NO_REMOVAL = { flags: [], pair: undefined, added: '' };

/** The options of a command and of the commands above it. */
export function optionsOf(command: Command): readonly Option[] {
  return command.parent ? [...command.options, ...optionsOf(command.parent)] : command.options;
}

/**
 * The flags in `text` that the typed line may have only once: switches, and flags with one value. Undefined if `text`
 * is a sentence, or has a placeholder or a flag that is not in `options`.
 */
function flagsIn(text: string, options: readonly Option[]): readonly string[] | undefined {
  if (!text.startsWith('--') || text.includes('<')) {
    return undefined;
  }
  const words = splitShellText(text);
  const replaced: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const option = options.find(({ long }) => long === words[index]);
    if (option === undefined) {
      return undefined;
    }
    if (option.required || (option.optional && words[index + 1]?.startsWith('--') === false)) {
      index += 1;
    }
    if (words[index] === undefined) {
      return undefined;
    }
    if (option.parseArg !== collectValues) {
      replaced.push(option.long ?? '');
    }
  }
  return replaced;
}

/** What a line that `withoutFlags` or `withoutPair` made means: the flags to remove, and the shell text to add. */
function removalIn(text: string) {
  const words = splitShellText(text.slice(WITHOUT.length));
  const end = words.includes(WITH) ? words.indexOf(WITH) : words.length;
  const [first = '', ...others] = words.slice(0, end);
  // A pair that looks like a flag is joined to its flag: `--status-map=--map=skip`.
  const joined = first.indexOf('=');
  const flags = joined < 0 ? [first, ...others] : [first.slice(0, joined), first.slice(joined + 1)];
  const [, second] = flags;
  const pair = joined >= 0 || (flags.length === 2 && second?.startsWith('--') === false) ? second : undefined;
  return {
    flags,
    pair,
    added: words
      .slice(end + 1)
      .map(shellWord)
      .join(' '),
  };
}

/** What to change in the file of --mapping, as a sentence. Empty if the command line has no --mapping. */
function inFile(argv: readonly string[], flags: readonly string[], added: string): readonly string[] {
  const change = added === '' ? 'without' : `${added} instead of`;
  return usesMapping(argv) ? [`${change} ${flags.map(shellWord).join(' ')}, in the file of --mapping`] : [];
}

function usesMapping(argv: readonly string[]): boolean {
  return argv.some((word) => word === '--mapping' || word.startsWith('--mapping='));
}

/** The words without one pair of a flag. Undefined if the words do not have this pair. */
function lineWithoutPair(words: readonly string[], flag = '', pair: string): readonly string[] | undefined {
  const isTyped = (index: number) => words[index] === flag && words[index + 1] === pair;
  const left = words.filter((word, index) => !(isTyped(index) || isTyped(index - 1) || word === `${flag}=${pair}`));
  return left.length === words.length ? undefined : left;
}

function lineWithout(
  options: readonly Option[],
  flags: readonly string[],
  words: readonly string[],
): readonly string[] {
  const end = possibleFlagsOf(words).length;
  const found = options.filter(({ long }) => long !== undefined && flags.includes(long));
  const named = (word: string | undefined) => found.find(({ short, long }) => word === long || word === short);
  return words.filter((word, index) => {
    const before = index > 0 ? named(words[index - 1]) : undefined;
    const isValue = before?.required || (before?.optional && !word.startsWith('-'));
    return index >= end || !(named(word) || isValue || found.some(({ long }) => word.startsWith(`${long}=`)));
  });
}
