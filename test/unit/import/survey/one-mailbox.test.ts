import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

/** Rows with two addresses, and whether the row says that its state is about the first one. */
const ROWS: readonly (readonly [header: string, row: (state: string) => string, isClear: boolean])[] = [
  ['Email,Email 2,Status', (state) => `a@x.test,b@x.test,${state}`, true],
  ['Email,Email 2,Status', (state) => `,"a@x.test, b@x.test",${state}`, true],
  ['Email,Contact,Status', (state) => `a@x.test,b@x.test,${state}`, true],
  ['Work email,Private email,Status', (state) => `a@x.test,b@x.test,${state}`, true],
  ['Email,Name,Status', (state) => `"a@x.test, b@x.test",A,${state}`, true],
  ['Email,Name,Status', (state) => `a@x.test;b@x.test,A,${state}`, true],
  ['Email,Name,Status', (state) => `"Al <a@x.test>, Bo <b@x.test>",A,${state}`, false],
  ['Email,Name,Status', (state) => `a@x.test/b@x.test,A,${state}`, false],
  ['Email,Email 2,Status', (state) => `Al <a@x.test>,b@x.test,${state}`, false],
  ['Email,Email 2,Status', (state) => `a [at] x.test,b@x.test,${state}`, false],
  ['Email,Email 2,Status', (state) => `ax.test,b@x.test,${state}`, false],
  ['Email,Email 2,Status', (state) => `ax.test;,b@x.test,${state}`, false],
];

const CASES = ROWS.flatMap(([header, row, isClear]) =>
  ['bounced', 'complained'].map(
    (state) => [`${row(state)} below ${header}`, header, row(state), state, isClear] as const,
  ),
);

test.each(CASES)('suppresses at most one address of a row: %s (C9)', async (_, header, row, state, isClear) => {
  for (const first of [true, false]) {
    const others = ['b@x.test,,active', 'c@x.test,,active'];
    const list = await readList({ 'list.csv': csv(header, ...(first ? [row, ...others] : [...others, row])) });
    const suppressed = Object.values(list.suppressions).flat();
    expect(suppressed.filter((email) => !email.includes('/'))).toEqual(isClear ? ['a@x.test'] : []);
    expect(Object.keys(list.suppressions)).toEqual(suppressed.length > 0 ? [state] : []);
    expect(list.contacts.filter(({ status }) => status === undefined)).toEqual([{ email: 'c@x.test' }]);
    expect(list.contacts).toContainEqual(expect.objectContaining({ email: 'b@x.test', status: 'unsubscribed' }));
  }
});

test.each(ROWS)('suppresses each certain address for a general opt-out below %s (C9)', async (header, row) => {
  const rows = [row('gone'), 'b@x.test,,active', 'c@x.test,,active'];
  const list = await readList({ 'list.csv': csv(header, ...rows) }, { statusMap: { gone: 'suppressed' } });
  const isMentionSure = !header.includes('Contact') && !row('').includes('/');
  expect(list.suppressions.unsubscribed?.includes('b@x.test') ?? false).toBe(isMentionSure);
});

test('suppresses the first address of each row when --reason is given (C9)', async () => {
  const same = csv('Email,Email 2,Status', 'a@x.test,A@x.test,bounced', 'c@x.test,,active');
  expect((await readList({ 'list.csv': same })).suppressions).toEqual({ bounced: ['a@x.test'] });
  const bounces = csv('Email,Name', '"a@x.test, b@x.test",A', 'c@x.test,C');
  const { suppressions } = await readList({ 'list.csv': bounces }, { reason: 'bounced' });
  expect(suppressions).toEqual({ bounced: ['a@x.test', 'c@x.test'] });
});

test('suppresses no person whom only a cell beyond the header names (C9)', async () => {
  const rows = ['b@x.test,suppressed,contact of mailto:a@x.test.', 'a@x.test,active', 'c@x.test,active'];
  const list = await readList({ 'list.csv': csv('Email,Status', ...rows) });
  expect(Object.values(list.suppressions).flat()).not.toContain('a@x.test');
  expect(list.contacts).not.toContainEqual({ email: 'a@x.test' });
});

test.each(['Private', 'unknown', 'no email', 'Mr. Gus', 'n/a'])(
  'suppresses the second address when the first cell is no address: %s (C3)',
  async (cell) => {
    const { suppressions } = await readList({
      'list.csv': csv('Email,Email 2,Status', `${cell},a@x.test,bounced`, 'c@x.test,,active', 'd@x.test,,active'),
    });
    expect(suppressions).toEqual({ bounced: ['a@x.test'] });
  },
);
