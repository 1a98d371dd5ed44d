import { resolve } from 'node:path';
import { rewordError, SvcError } from '../../base/lib/errors.ts';
import { flagWords, splitShellText } from '../../base/lib/text.ts';
import { describeChanges } from '../../import/source/input-changes.ts';
import { withOtherPath } from '../../import/source/source.ts';
import type { CommandWithFlags } from '../../run-lifecycle/data/questioner.ts';
import type { RecordedCommand } from '../../runs/find/overtaken.ts';
import type { RunHeader, TypedCommand } from '../../runs/store/run-header.ts';
import type { Invocation } from '../framework/invocation.ts';
import { programName, typedAccountFlags } from '../framework/output/command-to-paste.ts';
import { linesWithoutPairs } from '../framework/output/lines-to-type.ts';
import { retypeLine } from './retype-line.ts';

/** A recorded command line, and the command that reads it, such as `runs resume`. */
interface ResumedLine extends Pick<Invocation<unknown>, 'argv' | 'context'> {
  readonly recorded: TypedCommand | undefined;
  readonly options: { readonly inputs: readonly string[] };
}

/**
 * The recorded command line of a resumed run with further flags, and with the account and the state folder of the
 * resume. Undefined if the run recorded none.
 */
export function recordedCommandWith(run: ResumedLine): CommandWithFlags | undefined {
  const recorded = recordedLine(run);
  return (
    recorded && ((flags, without) => retypeLine(flags, { ...run, argv: recorded.words }, recorded.answers, without))
  );
}

/**
 * The recorded command of a run, as it works in the folder of this command. Without the command if a file of its list
 * has changed: pasted, it would send people to whom the user never agreed (D5).
 */
export async function recordedCommandOf(
  { argv, context }: Pick<Invocation<unknown>, 'argv' | 'context'>,
  { typed, options, inputs: files }: RunHeader,
): Promise<RecordedCommand> {
  const changes = await describeChanges(files);
  const { inputs = [] } = options as { readonly inputs?: readonly string[] };
  const recorded = changes.length > 0 ? undefined : typed;
  return { changes, command: recordedCommandWith({ recorded, options: { inputs }, argv, context })?.('') };
}

// The recorded words of a resumed run and the flags of its answers, as they work in the folder of the resume.
function recordedLine({ recorded, options, argv, context }: ResumedLine) {
  if (recorded === undefined) {
    return undefined;
  }
  const { cwd } = recorded;
  const fromHere = (words: readonly string[]) =>
    cwd === context.cwd
      ? words
      : words.map((word, index) => withWholePath(word, words[index - 1], { ...options, cwd }));
  const whole = [
    ...typedAccountFlags(argv, context.cwd).flatMap(([name, value]) => flagWords(name, value)),
    ...fromHere(recorded.words),
  ];
  return { words: whole, answers: fromHere(recorded.answers) };
}

/**
 * Changes the hint of a resume that refuses an answer, because another version of svc recorded it. The user did not
 * type this answer. So each line that says to leave it out becomes the whole recorded command without it.
 */
export function withRecordedCommands(error: unknown, run: ResumedLine): unknown {
  if (!(error instanceof SvcError) || error.hint === undefined) {
    return error;
  }
  const recorded = recordedLine(run);
  const program = programName(run.context);
  const words =
    recorded &&
    splitShellText(retypeLine('', { ...run, argv: recorded.words }, recorded.answers).slice(program.length));
  return rewordError(error, { hint: linesWithoutPairs(error.hint, words, program) });
}

/** Flags whose value is a file name. */
const FILE_FLAGS = ['--mapping', '--save-mapping', '--report', '--report-html', '--log-file'];
/** Flags whose value may name an input: `--default-status old/a.csv=skip`. */
const ANSWER_FLAGS = ['--map', '--status-map', '--default-status', '--topic-value'];

// Changes a word of a typed line so that it also works in another folder: a file name becomes an absolute path.
function withWholePath(
  word: string,
  before: string | undefined,
  { inputs, cwd }: { readonly inputs: readonly string[]; readonly cwd: string },
): string {
  const [start = '', ownFlag] = /^(--[a-z-]+)=/.exec(word) ?? [];
  const [flag = '', value] = [ownFlag ?? before, word.slice(start.length)];
  if (ANSWER_FLAGS.includes(flag)) {
    const end = value.lastIndexOf('=');
    const subject = inputs.reduce(
      (text, input) => withOtherPath(text, { from: input, to: resolve(cwd, input) }),
      value.slice(0, end),
    );
    return start + subject + value.slice(end);
  }
  const isFile = value !== '-' && (FILE_FLAGS.includes(flag) || inputs.includes(word));
  return isFile ? start + resolve(cwd, value) : word;
}
