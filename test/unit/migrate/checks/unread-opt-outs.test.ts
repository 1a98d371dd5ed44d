import { expect, test } from 'vitest';
import { createWorld } from '../../../support/world.ts';

const PEOPLE = 'Email,Status\nana@example.com,active\nbo@example.com,active\n';

test.each([
  ['no @', 'ana.example.com\nbo.example.com\n'],
  ['hashes of addresses', '0bc83cb571cd1c50ba6f3e8a78ef1346\n9e107d9d372bb6826bd81d3542a419d6\n'],
  ['an address in half of the rows', 'ana.example.com\ngone@example.com\n'],
])('stops before it writes when an opt-out list holds %s (C9)', async (_, rows) => {
  const world = await createWorld();
  const files = [world.file('list.csv', PEOPLE), world.file('unsubscribed.csv', `Email\n${rows}`)];
  const line = ['migrate', ...files, '--default-status', 'unsubscribed.csv=unsubscribed', '--json'];
  const { code, json } = await world.svc(line);
  const writes = world.requests().filter(({ method }) => method !== 'GET');
  expect([code, writes]).toEqual([5, []]);
  const rejected = rows.split('\n').filter((row) => row !== '' && !row.includes('@')).length;
  expect(json.findings[0]).toMatchObject({
    check: 'failures',
    level: 'stop',
    message: expect.stringContaining(`${rejected} of 2 rows of unsubscribed.csv`),
    hint: expect.stringMatching(new RegExp(`^Correct these rows.*--max-failures ${rejected}$`)),
    total: rejected,
  });
  expect((await world.svc([...line, '--max-failures', String(rejected)])).code).toBe(3);
});

test.each(['a**@example.com', 'b•••@example.com', 'b##@example.com'])(
  'stops when an opt-out list hides letters of its addresses: %s (C9)',
  async (hidden) => {
    const world = await createWorld();
    const files = [world.file('list.csv', PEOPLE), world.file('unsubscribed.csv', `Email\n${hidden}\n`)];
    const line = ['migrate', ...files, '--default-status', 'unsubscribed.csv=unsubscribed', '--json'];
    const { code, json } = await world.svc(line);
    expect([code, json.findings[0]]).toMatchObject([5, { check: 'failures', level: 'stop', total: 1 }]);
  },
);

test('offers --max-failures for all rows that svc or the service rejects (C9)', async () => {
  const world = await createWorld();
  const list = world.file('list.csv', `${PEOPLE}${',active\n'.repeat(5)}`);
  const left = world.file('unsubscribed.csv', 'Email\nana@example\nbo@example\n');
  const line = ['migrate', list, left, '--default-status', 'unsubscribed.csv=unsubscribed', '--json'];
  const { code, json } = await world.svc(line);
  expect([code, json.findings[0].hint]).toEqual([5, expect.stringMatching(/--max-failures 7$/)]);
  expect((await world.svc([...line, '--max-failures', '6'])).code).toBe(5);
  const { code: codeAfter, json: report } = await world.svc([...line, '--max-failures', '7']);
  expect([codeAfter, report.rows.rejected + report.rows.failed]).toEqual([3, 7]);
});

test.each([
  ['an opt-out list with a few unreadable rows', 'unsubscribed.csv', 'Email\na@example.com\nb@example.com\nTotal: 2\n'],
  ['domains that no person of the list has', 'unsubscribed.csv', 'Email\n@a.test\n*.b.test\n'],
  ['a list of other people', 'more.csv', 'Email,Status\nana.example.com,active\n'],
])('does not stop at unreadable rows when the input is %s (C9)', async (_, name, rows) => {
  const world = await createWorld();
  const files = [world.file('list.csv', PEOPLE), world.file(name, rows)];
  expect((await world.svc(['migrate', ...files, '--default-status', `${name}=unsubscribed`])).code).toBe(3);
});

test.each([
  ['an opt-out list', 'unsubscribed.csv', 'Email\nx@example.com\ny@example.com\nana.example.com\n', 3],
  ['a list with a status', 'more.csv', 'Email,Status\nx@example.com,active\nana.example.com,unsubscribed\n', 2],
  [
    'a list with an at sign in words',
    'more.csv',
    'Email,Status\nx@example.com,active\nana at example dot com,left\n',
    2,
  ],
  ['a list with a domain that ends early', 'more.csv', 'Email,Status\nx@example.com,active\nana@example,left\n', 2],
  ['a list with a blank in such a domain', 'more.csv', 'Email,Status\nx@example.com,active\na na@example,left\n', 2],
])('warns before and after the run when rows of %s are unreadable (C9)', async (_, name, rows, count) => {
  const world = await createWorld();
  const files = [world.file('list.csv', PEOPLE), world.file(name, rows)];
  const line = ['migrate', ...files, '--default-status', `${name}=unsubscribed`];
  const message = `1 of ${count} rows of ${name} is about people who opted out and cannot be read. Other rows of the list may name these people, who then get mail`;
  const planned = await world.svc([...line, '--dry-run', '--json']);
  expect([planned.code, planned.json.findings[0]]).toMatchObject([0, { check: 'failures', level: 'warn', message }]);
  const { code, json } = await world.svc([...line, '--json']);
  expect([code, json.findings[0].message, json.next[0]]).toEqual([
    3,
    message,
    `Before you mail: 1 rejected row of ${name} is about people who opted out. They may still get mail.`,
  ]);
});

test('does not stop at unreadable rows when the run would mail no person (C9)', async () => {
  const world = await createWorld();
  const left = world.file('unsubscribed.csv', 'Email\nana.example.com\n');
  expect((await world.svc(['migrate', left])).code).toBe(3);
  expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('stops when an opt-out list names a domain, and counts its people (C9)', async () => {
  const world = await createWorld();
  const files = [world.file('list.csv', PEOPLE), world.file('unsubscribed.csv', 'Email\n@example.com\n')];
  const asked = await world.svc(['migrate', ...files]);
  expect(asked.code).toBe(5);
  expect(asked.err).toMatch(/unsubscribed\.csv.*2 people of the list have an address there: @example\.com \(2\)/s);
  expect(asked.err).toMatch(/svc --yes migrate .*list\.csv .*unsubscribed\.csv .*--status-map @example\.com=skip/);
  const left = await world.svc(['migrate', ...files, '--status-map', '@example.com=unsubscribed', '--json']);
  expect([left.code, left.json.rows.created, left.json.plan.unsubscribed]).toEqual([0, 2, 2]);
});
