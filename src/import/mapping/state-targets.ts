import type { ColumnTarget } from '../../platforms/lib/platform.ts';
import { holdsDates } from '../consent-columns/cells/days.ts';
import type { Recognized } from '../consent-columns/column-meaning.ts';
import type { ConsentColumn } from '../consent-columns/detect.ts';

/** The targets of all columns, once the consent columns are known. The columns of --map keep theirs. */
export function stateTargets(table: Recognized, consent: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const { columns, named } = table;
  const free = consent.filter(({ at }) => !named.has(at) && columns[at]?.kind !== 'unsubscribed_at');
  return withStatus(withOptOutDate(table, free), free);
}

/** If no column gives the date of the opt-out, the first consent column that holds such dates gives it. */
function withOptOutDate({ columns, shape }: Recognized, free: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const isGiven = columns.some(({ kind }) => kind === 'unsubscribed_at');
  const dates = free.find(({ meaning, at }) => meaning === 'left' && holdsDates(shape.sample, at));
  return isGiven || !dates ? columns : columns.with(dates.at, { kind: 'unsubscribed_at' });
}

/** A column whose words are states is not sent as an attribute. A column with the date or the cause of a state is. */
function withStatus(targets: readonly ColumnTarget[], free: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const spoken = new Map(
    free.flatMap((column) => (column.speaks && !column.detail ? [[column.at, column] as const] : [])),
  );
  return targets.map((target, at) => {
    const column = target.kind === 'attribute' ? spoken.get(at) : undefined;
    return (column && statusTarget(column)) ?? target;
  });
}

function statusTarget({ meaning, permits }: ConsentColumn): ColumnTarget | undefined {
  if (meaning === 'reason') {
    return { kind: 'reason' };
  }
  return meaning === 'status' || meaning === 'left' || permits ? { kind: 'status' } : undefined;
}
