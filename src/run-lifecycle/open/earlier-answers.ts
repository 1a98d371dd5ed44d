import { joinValues, splitPair, valuesNotReplaced } from '../../import/mapping/answers/answer-pairs.ts';
import type { ReadingOptions } from '../../import/mapping/reading-answers.ts';

/**
 * The answers of an earlier run, together with those of this command. An answer that the user gives again replaces the
 * earlier one.
 */
export function withAnswersOf(earlier: ReadingOptions, now: ReadingOptions): ReadingOptions {
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
