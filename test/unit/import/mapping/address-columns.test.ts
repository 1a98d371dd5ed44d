import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayNameAddress } from '../../../../src/platforms/lib/headers.ts';
import { stepOf } from '../../../support/sweep.ts';
import { csv, type ReadList, readList } from '../support.ts';

const subscribed = { defaultStatus: { '*': 'subscribed' } };

test.each([
  ['E-mail 1 - Value,E-mail 2 - Value', 'a@x.test,b@x.test', 'a@x.test', 'b@x.test'],
  ['E-mail 1 - Value,E-mail 2 - Value', ',b@x.test', 'b@x.test', undefined],
  ['E-mail 1 - Value,E-mail 2 - Value', 'none,b@x.test', 'b@x.test', undefined],
  ['Email address - home,Email address - other,Email address - work', ',,c@x.test', 'c@x.test', undefined],
  ['Work email,Email', 'b@x.test,a@x.test', 'a@x.test', 'b@x.test'],
  ['Email 1,Email 2', 'a@x.test,a@x.test', 'a@x.test', undefined],
  ['Email,Email', 'a@x.test,b@x.test', 'a@x.test', 'b@x.test'],
  ['E-mail,Email,Mail', 'a@x.test,b@x.test,', 'a@x.test', 'b@x.test'],
  ['Email,City', 'a@x.test ::: b@x.test,Ulm', 'a@x.test', 'b@x.test'],
  ['Email,City', 'a@x.test; b@x.test,Ulm', 'a@x.test', 'b@x.test'],
])('reads a list with the columns %j and the row %j: the address is %s (F8)', async (header, row, email, other) => {
  const list = await readList({ 'list.csv': csv(header, row) }, subscribed);
  expect(list.contacts.map((contact) => contact.email)).toEqual([email]);
  expect(list.contacts[0]?.attributes ?? {}).toEqual(header.includes('City') ? { city: 'Ulm' } : {});
  expect(others(list)).toEqual(other === undefined ? undefined : [other]);
});

test('counts second addresses that are not sent, and offers to keep them (F8)', async () => {
  const rows = Array.from({ length: 7 }, (_, index) => `p${index}@x.test,q${index}@x.test`);
  const file = { 'list.csv': csv('Email,Email 2', ...rows) };
  const found = (await readList(file, subscribed)).finding('columns');
  expect([found?.level, found?.total, found?.examples?.length, found?.hint]).toEqual([
    'warn',
    7,
    5,
    "To keep them: --map 'Email 2=attributes.email_2_2'",
  ]);
  const sentAsAttributes = await readList(file, { ...subscribed, map: ['Email 2=attributes.email_2_2'] });
  expect([sentAsAttributes.contacts[0]?.attributes, sentAsAttributes.trouble]).toEqual([
    { email_2_2: 'q0@x.test' },
    [],
  ]);
});

test('reads addresses only from the columns that --map names, in order (F8)', async () => {
  const file = { 'list.csv': csv('Email,Mail A,Mail B', 'x@x.test,,b@x.test', 'y@x.test,a@x.test,', 'z@x.test,,') };
  const list = await readList(file, { ...subscribed, map: ['Mail B=email', 'Mail A=email'] });
  expect([list.contacts.map(({ email }) => email), list.reading.rows.rejected]).toEqual([['b@x.test', 'a@x.test'], 1]);
});

