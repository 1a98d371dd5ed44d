import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { sourceLabel, type TableSource } from '../source/source.ts';
import { SVC_COLUMNS } from './table.ts';

/**
 * Throws if a table has some of the columns that svc writes at the left of a rejects file, but not all of them in their
 * places. svc would send them as custom fields, which can't be deleted, and would overlook the states in svc_state. A
 * column that `--map` names is a column of the user's own list. `header` has no columns that svc wrote.
 */
export function refuseChangedSvcColumns(
  source: Pick<TableSource, 'path' | 'entry'>,
  header: readonly string[],
  named: ReadonlyMap<number, unknown>,
): void {
  const found = header.filter((name, index) => isSvcColumn(name) && !named.has(index));
  if (found.length > 0) {
    const names = found.map((name) => terminalSafe(name.trim())).join(', ');
    const message = `${terminalSafe(sourceLabel(source))}: the columns that svc wrote into this rejects file were changed: ${names}`;
    throw new SvcError(EXIT.usage, 'changed_svc_columns', message, {
      hint: [
        `Put them back as they were, at the left and in this order: ${SVC_COLUMNS.join(', ')}`,
        'Or delete all of them. The states in svc_state are then lost, so another column must say who left.',
        'If they are columns of your own list, name each with --map, such as: --map svc_line=ignore',
      ].join('\n'),
    });
  }
}

function isSvcColumn(name: string): boolean {
  const plain = name.trim().toLowerCase();
  return SVC_COLUMNS.some((column) => column === plain);
}
