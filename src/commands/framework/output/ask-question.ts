import type { Context, Prompter } from '../../../base/context.ts';
import { SvcError } from '../../../base/lib/errors.ts';
import { EXIT, interruptionOf } from '../../../base/lib/exit.ts';
import { safe } from '../../../base/lib/text.ts';
import type { Choice, Question } from '../../../migrate/plan/questions.ts';
import { wrap } from '../../../render/text/wrap.ts';
import type { Settings } from '../settings/settings.ts';

/** The prompter, if questions beside the agreement may be asked: not with --yes, --json or -q. */
export function questionPrompter({ prompter }: Context, { yes, output }: Settings): Prompter | undefined {
  return yes || output.json || output.quiet ? undefined : prompter;
}

interface QuestionOptions {
  readonly prompter: Prompter;
  readonly signal: AbortSignal;
  readonly page?: string;
  /** The width of the terminal, if known. */
  readonly columns?: number | undefined;
}

// The bar before each line of a question, with its color codes: the prompt counts them as columns.
const BAR = 13;
// The mark before each answer.
const MARK = 2;

/** Asks one question. Throws if the user leaves or chooses to stop: then nothing is sent. */
export async function askQuestion(
  { text, choices }: Question,
  { prompter, signal, page = '', columns = 80 }: QuestionOptions,
): Promise<Choice & { readonly flags: readonly string[] }> {
  const initial = Math.max(
    0,
    choices.findIndex(({ likely }) => likely),
  );
  const index = await prompter.choose({
    page,
    text: wrap(safe(text), columns - BAR).join('\n'),
    labels: choices.map((choice) => labelText(choice, columns - BAR - MARK)),
    initial,
  });
  const interrupted = interruptionOf(signal);
  if (interrupted) {
    throw new SvcError(interrupted.exit, 'interrupted', `stopped by ${interrupted.signal}: nothing was sent`);
  }
  const chosen = index === undefined ? undefined : choices[index];
  if (chosen?.flags === undefined) {
    const why = chosen ? 'you chose to stop' : 'you left the questions';
    throw new SvcError(EXIT.refused, 'declined', `nothing was sent: ${why}`);
  }
  return { ...chosen, flags: chosen.flags };
}

function labelText({ label, detail }: Choice, room: number): string {
  const text = safe(detail === undefined ? label : `${label}  (${detail})`);
  return wrap(text, room, { first: '', rest: '    ' }).join('\n');
}
