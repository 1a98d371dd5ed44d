import { attributeCollisionCheck, attributeKeyCheck, reservedAttributeCheck } from './attributes.ts';
import type { ListCheck } from './check-context.ts';
import { columnsCheck } from './columns.ts';
import { duplicatesCheck } from './duplicates.ts';
import { noStatusCheck } from './no-status/no-status.ts';
import { mentionedPeopleCheck, secondPeopleCheck } from './people-without-rows.ts';
import { ambiguousDatesCheck, otherAddressesCheck, raggedRowsCheck } from './rows.ts';
import { topicsCheck } from './topics.ts';
import { unknownStatusCheck } from './unknown-status/unknown-status.ts';

/** The checks of the list, in the order in which their findings are shown. */
export const LIST_CHECKS: readonly ListCheck[] = [
  columnsCheck,
  otherAddressesCheck,
  secondPeopleCheck,
  mentionedPeopleCheck,
  raggedRowsCheck,
  attributeCollisionCheck,
  reservedAttributeCheck,
  attributeKeyCheck,
  unknownStatusCheck,
  noStatusCheck,
  ambiguousDatesCheck,
  duplicatesCheck,
  topicsCheck,
];
