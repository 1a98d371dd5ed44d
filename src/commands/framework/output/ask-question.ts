import type { Context, Prompter } from '../../../base/context.ts';
import { SvcError } from '../../../base/lib/errors.ts';
import { EXIT, interruptionOf } from '../../../base/lib/exit.ts';
import { safe } from '../../../base/lib/text.ts';
import type { Choice, Question } from '../../../migrate/plan/questions.ts';
import type { Settings } from '../settings/settings.ts';

/** The prompter, if questions beside the agreement may be asked: not with --yes, --json or -q. */
export function questionPrompter({ prompter }: Context, { yes, output }: Settings): Prompter | undefined {
  return yes || output.json || output.quiet ? undefined : prompter;
}

interface Asking {
  readonly prompter: Prompter;
  readonly signal: AbortSignal;
  /** Text to read before the question. */
  readonly page?: string;
}

/** Asks one question. Throws if the user leaves or chooses to stop: then nothing is sent. */
export async function askQuestion(
  { text, choices }: Question,
  { prompter, signal, page = '' }: Asking,
): Promise<Choice & { readonly flags: readonly string[] }> {
  const initial = Math.max(
    0,
    choices.findIndex(({ likely }) => likely),
  );
  const index = await prompter.choose({ page, text: safe(text), labels: choices.map(labelText), initial });
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

function labelText({ label, detail }: Choice): string {
  return safe(detail === undefined ? label : `${label}  (${detail})`);
}
