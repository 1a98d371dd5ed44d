import { expect, test } from 'vitest';
import { counts, createAutomationWorld, linesOf } from '../support.ts';

const MAX = 'max@example.com';

/** A list whose first row subscribes its person, and whose second row has this address, state and further address. */
const listWith = (email: string, status: string, other: string, header = 'Email 2') =>
  `Email,Status,${header}\nann@example.com,subscribed,\n${email},${status},${other}\n`;

test.each([
  ['a further column', listWith('mia@example.com', 'unsubscribed', MAX)],
  ['a further address of a pending row', listWith('mia@example.com', 'pending', MAX)],
  ['one cell', listWith(`mia@example.com; ${MAX}`, 'unsubscribed', '')],
  ['a cell with a typing error', listWith('max@@example.com', 'unsubscribed', '')],
])('enrolls no person by --email when an opt-out names them in %s (C9, M1)', async (_, list) => {
  const world = await createAutomationWorld(['ann@example.com', 'mia@example.com', MAX]);

  const { json } = await world.enroll(list, ['--email', MAX]);

  expect(world.enrolled()).toEqual(['ann@example.com']);
  expect([counts(json.rows).enrolled, counts(json.rows).unsent]).toEqual([1, undefined]);
  expect(linesOf(json.files.outcomes)).toContain(`1,${MAX},kept_away,--email`);
});

test.each([
  ['subscribes its person', listWith('mia@example.com', 'subscribed', MAX)],
  ['names another person', listWith('mia@example.com', 'unsubscribed', MAX, 'Referred by')],
])('enrolls a person by --email when the row that names them %s (C9)', async (_, list) => {
  const world = await createAutomationWorld(['ann@example.com', 'mia@example.com', MAX]);

  const { code } = await world.enroll(list, ['--email', MAX]);

  expect([code, world.enrolled().includes(MAX)]).toEqual([0, true]);
});
