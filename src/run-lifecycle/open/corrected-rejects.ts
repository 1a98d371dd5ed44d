import { resolve } from 'node:path';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { hashPlainData } from '../../base/lib/hash.ts';
import { shellFile, terminalSafe } from '../../base/lib/text.ts';
import type { ReadingOptions } from '../../import/mapping/reading-answers.ts';
import { openRejectsFile } from '../../import/rejects/given-rejects.ts';
import type { InputFile } from '../../import/source/input-copies.ts';
import { sourceLabel } from '../../import/source/source.ts';
import type { OpenRun, RunContext } from '../data/run-context.ts';
import type { RunOptions } from '../data/run-options.ts';
import { withAnswersOf } from './earlier-answers.ts';
import { createRunFinder, type RejectingRun } from './rejecting-run.ts';

type AnsweredOptions = Pick<RunOptions, 'command' | 'reading'>;
type CommandContext = Pick<RunContext, 'cwd' | 'stateFolder' | 'emit' | 'typedAnswers' | 'commandForInputs'>;

interface EarlierAnswers extends Pick<OpenRun, 'addEarlierAnswers' | 'noteOtherRejects'> {
  /** The ids of the runs that rejected the rows of inputs. */
  readonly rejectingRuns: readonly string[];
}

/**
 * If inputs are rejects files, the answers of the run that rejected their rows. Only a run of the same command counts,
 * because an answer to another command could suppress all people (C5). Throws SvcError `different_answers` if other
 * inputs are not to be read with these answers.
 */
export async function findEarlierAnswers(
  options: AnsweredOptions,
  inputs: readonly InputFile[],
  context: CommandContext,
): Promise<EarlierAnswers> {
  // `runs verify` has the answers of the run that it verifies.
  const given = context.typedAnswers === undefined ? [] : await readInputs(inputs, options, context);
  // A list of the same run is read with the answers of that run too, if all of them count for the rejects file.
  const readingOf = ({ isRejects, path, reading }: GivenInput) => {
    const place = resolve(context.cwd, path);
    const isOfRun = ({ rejectedBy }: GivenInput) =>
      rejectedBy?.inputs.includes(place) === true && rejectedBy.droppedFlags.length === 0;
    return (isRejects ? undefined : given.find(isOfRun))?.reading ?? reading;
  };
  const groups = Map.groupBy(given, (input) => hashPlainData(readingOf(input)));
  if (groups.size > 1) {
    throw differentAnswersError([...groups.values()], context);
  }
  const earlier = given.find(({ rejectedBy }) => rejectedBy !== undefined)?.rejectedBy?.earlier;
  return {
    noteOtherRejects: createNoter(given, context),
    addEarlierAnswers: (reading) => (earlier ? withAnswersOf(earlier, reading) : reading),
    rejectingRuns: [...new Set(given.flatMap(({ rejectingRuns }) => rejectingRuns))],
  };
}

/** An input, and the answers with which svc reads it. */
interface GivenInput {
  readonly path: string;
  readonly isRejects: boolean;
  readonly reading: ReadingOptions;
  /** The run that rejected the rows of the input. */
  readonly rejectedBy: RejectingRun | undefined;
  /** The ids of all runs that rejected these rows. Their answers are the same. */
  readonly rejectingRuns: readonly string[];
}

async function readInputs(
  inputs: readonly InputFile[],
  { command, reading }: AnsweredOptions,
  { cwd, stateFolder, emit }: CommandContext,
): Promise<readonly GivenInput[]> {
  const given: GivenInput[] = [];
  let findRuns: ReturnType<typeof createRunFinder> | undefined;
  for (const input of inputs) {
    const { path } = input;
    const file = await openRejectsFile(input);
    findRuns ??= file && createRunFinder({ command, reading }, stateFolder);
    const found = file && findRuns ? await findRuns({ file, path: resolve(cwd, path) }) : [];
    if (new Set(found.map((run) => hashPlainData(run.reading))).size > 1) {
      throw severalRunsError(path, found);
    }
    const [run] = found;
    const note = run ? noteOfForm(path, run) : file && noteWithoutRun(path, command);
    if (note !== undefined) {
      emit({ type: 'note', message: note });
    }
    const rejectingRuns = found.map((one) => one.run);
    given.push({
      path,
      isRejects: file !== undefined,
      reading: run?.reading ?? reading,
      rejectedBy: run,
      rejectingRuns,
    });
  }
  return given;
}

function labelOf(path: string): string {
  return terminalSafe(sourceLabel({ path, entry: undefined }));
}

// svc finds no run for a rejects file inside an archive, or below a line of text. Only the survey shows that it is one.
function createNoter(
  given: readonly GivenInput[],
  { typedAnswers, emit }: CommandContext,
): OpenRun['noteOtherRejects'] {
  const known = new Set(given.filter(({ isRejects }) => isRejects).map(({ path }) => labelOf(path)));
  return (tables) => {
    for (const { source, svcColumns } of typedAnswers === undefined ? [] : tables) {
      const label = terminalSafe(sourceLabel(source));
      if (svcColumns > 0 && !known.has(label)) {
        known.add(label);
        const message = `${label} is a rejects file, but in an archive or below other lines, where svc finds no run for it. ${NO_ANSWERS}`;
        emit({ type: 'note', message });
      }
    }
  };
}

function noteWithoutRun(path: string, command: string): string {
  return `${labelOf(path)} is a rejects file, but no run of svc ${command} has its rows in a rejects file. ${NO_ANSWERS}`;
}

const NO_ANSWERS = 'So the answers of no earlier run count, only those of this command.';

function noteOfForm(path: string, { run, droppedFlags }: RejectingRun): string | undefined {
  const flags = droppedFlags.join(' and ');
  return flags === ''
    ? undefined
    : `${labelOf(path)} was saved in another form than ${run} wrote it. So ${flags} of that run ${droppedFlags.length === 1 ? 'does' : 'do'} not count for it.`;
}

function severalRunsError(path: string, found: readonly RejectingRun[]): SvcError {
  const runs = [...new Set(found.map(({ run }) => run))].join(' and ');
  const message = `${labelOf(path)}: its rows are in rejects files of ${runs}, and these runs had different answers`;
  const files = found.map((one) => shellFile(one.path));
  return new SvcError(EXIT.usage, 'several_runs', message, {
    hint: ['Copy the file over that of the right run, and give that one to the same command:', ...files].join('\n'),
  });
}

function differentAnswersError(
  groups: readonly (readonly GivenInput[])[],
  { commandForInputs }: CommandContext,
): SvcError {
  const files = groups.flat().map(({ path, rejectedBy }) => labelOf(path) + (rejectedBy ? ` (${rejectedBy.run})` : ''));
  const message = `a rejects file is read with the answers of the run that rejected its rows, but these files need different answers: ${files.join(', ')}`;
  const given = groups.flat();
  const runs = [...new Set(given.flatMap(({ rejectedBy }) => rejectedBy?.run ?? []))];
  // Another list may opt people of a rejects file out. So svc prints no command without that list (C9).
  const hint = given.some(({ isRejects }) => !isRejects)
    ? [
        'An opt-out in one of these files must hold for the people of the others. So give the same command with answers that fit all files.',
        ...runs.map((run) => `How ${run} read its list: svc runs show ${run}`),
      ]
    : [
        'Give them one by one. An opt-out in one of them then does not hold for the people of the others:',
        ...groups.map((group) => commandForInputs?.(group.map(({ path }) => path)) ?? ''),
      ];
  return new SvcError(EXIT.usage, 'different_answers', message, { hint: hint.join('\n') });
}
