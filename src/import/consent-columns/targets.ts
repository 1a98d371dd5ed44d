import type { ColumnTarget } from '../types.ts';
import type { ConsentColumn, Recognised } from './detect.ts';
import { holdsDates } from './read-cell.ts';

/**
 * What every column becomes once it is known which of them tell the state: a state is not sent as an attribute, and the
 * first date of an opt-out is the date of the opt-out. Flags of other kinds are kept as attributes beside the state.
 */
export function stateTargets(table: Recognised, found: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const { columns, shape, named } = table;
  const targets = [...columns];
  const free = ({ at }: ConsentColumn) => !named.has(at) && columns[at]?.kind !== 'unsubscribed_at';
  if (!columns.some(({ kind }) => kind === 'unsubscribed_at')) {
    const dates = found.find(
      (column) => free(column) && column.meaning === 'left' && holdsDates(shape.sample, column.at),
    );
    if (dates) {
      targets[dates.at] = { kind: 'unsubscribed_at' };
    }
  }
  for (const column of found.filter(free)) {
    if (targets[column.at]?.kind === 'attribute' && column.speaks && !column.detail) {
      targets[column.at] = targetOf(column) ?? (targets[column.at] as ColumnTarget);
    }
  }
  return targets;
}

function targetOf({ meaning, permits }: ConsentColumn): ColumnTarget | undefined {
  if (meaning === 'reason') {
    return { kind: 'reason' };
  }
  return meaning === 'status' || meaning === 'left' || permits ? { kind: 'status' } : undefined;
}
