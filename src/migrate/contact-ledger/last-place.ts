import { dirname, sep } from 'node:path';
import { identityOf } from '../../base/os/file-identity.ts';
import type { OpenRun } from '../../run-lifecycle/data/run-context.ts';
import { tryReadRun } from '../../runs/store/open-journal.ts';
import type { RunHeader } from '../../runs/store/run-header.ts';
import type { ChangeCounts } from './change-counts.ts';

type Inputs = RunHeader['inputs'];

/**
 * Where the last list of this name was, if it was another file. Lists in different folders can have one name, and all
 * lists from standard input have the same name (G7). `lastRun` is the run that last imported a list of this name.
 */
export function lastPlaceOf(
  { stateFolder, journal }: Pick<OpenRun, 'stateFolder' | 'journal'>,
  lastRun: string | undefined,
): Pick<ChangeCounts, 'lastPath' | 'isPipe' | 'otherFolder'> {
  const { inputs } = journal.header;
  const isPipe = inputs.some(({ original }) => original === undefined);
  const last = lastRun === undefined ? [] : (tryReadRun(stateFolder, lastRun, ({ header }) => header.inputs) ?? []);
  const paths = last.map(({ original }) => original?.place);
  const lastPath = paths.find((place) => place !== undefined && !has(inputs, place));
  const otherFolder = paths.find((place, index) => isBeside(place, inputs[index]?.original?.place));
  return {
    ...(lastPath !== undefined && { lastPath }),
    ...(otherFolder !== undefined && { otherFolder }),
    ...(isPipe && { isPipe }),
  };
}

function has(inputs: Inputs, place: string): boolean {
  return inputs.some(({ original }) => original?.place === place);
}

/**
 * True if the last list is still at its place, and this one is another file in a folder with another name. Then there
 * are two lists. A list that was moved, or that is under a temporary name, is not at its last place any more.
 */
function isBeside(last: string | undefined, now: string | undefined): boolean {
  if (last === undefined || now === undefined || folderKey(last) === folderKey(now)) {
    return false;
  }
  const identity = identityOf(last);
  return identity !== undefined && identity !== identityOf(now);
}

const CALENDAR_NAME =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|satur|sat|sun)(?:day)?)$/i;

/**
 * The folder of a file. Exports of each night are often in a folder of their own: `2026-11-29`, `29-Nov`, `build-812`,
 * `monday`. So all folders count as the same if their name has a digit, or is a month or a day of the week.
 */
function folderKey(place: string): string {
  return dirname(place)
    .split(sep)
    .map((name) => (/\d/.test(name) || CALENDAR_NAME.test(name) ? '#' : name))
    .join(sep);
}