test('applies an opt-out to each address in the email columns of a row (C9)', async () => {
  const place = fc.constantFrom('one', 'two', 'three');
  await fc.assert(
    fc.asyncProperty(
      fc.array(place, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('; ', ', ', ' ::: '),
      fc.boolean(),
      fc.constantFrom<readonly string[]>([], ['Email 1=email'], ['Email 2=email']),
      async (columnIndexes, separator, before, map) => {
        const left = columnIndexes.map((_, index) => `left${index}@x.test`);
        const cells = ['one', 'two', 'three'].map(
          (column) => `"${left.filter((_, index) => columnIndexes[index] === column).join(separator)}"`,
        );
        const clean = left.map((email) => `${email},,,active`);
        const swapped = left.map((email) => `,${email},,active`);
        const gone = `${cells.join(',')},unsubscribed`;
        const rows = before ? [gone, ...clean, ...swapped] : [...clean, ...swapped, gone];
        const list = await readList({ 'list.csv': csv('Email 1,Email 2,Work email,Status', ...rows) }, { map });
        expect(list.contacts.filter(({ status }) => status !== 'unsubscribed')).toEqual([]);
        expect(list.contacts.map(({ email }) => email).sort()).toEqual(left);
      },
    ),
    { numRuns: 150 / stepOf(5) },
  );
});

/** All cells of the second column hold one address. So only its header or an answer makes it an address column. */
const REPEATED = ['d@x.test,e@x.test,active', 'f@x.test,e@x.test,active'];

test.each([{ map: ['Email 2=attributes.second'] }, { attributes: ['Email 2'] }, { map: ['2=attributes.second'] }])(
  'opts out a second address when %j keeps it as an attribute (C9)',
  async (sentAsAttributes) => {
    const rows = ['a@x.test,b@x.test,unsubscribed', 'b@x.test,,active', 'c@x.test,,active', ...REPEATED];
    for (const order of [rows, [...rows].reverse()]) {
      const list = await readList({ 'list.csv': csv('Email,Email 2,Status', ...order) }, sentAsAttributes);
      const subscribers = list.contacts.filter(({ status }) => status !== 'unsubscribed');
      expect(subscribers.map(({ email }) => email).sort()).toEqual(['c@x.test', 'd@x.test', 'f@x.test']);
      expect([list.contacts.length, list.reading.rows.rejected, others(list)]).toEqual([5, 0, undefined]);
    }
  },
);

test.each([
  'Work mail',
  'mail2',
  'E-Mail privat',
  'Zweite E-Mail',
  'Courriel 2',
  'Adresse e-mail secondaire',
  'Correo alternativo',
])('opts out a second address under the header %s (C9)', async (header) => {
  const rows = ['a@x.test,b@x.test,unsubscribed', 'b@x.test,,active', 'c@x.test,,active', ...REPEATED];
  for (const map of [[], ['2=attributes.second']]) {
    const { contacts } = await readList({ 'list.csv': csv(`Email,${header},Status`, ...rows) }, { map });
    const subscribers = contacts.filter(({ status }) => status !== 'unsubscribed');
    expect(subscribers.map(({ email }) => email)).toEqual(['c@x.test', 'd@x.test', 'f@x.test']);
  }
});

const QUALIFIERS = [
  'work business office home personal private other second secondary alternative zweite weitere andere privat',
  'geschäftlich geschäftliche berufliche dienstlich dienstliche deuxième autre secondaire privée pro perso',
  'professionnel professionnelle personnel personnelle segundo otro alternativo secundario trabajo profesional outro',
  'alternativa secundária pessoal seconda secondaria altra personale lavoro tweede ander privé zakelijk werk drugi',
  'prywatny',
].flatMap((words) => words.split(' '));

test.each(QUALIFIERS)('reads "%s" with "E-Mail" as the header of a further address (C9)', (word) => {
  expect([`${word} E-Mail`, `E-Mail ${word}`, `${word} xyzzy`, 'E-Mail xyzzy'].map(mayNameAddress)).toEqual([
    ...[true, true],
    ...[false, false],
  ]);
});

test.each(['Mail 2', 'Mail privat'])(
  'sends the column %s as an attribute when it holds no addresses (C9)',
  async (header) => {
    const { contacts } = await readList({ 'list.csv': csv(`Email,${header},Status`, 'a@x.test,sent,active') });
    expect(Object.values(contacts[0]?.attributes ?? {})).toEqual(['sent']);
  },
);

function others(list: ReadList): string[] | undefined {
  const found = list.reading.findings.find(({ message }) => message.includes('several addresses'));
  return found?.examples?.map(({ value = '' }) => value);
}

const SECOND = [
  'Owner email',
  'Alternate address',
  'E-mail 2',
  'Zweite Adresse',
  'Adresse e-mail secondaire',
  'cc',
  'X',
];

describe.each(SECOND)('a row with a second address in the column %s', (header) => {
  test.each([{}, { attributes: 'none' as const }])(
    'opts the second address out when the row is an opt-out: answers %j (C9)',
    async (answers) => {
      const rows = [
        'ana@x.test,ana.b@y.test,unsubscribed',
        'ana.b@y.test,,subscribed',
        'ben@x.test,n/a; ben@y.test,subscribed',
      ];
      const more = ['cyd@x.test,cyd@y.test,subscribed'];
      const list = await readList({ 'list.csv': csv(`Email,${header},Status`, ...rows, ...more) }, answers);
      const states = Object.fromEntries(list.contacts.map(({ email, status }) => [email, status]));
      expect(states['ana.b@y.test']).toBe('unsubscribed');
      expect(Object.keys(states)).toContain('cyd@x.test');
      expect(states['cyd@x.test']).toBeUndefined();
    },
  );
});

test('does not opt out an address when many rows repeat it in a column (C9)', async () => {
  const rows = ['a', 'b', 'c'].map((name) => `${name}@x.test,rep@x.test,unsubscribed`);
  const list = await readList({ 'list.csv': csv('Email,Owner,Status', ...rows, 'rep@x.test,,subscribed') });
  const states = list.contacts.map(({ email, status }) => [email, status]);
  expect(states).toEqual([
    ...['a', 'b', 'c'].map((name) => [`${name}@x.test`, 'unsubscribed']),
    ['rep@x.test', undefined],
  ]);
});
