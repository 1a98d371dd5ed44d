import { attributeCollision, attributeKeyCheck, attributeReserved } from './attributes.ts';
import { mentions, secondPeople } from './candidates.ts';
import { columns } from './columns.ts';
import type { ListCheck } from './context.ts';
import { noStatus } from './no-status.ts';
import { ambiguousDates, duplicates, otherAddresses, raggedRows } from './rows.ts';
import { unknownStatus } from './states.ts';

/** The checks of a list alone, in the order in which their findings are shown. */
export const LIST_CHECKS: readonly ListCheck[] = [
  columns,
  otherAddresses,
  secondPeople,
  mentions,
  raggedRows,
  attributeCollision,
  attributeReserved,
  attributeKeyCheck,
  unknownStatus,
  noStatus,
  ambiguousDates,
  duplicates,
];
