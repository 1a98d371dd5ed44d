import { describe, expect, test } from 'vitest';
import { csv, type ReadList, readList } from '../support.ts';

/** Three people who opted out. Two of their rows also hold the addresses of ana and ben, in the second column. */
const ROWS = ['cyd@x.test,ana@x.test,unsubscribed', 'dov@x.test,ben@y.test,complained', 'eve@x.test,,unsubscribed'];
const CLEAN = ['ana@x.test,,active', 'ben@y.test,,active', 'fay@x.test,gus@x.test,active'];

const OTHER_PEOPLE = [
  'Referred by',
  'referred_by_email',
  'ReferrerEmail',
  'Invited by',
  'Account manager',
  'Parent email',
  'Assigned to',
  'Sales rep',
  'Spouse',
  'Emergency contact e-mail',
  'Contact owner',
  'Geworben von',
  'Kundenbetreuerin',
  'Vorgesetzter (E-Mail)',
  'Erziehungsberechtigte E-Mail',
  'Parrainé par',
  'Invité par',
  'Recomendado por',
  'Gestor de cuenta',
  'Invitato da',
  'Genitore',
  'Indicado por',
  'Doorverwezen door',
  'Polecający',
  'Värvad av',
  'Förälder',
  'Sælger',
  'Müşteri temsilcisi',
  'Пригласил',
  '推荐人邮箱',
  '紹介者',
];

describe.each(OTHER_PEOPLE)('rows with addresses of other people in the column %s', (header) => {
  test.each([
    ['first', ROWS.concat(CLEAN)],
    ['last', CLEAN.concat(ROWS)],
  ] as const)('does not opt out the other people when opted-out rows come %s (C9)', async (_, rows) => {
    const list = await readList({ 'list.csv': csv(`Email,${header},Status`, ...rows) });
    expect(subscribers(list)).toEqual(['ana@x.test', 'ben@y.test', 'fay@x.test']);
    expect(list.suppressions).toEqual({ complained: ['dov@x.test'] });
    const found = mentions(list);
    expect(found?.message).toBe(
      `list.csv: the column "${header}" is about other people. It names 2 people of the list in rows that must not be mailed; the column does not opt them out`,
    );
    expect([found?.level, found?.total, found?.examples?.map(({ value }) => value)]).toEqual([
      'warn',
      2,
      ['ana@x.test', 'ben@y.test'],
    ]);
  });
});

test.each(['Owner', 'Partner e-mail', 'X', 'Second', 'Coach', 'Adresse 2', ''])(
  'opts out addresses in column %j when their row opted out, and warns (C9)',
  async (header) => {
    const files = { 'list.csv': csv(`Email,${header},Status`, ...CLEAN, ...ROWS) };
    const list = await readList(files);
    expect(subscribers(list)).toEqual(['fay@x.test']);
    const name = header || '2';
    const found = mentions(list);
    expect(found).toMatchObject({
      level: 'warn',
      message: `list.csv: the column "${name}" holds addresses. It names 2 people of the list in rows that must not be mailed; they are not mailed either`,
      total: 2,
    });
    expect(found?.hint).toContain(`:*=subscribed`);
    const answered = await readList(files, { statusMap: { [`${name}:*`]: 'subscribed' } });
    expect(subscribers(answered)).toEqual(['ana@x.test', 'ben@y.test', 'fay@x.test']);
    expect(mentions(answered)?.message).toContain('is about other people');
  },
);

test('opts out people in "Referred by" when a --status-map answer says so (C9)', async () => {
  const files = { 'list.csv': csv('Email,Referred by,Status', ...CLEAN, ...ROWS) };
  const list = await readList(files, { statusMap: { 'Referred by:*': 'unsubscribed' } });
  expect(subscribers(list)).toEqual(['fay@x.test']);
});

test('unsubscribes a second address when its row is a suppression (C9, S2)', async () => {
  for (const state of ['complained', 'bounced', 'suppressed']) {
    const rows = ['ana@x.test,,active', `cyd@x.test,ana@x.test,${state}`, 'fay@x.test,gus@x.test,active'];
    const list = await readList(
      { 'list.csv': csv('Email,X,Status', ...rows) },
      { statusMap: { suppressed: 'suppressed' } },
    );
    expect(list.contacts.find(({ email }) => email === 'ana@x.test')?.status).toBe('unsubscribed');
    expect(Object.values(list.suppressions)).toEqual([['cyd@x.test']]);
  }
});

test('does not warn about a person whose own row is an opt-out (C9)', async () => {
  const rows = ['cyd@x.test,ana@x.test,unsubscribed', 'ana@x.test,fay@x.test,unsubscribed', 'fay@x.test,,active'];
  const list = await readList({ 'list.csv': csv('Email,X,Status', ...rows) });
  expect([mentions(list)?.total, mentions(list)?.examples?.map(({ value }) => value)]).toEqual([1, ['fay@x.test']]);
});

test('does not warn when second addresses of opt-outs are not in the list (C9)', async () => {
  for (const header of ['X', 'Referred by']) {
    const rows = ['cyd@x.test,strange@x.test,unsubscribed', 'ana@x.test,cyd@x.test,active'];
    expect(mentions(await readList({ 'list.csv': csv(`Email,${header},Status`, ...rows) }))).toBeUndefined();
  }
});

function mentions({ reading }: ReadList) {
  return reading.findings.find(({ message }) => message.includes('in rows that must not be mailed'));
}

function subscribers({ contacts }: ReadList): string[] {
  return contacts
    .filter(({ status }) => status === undefined)
    .map(({ email }) => email)
    .sort();
}

test('opts out each person in a line when a mail program wrote the line (C9)', async () => {
  const copied = 'Ana <ana@x.test>, Ben Carr <ben@y.test>, "Cyd" <cyd@x.test>\n';
  const files = { 'list.csv': csv('Email,Status', 'ben@y.test,active', 'cyd@x.test,active', 'dov@x.test,active') };
  const options = { map: ['optouts.txt:1=email'], defaultStatus: { 'optouts.txt': 'unsubscribed' } };
  const list = await readList({ ...files, 'optouts.txt': copied }, options);
  expect(subscribers(list)).toEqual(['dov@x.test']);
});
