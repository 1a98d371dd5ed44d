import { splitShellText } from '../../../../../src/base/lib/text.ts';
import { joinValues } from '../../../../../src/import/mapping/answers/answer-pairs.ts';
import type { ReadingOptions } from '../../../../../src/import/mapping/reading-answers.ts';
import { isFlagsOnly } from '../../../../../src/run-lifecycle/stops/commands-for-stops.ts';
import { type ReadList, readList } from '../../support.ts';

const MAX_ROUNDS = 8;

/** A list as svc reads it, and as it reads it with the first answer of each stop. */
export async function readAndPaste(files: Readonly<Record<string, string>>): Promise<[ReadList, ReadList | undefined]> {
  const asRead = await readList(files);
  return [asRead, await pasteHints(files, {}, asRead)];
}

/**
 * Reads a list again with the first answer of each stop, until it has none. Undefined if a stop has no answer. `asRead`
 * is the list as it was read with the given answers, if it was.
 */
export async function pasteHints(
  files: Readonly<Record<string, string>>,
  given: Partial<ReadingOptions> = {},
  asRead?: ReadList,
): Promise<ReadList | undefined> {
  let answers = given;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const isRead = round === 1 && asRead !== undefined;
    const list = isRead ? asRead : await readList(files, answers).catch((error: { hint: string }) => error.hint);
    const hints =
      typeof list === 'string'
        ? [list]
        : list.reading.findings.filter(({ level }) => level === 'stop').map(({ hint }) => hint);
    if (typeof list !== 'string' && hints.length === 0) {
      return list;
    }
    if (!hints.every(isFlagsOnly)) {
      return undefined;
    }
    answers = withFlags(answers, splitShellText(hints.join(' ')));
  }
  throw new Error('the hints do not come to an end');
}

/** Adds the words of a printed command to the answers. */
export function withFlags(answers: Partial<ReadingOptions>, words: readonly string[]): Partial<ReadingOptions> {
  const pairs = words.flatMap((word) => {
    const [, flag, value] = /^(--(?:status-map|allow-[a-z]+))=(.*)$/s.exec(word) ?? [];
    return flag === undefined || value === undefined ? [word] : [flag, value];
  });
  const valuesOf = (flag: string) => pairs.filter((_, at) => pairs[at - 1] === flag);
  const record = (flag: string) =>
    Object.fromEntries(
      valuesOf(flag).map((pair) => {
        const at = pair.lastIndexOf('=');
        return at < 0 ? ['*', pair] : [pair.slice(0, at), pair.slice(at + 1)];
      }),
    );
  const order = valuesOf('--date-order')[0] as ReadingOptions['dateOrder'];
  return {
    ...answers,
    // A printed command has one answer for each column, the newest.
    map: joinValues('map', answers.map ?? [], valuesOf('--map')),
    statusMap: { ...answers.statusMap, ...record('--status-map') },
    defaultStatus: { ...answers.defaultStatus, ...record('--default-status') },
    allowHeadings: [...(answers.allowHeadings ?? []), ...valuesOf('--allow-heading')],
    allowLegends: [...(answers.allowLegends ?? []), ...valuesOf('--allow-legend')],
    allowBlanks: [...(answers.allowBlanks ?? []), ...valuesOf('--allow-blanks')],
    allowJoinedFiles: answers.allowJoinedFiles === true || words.includes('--allow-joined-files'),
    ...(order && { dateOrder: order }),
  };
}
