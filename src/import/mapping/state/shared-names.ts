import { basename } from 'node:path';
import { EXIT, SvcError } from '../../../base/lib/errors.ts';
import { shellWord } from '../../../base/lib/text.ts';
import { createInputNamer, type NamedInput, namesOfInput } from '../../source/source.ts';
import type { ReadingOptions } from '../reading-answers.ts';
import { answeredName, hasDoubtfulName, readDefaultStatus, stateByName } from './default-status.ts';

/**
 * Makes the function that gives the options for one input. One name in `--default-status` can mean several inputs: the
 * name of an archive means all its lists. If its answer is `subscribed`, it counts like an answer for all inputs: it
 * subscribes no people of an opt-out list (C4).
 */
export function createOptionsForInput(
  sources: readonly NamedInput[],
  options: ReadingOptions,
): (source: NamedInput) => ReadingOptions {
  const shared = sharedNames(sources, options);
  const own = Object.entries(options.defaultStatus).filter(([name]) => !shared.has(name));
  const general: ReadingOptions = { ...options, defaultStatus: { ...Object.fromEntries(own), '*': 'subscribed' } };
  return (source) => (shared.has(answeredName(source, options) ?? '') ? general : options);
}

/**
 * Throws SvcError (exit 2) if `--default-status` answers `subscribed` for a file name that several inputs have, and one
 * of them may be an opt-out list: `contacts.csv` for `contacts.csv` and `unsubscribed/contacts.csv` (C4).
 */
export function refuseSharedNames(sources: readonly NamedInput[], options: ReadingOptions): void {
  const pathOf = createInputNamer(sources);
  for (const name of sharedNames(sources, options)) {
    const inputs = sources.filter((source) => answeredName(source, options) === name);
    const optOuts = inputs.filter((input) => !isNameOfArchive(name, input) && mayBeNamedOptedOut(input));
    if (optOuts.length > 0) {
      throw new SvcError(
        EXIT.usage,
        'ambiguous_input',
        `--default-status: ${JSON.stringify(name)} is the name of ${inputs.length} inputs, and ${optOuts.map(pathOf).join(', ')} may be an opt-out list`,
        { hint: optOuts.map((input) => flagFor(input, pathOf(input))).join(' ') },
      );
    }
  }
}

// The names that several inputs share, and that `--default-status` answers with `subscribed`.
function sharedNames(sources: readonly NamedInput[], { defaultStatus }: ReadingOptions): ReadonlySet<string> {
  const names = Object.keys(defaultStatus).filter(
    (name) => name !== '*' && readDefaultStatus(name, defaultStatus[name] ?? '').state === 'subscribed',
  );
  return new Set(names.filter((name) => sources.filter((source) => namesOfInput(source).includes(name)).length > 1));
}

function isNameOfArchive(name: string, { path, entry }: NamedInput): boolean {
  return entry !== undefined && [path, basename(path)].includes(name);
}

/** True if the name or folder of an input says, or may say, that its people left. */
export function mayBeNamedOptedOut(input: NamedInput): boolean {
  return stateByName(input) !== undefined || hasDoubtfulName(input);
}

/** An archive entry as an input with a name of its own, without its folders and its archive. */
export function ownNameOf(entry: string): NamedInput {
  const name = basename(entry);
  return { path: name, name, entry: undefined };
}

// The flag that the hint offers for an input. It never suppresses people, because only the user knows whether these
// people must get no mail from any list (C11).
function flagFor(input: NamedInput, path: string): string {
  const state = stateByName(input);
  const isOptOut = state === undefined || state === 'unsubscribed' || state === 'suppressed';
  return `--default-status ${shellWord(`${path}=${isOptOut ? 'unsubscribed' : 'skip'}`)}`;
}
