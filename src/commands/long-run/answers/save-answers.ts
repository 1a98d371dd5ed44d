import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context, Prompter } from '../../../base/context.ts';
import { safe, shellWord } from '../../../base/lib/text.ts';
import type { ImportFlags } from '../import-flags.ts';
import { checkRunFiles, keepMapping } from '../run-files.ts';

interface SaveOffer {
  readonly context: Context;
  readonly prompter: Prompter;
  readonly inputs: readonly string[];
  /** The flags of the command with the answers. */
  readonly flags: Partial<ImportFlags>;
  /** The words of the answers. */
  readonly words: readonly string[];
}

/** Offers to save the answers beside the input, for --mapping. Escape means no. */
export async function offerToSave({ context, prompter, inputs, flags, words }: SaveOffer): Promise<void> {
  const name = mappingName(inputs);
  if (name === undefined || flags.saveMapping !== undefined) {
    return;
  }
  const saving = { ...flags, saveMapping: name };
  try {
    checkRunFiles(context, { ...saving, inputs });
  } catch {
    // Without a place for the file there is nothing to offer.
    return;
  }
  const exists = existsSync(resolve(context.cwd, name));
  const labels = [exists ? `yes, replace ${name}` : `yes: ${name}`, 'no'].map(safe);
  const text = 'Save these answers for next time (--mapping)?';
  const chosen = await prompter.choose({ text, labels, initial: exists ? 1 : 0 });
  if (chosen === 0) {
    keepMapping(context, saving);
    // The plan belongs to the account, not to the list.
    const at = words.indexOf('--plan');
    const beside = at < 0 ? [] : words.slice(at, at + 2);
    const line = ['--mapping', name, ...beside].map(shellWord).join(' ');
    context.stderr.write(`Saved. Next time, in place of the answers:\n  ${line}\n\n`);
  }
}

/** `bad.csv` gives `bad.mapping.json`. Standard input has no name. */
function mappingName([input]: readonly string[]): string | undefined {
  return input === undefined || input === '-' || /^\/dev\/(?!shm\/)/.test(input)
    ? undefined
    : `${input.replace(/(?<=[^/.])(\.(csv|tsv|txt|zip))?(\.gz)?$/i, '')}.mapping.json`;
}
