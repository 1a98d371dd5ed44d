import type { Context } from '../../../base/context.ts';
import { SvcError } from '../../../base/lib/errors.ts';
import { EXIT } from '../../../base/lib/exit.ts';
import { lineWithFlags } from '../invocation.ts';
import type { Settings } from '../settings/settings.ts';

/** A command that writes to a real service, or mails people. */
export interface Confirming {
  readonly settings: Settings;
  readonly context: Context;
  /** The words after `svc`, as typed. */
  readonly line: readonly string[];
}

/**
 * Refuses a write that nobody can agree to: no --yes, and no terminal to ask at (M7). Called before anything is read, so
 * that no long survey is wasted. The embedded emulator needs no yes.
 */
export function requireYes({ settings, context, line }: Confirming): void {
  if (!settings.yes && !settings.emulator && context.prompter === undefined) {
    throw new SvcError(EXIT.usage, 'confirmation_needed', 'this needs a yes, and there is no terminal to ask at', {
      hint: `Add --yes: ${lineWithFlags('--yes', line)}`,
    });
  }
}

/** What a person agrees to. `shown`: whether the page stands on stderr already. */
interface Question {
  readonly page: string;
  readonly question: string;
  readonly shown: boolean;
}

/**
 * Asks at the controlling terminal, also where standard output or error is a pipe (M7). The page is written there unless
 * it can be read on stderr. True after y or yes, with --yes, and for an emulator that is not watched at a terminal.
 */
export async function isConfirmed(confirming: Confirming, { page, question, shown }: Question): Promise<boolean> {
  requireYes(confirming);
  const { settings, context } = confirming;
  const { prompter, stderr } = context;
  if (settings.yes || prompter === undefined || (settings.emulator && !stderr.isTTY)) {
    return true;
  }
  const seen = shown && stderr.isTTY;
  return /^\s*y(es)?\s*$/i.test(await prompter.ask(seen ? question : `${page}${question}`));
}
