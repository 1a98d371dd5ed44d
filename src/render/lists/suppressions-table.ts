import type { Suppression } from '../../wire/shapes.ts';
import { table } from '../table/table.ts';
import type { Style } from '../text/style.ts';

/** `svc suppressions ls`: the service document shows the id only, so the other cells may be empty. */
export function suppressionsTable(suppressions: readonly Suppression[], style: Style): string {
  return table(
    [{ title: 'id', whole: true }, { title: 'email' }, { title: 'reason' }],
    suppressions.map(({ id, email, reason }) => [id, email, reason]),
    style,
  );
}
