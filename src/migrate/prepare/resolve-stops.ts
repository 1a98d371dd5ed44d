import type { Finding } from '../../import/survey/survey-types.ts';
import type { AnsweredOptions, Questioner } from '../context.ts';
import { questionsOf } from '../plan/questions.ts';

interface Drafting<Options, Draft> {
  readonly options: Options;
  readonly questioner: Questioner | undefined;
  draft(options: Options): Promise<Draft>;
}

interface Resolved<Options, Draft> {
  readonly options: Options;
  readonly drafted: Draft;
}

// A list raises its questions in two or three rounds at most: its columns first, then the words in them.
const MOST_ROUNDS = 8;

/**
 * Makes the draft of a run. While checks stop it, asks about them and makes it again with the answers. Without a
 * terminal, or if a stop has no answer, the draft keeps its stops, and the run is refused (C4).
 */
export async function resolveStops<
  Options extends Partial<AnsweredOptions>,
  Draft extends { readonly findings: readonly Finding[] },
>({ options, questioner, draft }: Drafting<Options, Draft>): Promise<Resolved<Options, Draft>> {
  let resolved = { options, drafted: await draft(options) };
  for (let round = 1; round <= MOST_ROUNDS && questioner; round++) {
    const questions = questionsOf(resolved.drafted.findings.filter(({ level }) => level === 'stop'));
    if (!questions?.length) {
      break;
    }
    await questioner.ask(questions);
    const answered = { ...options, ...questioner.options() };
    resolved = { options: answered, drafted: await draft(answered) };
  }
  if (!resolved.drafted.findings.some(({ level }) => level === 'stop')) {
    await questioner?.finish();
  }
  return resolved;
}
