import type { Context, Prompter } from '../../../base/context.ts';
import { SvcError } from '../../../base/lib/errors.ts';
import { EXIT } from '../../../base/lib/exit.ts';
import { interruptedError, interruptionOf } from '../../../base/lib/interruption.ts';
import { safe } from '../../../base/lib/text.ts';
import type { Choice, Question, Undone } from '../../../migrate/plan/questions.ts';
import { wrap } from '../../../render/text/wrap.ts';
import type { Invocation } from '../invocation.ts';
import type { Settings } from '../settings/settings.ts';
import { lineWithFlags, programName } from './command-to-paste.ts';

/** A command that writes to a real service, or sends email to people. */
export interface WriteCommand {
  readonly settings: Settings;
  readonly context: Context;
  readonly line: readonly string[];
}

/**
 * Refuses a write without a possible agreement: no --yes, and no terminal to ask at (M7). It runs before anything is
 * read, so no long survey is wasted. The embedded emulator needs no agreement.
 */
export function requireYes({ settings, context, line }: WriteCommand): void {
  if (!settings.yes && !settings.emulator && context.prompter === undefined) {
    throw new SvcError(
      EXIT.usage,
      'confirmation_needed',
      'this command needs your agreement, and there is no terminal to ask at',
      {
        hint: `Add --yes: ${lineWithFlags('--yes', line, programName(context))}`,
      },
    );
  }
}

/** What the user agrees to. `shown`: true if the page is already on stderr. */
interface AgreementPrompt {
  readonly page: string;
  readonly question: string;
  readonly shown: boolean;
  /** The whole page, for the answer `d`. */
  readonly full?: string;
}

/**
 * Asks at the controlling terminal, also if standard output or error is a pipe (M7). Writes the page there, unless
 * stderr already shows it. Returns true after y or yes, and with --yes. Without a terminal it returns true for an
 * emulator. With `full`, the answer d shows the whole page, and an unknown answer asks again. The end of the input is a
 * no.
 */
export async function isConfirmed(confirming: WriteCommand, asked: AgreementPrompt): Promise<boolean> {
  requireYes(confirming);
  const { prompter, stderr } = confirming.context;
  if (prompter === undefined || !asksForAgreement(confirming)) {
    return true;
  }
  const { page, question, shown, full } = asked;
  let before = shown && stderr.isTTY ? '' : page;
  for (;;) {
    const answer = (await prompter.ask(before + question)).trim().toLowerCase();
    if (full === undefined || /^(?:y|yes|n|no|)$/.test(answer)) {
      return answer === 'y' || answer === 'yes';
    }
    before = /^d(?:etails)?$/.test(answer) ? full : '';
  }
}

/** True if the user is asked before anything is written. */
export function asksForAgreement({ settings, context: { prompter, stderr } }: WriteCommand): boolean {
  return !settings.yes && prompter !== undefined && (!settings.emulator || stderr.isTTY);
}

interface DeletionPrompt {
  /** What the user must type: `its exact name`, `its id`. */
  readonly word: string;
  readonly expected: string;
  /** What else is deleted, one line each. */
  readonly losses: readonly string[];
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

/** The prompter, if more may be asked than the agreement: not with --yes, --json or -q. */
export function questionPrompter({ prompter }: Context, { yes, output }: Settings): Prompter | undefined {
  return yes || output.json || output.quiet ? undefined : prompter;
}

interface QuestionOptions {
  readonly prompter: Prompter;
  readonly signal: AbortSignal;
  readonly undone: Undone;
  readonly page?: string;
  /** The width of the terminal, if known. */
  readonly columns?: number | undefined;
}

// Columns of the bar before each line of a question. The prompt counts its color codes too.
const BAR = 13;
// Columns of the mark before each answer.
const MARK = 2;

/** Asks one question. Throws if the user leaves or chooses to stop. */
export async function askQuestion(
  { text, choices }: Question,
  { prompter, signal, undone, page = '', columns = 80 }: QuestionOptions,
): Promise<Choice & { readonly flags: readonly string[] }> {
  const initial = Math.max(
    0,
    choices.findIndex(({ likely }) => likely),
  );
  const index = await prompter.choose({
    page,
    text: wrap(safe(text), columns - BAR).join('\n'),
    labels: choices.map((choice) => labelText(withoutEffect(choice, undone), columns - BAR - MARK)),
    initial,
  });
  const interrupted = interruptionOf(signal);
  if (interrupted) {
    throw interruptedError(interrupted, `nothing was ${undone}`);
  }
  const chosen = index === undefined ? undefined : choices[index];
  if (chosen?.flags === undefined) {
    const why = chosen ? 'you chose to stop' : 'you left the questions';
    throw new SvcError(EXIT.refused, 'declined', `nothing was ${undone}: ${why}`);
  }
  return { ...chosen, flags: chosen.flags };
}

/** Adds to the choice to stop what is not done then, for example `nothing is sent`. */
function withoutEffect(choice: Choice, undone: Undone): Choice {
  return choice.flags === undefined ? { ...choice, label: `${choice.label}: nothing is ${undone}` } : choice;
}

function labelText({ label, detail }: Choice, room: number): string {
  const text = safe(detail === undefined ? label : `${label}  (${detail})`);
  return wrap(text, room, { first: '', rest: '    ' }).join('\n');
}
