import { tryReadRun } from '../../runs/store/open-journal.ts';
import type { RunHeader } from '../../runs/store/run-header.ts';
import type { OpenRun } from '../run-data/run-context.ts';
import type { ChangeCounts } from './change-counts.ts';

type Inputs = RunHeader['inputs'];

/**
 * Where the last list of this name was, if it was another file. Two lists in different folders share one name, and so
 * do all lists from standard input (G7). `lastRun` is the run that last imported a list of this name.
 */
export function lastPlaceOf(
  { stateFolder, journal }: Pick<OpenRun, 'stateFolder' | 'journal'>,
  lastRun: string | undefined,
): Pick<ChangeCounts, 'lastPath' | 'isPipe'> {
  const { inputs } = journal.header;
  const isPipe = inputs.some(({ original }) => original === undefined);
  const last = lastRun === undefined ? [] : (tryReadRun(stateFolder, lastRun, ({ header }) => header.inputs) ?? []);
  const lastPath = last
    .map(({ original }) => original?.place)
    .find((place) => place !== undefined && !has(inputs, place));
  return { ...(lastPath !== undefined && { lastPath }), ...(isPipe && { isPipe }) };
}

function has(inputs: Inputs, place: string): boolean {
  return inputs.some(({ original }) => original?.place === place);
}
