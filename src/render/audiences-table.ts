import type { Audience } from '../wire/shapes.ts';
import type { Style } from './style.ts';
import { table } from './table.ts';

/** `svc audiences ls`: list items hold no counts, so there are none. */
export function audiencesTable(audiences: readonly Audience[], style: Style): string {
  return table(
    [{ title: 'id', whole: true }, { title: 'name' }, { title: 'created' }, { title: 'updated' }],
    audiences.map((audience) => [audience.id, audience.name, audience.created_at, audience.updated_at]),
    style,
  );
}
