import { resolve } from 'node:path';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { hashPlainData } from '../../base/lib/hash.ts';
import { shellFile, terminalSafe } from '../../base/lib/text.ts';
import { openRejectsFile } from '../../import/rejects/given-rejects.ts';
import type { InputFile } from '../../import/source/input-copies.ts';
import { sourceLabel } from '../../import/source/source.ts';
import type { RunContext } from '../data/run-context.ts';
import type { RunOptions } from '../data/run-options.ts';
import { withAnswersOf } from './earlier-answers.ts';
import { createRunFinder, type RejectingRun } from './rejecting-run.ts';

/**
 * If an input is a rejects file, adds the answers of the run that rejected its rows to the options. Only a run of the
 * same command counts, because an answer to another command could suppress all people (C5).
 */
export async function withEarlierAnswers<T extends Pick<RunOptions, 'command' | 'reading'>>(
  options: T,
  inputs: readonly InputFile[],
  { cwd, stateFolder, emit, typedAnswers }: Pick<RunContext, 'cwd' | 'stateFolder' | 'emit' | 'typedAnswers'>,
): Promise<T> {
  // `runs verify` has the answers of the run that it verifies.
  for (const input of typedAnswers === undefined ? [] : inputs) {
    const file = await openRejectsFile(input);
    if (file) {
      const found = await createRunFinder(options.command, stateFolder)({ file, path: resolve(cwd, input.path) });
      const readings = found.map(({ reading }) => withAnswersOf(reading, options.reading));
      if (new Set(readings.map(hashPlainData)).size > 1) {
        throw ambiguousError(input, found);
      }
      const [reading] = readings;
      if (reading === undefined) {
        emit({ type: 'note', message: noteWithoutRun(input, options) });
      }
      return reading === undefined ? options : { ...options, reading };
    }
  }
  return options;
}

function labelOf({ path }: InputFile): string {
  return terminalSafe(sourceLabel({ path, entry: undefined }));
}

function noteWithoutRun(input: InputFile, { command }: Pick<RunOptions, 'command'>): string {
  return `${labelOf(input)} is a rejects file, but no run of svc ${command} has its rows in a rejects file. So the answers of no earlier run count, only those of this command.`;
}

function ambiguousError(input: InputFile, found: readonly RejectingRun[]): SvcError {
  const runs = [...new Set(found.map(({ run }) => run))].join(' and ');
  const message = `${labelOf(input)}: its rows are in rejects files of ${runs}, and these runs had different answers`;
  const files = found.map(({ path }) => shellFile(path));
  return new SvcError(EXIT.usage, 'several_runs', message, {
    hint: ['Copy the file over that of the right run, and give that one to the same command:', ...files].join('\n'),
  });
}
