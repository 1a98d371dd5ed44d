import type { Audience } from '../../wire/shapes.ts';
import { table } from '../table/table.ts';
import { timeCell } from '../table/time-cell.ts';
import type { Style } from '../text/style.ts';

/** `svc audiences ls`: list items hold no counts, so there are none. */
export function audiencesTable(audiences: readonly Audience[], now: number, style: Style): string {
  return table(
    [{ title: 'id', whole: true }, { title: 'name' }, { title: 'created' }, { title: 'updated', drops: 1 }],
    audiences.map((audience) => [
      audience.id,
      audience.name,
      timeCell(audience.created_at, now),
      timeCell(audience.updated_at, now),
    ]),
    style,
  );
}
