import { STATE_COLUMN_KINDS } from '../../platforms/lib/platform.ts';
import { statusColumns, type Table } from '../mapping/table.ts';
import { type MarkOptions, ROLES } from '../rows/state-marks.ts';

const { UNUSED, OTHER, NAME, STATUS, ADDRESS } = ROLES;

/** Says which cells of a table get state marks. `seed` is the key for the hashes of addresses: 16 hex digits. */
export function markOptions(table: Table, seed: string): MarkOptions {
  return { roles: columnRoles(table), groupsEnd: statusColumns(table).at(-1) ?? -1, seed };
}

function columnRoles(table: Table): Uint8Array {
  const { columns, columnIndexes, consentColumns, otherColumns, nameColumns, stateColumns, subscribedColumns } = table;
  const { fullyReadColumns } = table;
  const roles = new Uint8Array(table.width).fill(stateColumns === undefined ? STATUS : UNUSED);
  for (const index of otherColumns) {
    roles[index] = Math.max(nameColumns.has(index) ? NAME : OTHER, roles[index] as number);
  }
  const ofKind = columns.flatMap(({ kind }, index) => (STATE_COLUMN_KINDS.has(kind) ? [index] : []));
  const ofConsent = consentColumns.map(({ index }) => index);
  for (const index of [...ofConsent, ...fullyReadColumns, ...(stateColumns ?? []), ...subscribedColumns, ...ofKind]) {
    roles[index] = STATUS;
  }
  if (columnIndexes.email >= 0) {
    roles[columnIndexes.email] = ADDRESS;
  }
  return roles;
}
