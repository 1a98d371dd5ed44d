import { basename, dirname, resolve } from 'node:path';
import { pathExists } from '../../base/os/files.ts';
import { joinValues, splitPair, valuesNotReplaced } from '../../import/mapping/answers/answer-pairs.ts';
import type { ReadingOptions } from '../../import/mapping/reading-answers.ts';
import type { InputFile } from '../../import/source/input-copies.ts';
import { firstBytes } from '../../import/source/open-inputs.ts';
import { listReadableRuns } from '../../runs/find/list-runs.ts';
import { readRun } from '../../runs/store/open-journal.ts';
import type { RunContext } from '../data/run-context.ts';
import type { RunOptions } from '../data/run-options.ts';

/**
 * If an input is a rejects file, adds the answers of the run that rejected its rows to the options. An answer that the
 * user gives again replaces the earlier one. Only a run of the same command counts, because an answer to another
 * command could suppress all people (C5).
 */
export async function withEarlierAnswers<T extends Pick<RunOptions, 'command' | 'reading'>>(
  options: T,
  inputs: readonly InputFile[],
  { cwd, stateFolder }: Pick<RunContext, 'cwd' | 'stateFolder'>,
): Promise<T> {
  for (const input of inputs) {
    if (await isRejectFile(input)) {
      const earlier = answersOfRejectingRun(options.command, resolve(cwd, input.path), stateFolder);
      return earlier ? { ...options, reading: mergeReadingOptions(earlier, options.reading) } : options;
    }
  }
  return options;
}

async function isRejectFile({ path, ...file }: InputFile): Promise<boolean> {
  const start = await firstBytes({ ...file, label: path });
  // Removes the zero bytes that UTF-16 has between the letters. A byte order mark or a quote may stand before
  // `svc_file`.
  const text = start.subarray(0, 64).toString('latin1').replaceAll('\0', '');
  return /^[^a-z]{0,4}svc_file/.test(text);
}

/**
 * The answers given to the run that wrote a rejects file: the run whose folder has the file. If the file was moved, svc
 * takes the newest run of the same command that has a rejects file of that name.
 */
function answersOfRejectingRun(command: string, path: string, stateFolder: string): ReadingOptions | undefined {
  const home = basename(dirname(dirname(path)));
  const runs = listReadableRuns(stateFolder).filter((run) => run.status !== 'broken' && run.command === command);
  const run =
    runs.find((one) => one.run === home) ??
    runs.find((one) => pathExists(resolve(one.folder, 'rejects', basename(path))));
  return run && readRun(stateFolder, run.run, ({ header }) => (header.options as unknown as RunOptions).reading);
}

function mergeReadingOptions(earlier: ReadingOptions, now: ReadingOptions): ReadingOptions {
  return {
    from: now.from === 'auto' ? earlier.from : now.from,
    map: joinValues('map', earlier.map, now.map),
    statusMap: joinAnswers('statusMap', earlier.statusMap, now.statusMap),
    // Does not take the default statuses of the earlier run, because each row of a rejects file has its own status.
    defaultStatus: now.defaultStatus,
    attributes: now.attributes === 'all' ? earlier.attributes : now.attributes,
    topicValues: joinAnswers('topicValue', earlier.topicValues, now.topicValues),
    timezone: now.timezone ?? earlier.timezone,
    dateOrder: now.dateOrder ?? earlier.dateOrder,
    encoding: now.encoding ?? earlier.encoding,
    delimiter: now.delimiter ?? earlier.delimiter,
    quote: now.quote ?? earlier.quote,
    escape: now.escape ?? earlier.escape,
    empty: now.empty === 'keep' ? earlier.empty : now.empty,
    duplicates: now.duplicates === 'merge' ? earlier.duplicates : now.duplicates,
    allowJoinedFiles: now.allowJoinedFiles || earlier.allowJoinedFiles,
    allowHeadings: joinTexts(earlier.allowHeadings, now.allowHeadings),
    allowLegends: joinTexts(earlier.allowLegends, now.allowLegends),
    allowBlanks: joinTexts(earlier.allowBlanks, now.allowBlanks),
    reason: now.reason ?? earlier.reason,
    savedColumns: now.savedColumns,
    savedForAllWords: savedAnswers(earlier, now),
  };
}

// Joins the saved answers of both runs. Leaves out those of the earlier run that an answer of this run replaces.
function savedAnswers(earlier: ReadingOptions, now: ReadingOptions): ReadingOptions['savedForAllWords'] {
  const ofNow = now.savedForAllWords ?? [];
  const given = Object.entries(now.statusMap).map(([subject, state]) => `${subject}=${state}`);
  const saved = [...valuesNotReplaced('statusMap', earlier.savedForAllWords ?? [], given), ...ofNow];
  return saved.length > 0 ? saved : undefined;
}

function joinTexts(earlier: readonly string[] = [], now: readonly string[] = []): readonly string[] | undefined {
  const texts = [...new Set([...earlier, ...now])];
  return texts.length > 0 ? texts : undefined;
}

type Answers = Readonly<Record<string, string>>;

function joinAnswers(flag: string, earlier: Answers, now: Answers): Answers {
  const pairsOf = (answers: Answers) => Object.entries(answers).map(([subject, value]) => `${subject}=${value}`);
  return Object.fromEntries(joinValues(flag, pairsOf(earlier), pairsOf(now)).map(splitPair));
}
