import type { Finding } from '../../base/finding.ts';
import { SvcError } from '../../base/lib/errors.ts';
import type { Question } from '../data/questioner.ts';
import type { OpenRun } from '../data/run-context.ts';
import type { RunOptions } from '../data/run-options.ts';
import { questionForError, questionsOf } from './questions.ts';

interface CheckedDraft {
  readonly findings: readonly Finding[];
}

interface ResolvedRun<Run, Draft> {
  readonly run: Run;
  readonly drafted: Draft;
}

// The maximum number of rounds of questions. Most lists need two or three: first about columns, then about their words.
const MAX_ROUNDS = 8;

/**
 * Makes the draft of a run. If it has stops, asks the user about them and makes the draft again with the answers. Also
 * asks if the list can't be read without a flag such as --encoding. Records the answers in the run. Without a terminal,
 * or if a stop has no question, returns the draft with its stops, and the caller refuses it (C4).
 */
export async function resolveStops<Run extends OpenRun<RunOptions>, Draft extends CheckedDraft>(
  run: Run,
  makeDraft: (run: Run) => Promise<Draft>,
): Promise<ResolvedRun<Run, Draft>> {
  // A resumed run asks nothing: an answer would change its options, and so its requests.
  const questioner = run.resumed ? undefined : run.questioner;
  const attempt = async (changed: Run): Promise<ResolvedRun<Run, Draft> | SvcError> => {
    try {
      return { run: changed, drafted: await makeDraft(changed) };
    } catch (error) {
      if (questioner && error instanceof SvcError) {
        return error;
      }
      throw error;
    }
  };
  let resolved = await attempt(run);
  for (let round = 1; round <= MAX_ROUNDS && questioner; round++) {
    const questions = questionsAbout(resolved);
    if (questions.length === 0) {
      break;
    }
    await questioner.ask(questions);
    const answered = questioner.options();
    const reading = answered.reading ? run.addEarlierAnswers(answered.reading) : run.options.reading;
    resolved = await attempt({ ...run, options: { ...run.options, ...answered, reading } });
  }
  if (resolved instanceof SvcError) {
    throw resolved;
  }
  if (!hasStop(resolved.drafted)) {
    await questioner?.finish();
  }
  if (resolved.run !== run) {
    run.journal.amendHeader({ options: { ...resolved.run.options }, typed: run.typedCommand() });
  }
  return resolved;
}

function questionsAbout(resolved: { readonly drafted: CheckedDraft } | SvcError): readonly Question[] {
  if (resolved instanceof SvcError) {
    return [questionForError(resolved) ?? []].flat();
  }
  return questionsOf(resolved.drafted.findings.filter(({ level }) => level === 'stop')) ?? [];
}

function hasStop({ findings }: CheckedDraft): boolean {
  return findings.some(({ level }) => level === 'stop');
}
