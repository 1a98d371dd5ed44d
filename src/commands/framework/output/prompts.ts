import type { Context, Prompter } from '../../../base/context.ts';
import { EXIT, SvcError } from '../../../base/lib/errors.ts';
import { interruptedError, interruptionOf } from '../../../base/lib/interruption.ts';
import { terminalSafe } from '../../../base/lib/text.ts';
import { commandLines, wrapText } from '../../../render/text/wrap.ts';
import type { Choice, Question } from '../../../run-lifecycle/data/questioner.ts';
import type { UndoneAction } from '../../../run-lifecycle/stops/questions.ts';
import type { Invocation } from '../invocation.ts';
import type { Settings } from '../settings/settings.ts';
import { lineWithFlags, programName, withPasteableLastCommand } from './command-to-paste.ts';

/** A command that needs the user's agreement: it writes to the service, or mails people. */
export type WriteCommand = Pick<Invocation<unknown>, 'settings' | 'context' | 'argv'>;

/**
 * Throws if the user can't agree: without --yes and without a terminal to ask at (M7). Called before the list is read,
 * so that no long survey is wasted. With --emulator no agreement is needed.
 */
export function requireYes(command: WriteCommand): void {
  if (lacksAgreement(command)) {
    const { context, argv } = command;
    throw new SvcError(
      EXIT.usage,
      'confirmation_needed',
      'this command needs your agreement, and there is no terminal to ask at',
      {
        hint: `Add --yes: ${lineWithFlags('--yes', argv, programName(context))}`,
      },
    );
  }
}

/** True if --yes is missing and there is no terminal to ask at. With --emulator no agreement is needed. */
export function lacksAgreement({ settings, context }: WriteCommand): boolean {
  return !settings.yes && !settings.emulator && context.prompter === undefined;
}

/** What the user agrees to. `page` describes it. `isPageShown` is true if stderr already shows the page. */
interface AgreementPrompt {
  readonly page: string;
  readonly question: string;
  readonly isPageShown: boolean;
  /** A page with all details, which the answer `d` shows. */
  readonly full?: string;
}

/**
 * Asks for agreement at the controlling terminal, even if stdout or stderr is a pipe (M7). True after y or yes. Asks
 * nothing, and returns true, with --yes or in a script with --emulator. Writes the page first, unless stderr shows it.
 * If `full` is given, an unknown answer makes svc name the answers and ask again. The end of the input means no.
 */
export async function isConfirmed(confirming: WriteCommand, asked: AgreementPrompt): Promise<boolean> {
  requireYes(confirming);
  const { prompter, stderr } = confirming.context;
  if (prompter === undefined || !asksForAgreement(confirming)) {
    return true;
  }
  const { page, question, isPageShown, full } = asked;
  let before = isPageShown && stderr.isTTY ? '' : page;
  for (;;) {
    const answer = (await prompter.ask(before + question)).trim().toLowerCase();
    if (full === undefined || /^(?:y|yes|n|no|)$/.test(answer)) {
      return answer === 'y' || answer === 'yes';
    }
    before = /^d(?:etails)?$/.test(answer) ? full : 'Type y, n or d.\n';
  }
}

export function asksForAgreement({ settings, context: { prompter, stderr } }: WriteCommand): boolean {
  return !settings.yes && prompter !== undefined && (!settings.emulator || stderr.isTTY);
}

/** What to ask before an object is deleted. */
interface DeletionPrompt {
  /** How messages name the text that the user must type: `its exact name` or `its id`. */
  readonly word: string;
  /** The text that the user must type. */
  readonly expected: string;
  readonly losses: readonly string[];
  readonly command: string;
}

/** Throws unless the user types the expected text, with --confirm or at the terminal. `--yes` is not enough. */
export async function confirmName(
  invocation: Invocation<{ readonly confirm?: string }>,
  prompt: DeletionPrompt,
): Promise<void> {
  const { context, flags } = invocation;
  const { word, expected, losses, command } = prompt;
  const confirmed = flags.confirm ?? (await ask(invocation, prompt));
  if (confirmed === expected) {
    return;
  }
  const message = confirmed === undefined ? `deleting needs ${word}` : `that is not ${word}; nothing was deleted`;
  throw new SvcError(EXIT.usage, 'not_confirmed', message, {
    hint:
      context.prompter && flags.confirm === undefined
        ? `To delete it without a question:\n${command}`
        : [...losses.map(terminalSafe), command].join('\n'),
  });
}

async function ask(
  { context, settings, argv }: Invocation<unknown>,
  { losses, word }: DeletionPrompt,
): Promise<string | undefined> {
  if (!context.prompter || settings.output.json) {
    return undefined;
  }
  const lines = losses
    .flatMap((line) => lossLines(withPasteableLastCommand(terminalSafe(line), argv, context), context.stderr.columns))
    .map((line) => `${line}\n`);
  return context.prompter.ask(`${lines.join('')}To delete it, type ${word}: `);
}

// A command at the end of a line is not wrapped like a text, so that it can be pasted.
function lossLines(line: string, columns: number | undefined): readonly string[] {
  const [, text, command] = /^(.*:) ((?:npx )?svc .*)$/.exec(line) ?? [];
  return text === undefined || command === undefined || columns === undefined || line.length <= columns
    ? wrapText(line, columns)
    : [...wrapText(text, columns), ...commandLines(command, columns, '  ')];
}

/** The prompter for questions about the list. Undefined without a terminal, and with --yes, --json or -q. */
export function questionPrompter({ prompter }: Context, { yes, output }: Settings): Prompter | undefined {
  return yes || output.json || output.quiet ? undefined : prompter;
}

interface QuestionOptions {
  readonly prompter: Prompter;
  readonly context: Pick<Context, 'signal' | 'stderr'>;
  readonly undone: UndoneAction;
  readonly textAbove?: string;
}

// The width of the bar before each line, in columns. The prompt library also counts its color codes as columns.
const BAR = 13;
// The width of the mark before each answer, in columns.
const MARK = 2;

/**
 * Asks one question, and returns the chosen answer. Throws `declined` if the user presses Escape or chooses to stop.
 */
export async function askQuestion(
  { text, choices }: Question,
  { prompter, context: { signal, stderr }, undone, textAbove = '' }: QuestionOptions,
): Promise<Choice & { readonly flags: readonly string[] }> {
  const room = (stderr.columns ?? 80) - BAR;
  const initial = Math.max(
    0,
    choices.findIndex(({ isLikely }) => isLikely),
  );
  const index = await prompter.choose({
    textAbove,
    question: wrapText(terminalSafe(text), room).join('\n'),
    labels: choices.map((choice) => labelText(choice, undone, room - MARK)),
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

/** The label of an answer. The label of "stop here" also says what the command does not do then. */
function labelText({ label, detail, flags }: Choice, undone: UndoneAction, room: number): string {
  const whole = flags === undefined ? `${label}: nothing is ${undone}` : label;
  return wrapText(terminalSafe(detail === undefined ? whole : `${whole}  (${detail})`), room, {
    first: '',
    rest: '    ',
  }).join('\n');
}
