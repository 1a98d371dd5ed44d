import type { Finding } from '../../import/survey/finding.ts';
import type { CheckContext } from './context.ts';

/** Warns if the list was imported before: a second import undoes later changes of its people. */
export function importedBefore({ finishedBefore, survey }: CheckContext): readonly Finding[] {
  if (finishedBefore === undefined || survey.contacts === 0) {
    return [];
  }
  const message = `this list was imported before (${finishedBefore}): importing it again brings back people deleted since, and opts out people who came back since`;
  return [{ check: 'imported_before', level: 'warn', message }];
}
