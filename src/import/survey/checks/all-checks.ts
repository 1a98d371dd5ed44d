import { attributeCollision, attributeKeyCheck, attributeReserved } from './attributes.ts';
import { columns } from './columns.ts';
import type { ListCheck } from './list-check.ts';
import { noStatus } from './no-status.ts';
import { mentionedPeople, secondPeople } from './other-people.ts';
import { ambiguousDates, duplicates, otherAddresses, raggedRows } from './rows.ts';
import { unknownStatus } from './unknown-status/unknown-status.ts';

/** The checks of the list, in the order in which their findings are shown. */
export const LIST_CHECKS: readonly ListCheck[] = [
  columns,
  otherAddresses,
  secondPeople,
  mentionedPeople,
  raggedRows,
  attributeCollision,
  attributeReserved,
  attributeKeyCheck,
  unknownStatus,
  noStatus,
  ambiguousDates,
  duplicates,
];
