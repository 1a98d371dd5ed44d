import { expect, test } from 'vitest';
import { addressesOf } from '../../../../src/migrate/opt-outs/roll-back.ts';
import { addressOf } from './support.ts';

test.each([
  [1, ''],
  [10, ''],
  [11, ' and 1 more'],
  [13, ' and 3 more'],
])('names at most ten of %i people', (count, others) => {
  const people = Array.from({ length: count }, (_, index) => ({ contact: { email: addressOf(index) } }));
  const named = people.slice(0, 10).map(({ contact }) => contact.email);
  expect(addressesOf(people as never)).toBe(named.join(', ') + others);
});
