import { SvcError } from '../../../base/lib/errors.ts';
import { EXIT } from '../../../base/lib/exit.ts';
import { safe } from '../../../base/lib/text.ts';
import { wrap } from '../../../render/text/wrap.ts';
import type { Invocation } from '../invocation.ts';

/** The deletion prompt: what will be deleted, and the text that confirms it. */
interface DeletionPrompt {
  /** What the user must type: `its exact name`, `its id`. */
  readonly word: string;
  readonly expected: string;
  /** What else is deleted, one line each. */
  readonly losses: readonly string[];
  /** The command that deletes without a question. */
  readonly command: string;
}

/** Throws unless the user gives the expected text, with --confirm or at the terminal. `--yes` is not enough. */
export async function confirmName(
  invocation: Invocation<{ readonly confirm?: string }>,
  prompt: DeletionPrompt,
): Promise<void> {
  const { context, flags } = invocation;
  const { word, expected, losses, command } = prompt;
  const given = flags.confirm ?? (await ask(invocation, prompt));
  if (given === expected) {
    return;
  }
  const message = given === undefined ? `deleting needs ${word}` : `that is not ${word}; nothing was deleted`;
  throw new SvcError(EXIT.usage, 'not_confirmed', message, {
    hint:
      context.prompter && flags.confirm === undefined ? `Or: ${command}` : [...losses.map(safe), command].join('\n'),
  });
}

async function ask(
  { context, settings }: Invocation<unknown>,
  { losses, word }: DeletionPrompt,
): Promise<string | undefined> {
  if (!context.prompter || settings.output.json) {
    return undefined;
  }
  const lines = losses.flatMap((line) => wrap(safe(line), context.stderr.columns)).map((line) => `${line}\n`);
  return context.prompter.ask(`${lines.join('')}To delete it, type ${word}: `);
}
