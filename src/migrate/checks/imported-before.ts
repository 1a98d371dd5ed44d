import type { Finding } from '../../import/survey/survey-types.ts';
import type { CheckContext } from './context.ts';

/** A list that was imported before does more than nothing: what happened to its people since is undone (cli, "Re-runs"). */
export function importedBefore({ finishedBefore, survey }: CheckContext): readonly Finding[] {
  if (finishedBefore === undefined || survey.contacts === 0) {
    return [];
  }
  const message = `this list was imported before (${finishedBefore}): importing it again brings back people deleted since, and opts out people who came back since`;
  return [{ check: 'imported_before', level: 'warn', message }];
}
