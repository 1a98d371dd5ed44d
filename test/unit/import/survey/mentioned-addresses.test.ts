import { expect, test } from 'vitest';
import { everyNth } from '../../../support/sweep.ts';
import { csv, readList } from '../support.ts';

const HEADER = 'Email,Name,Status';
const LEFT = [
  ['several addresses in a cell', '"b@x.test, a@x.test",B,unsubscribed'],
  ['two addresses with a semicolon', 'b@x.test;a@x.test,B,unsubscribed'],
  ['two addresses with a slash', 'b@x.test/a@x.test,B,unsubscribed'],
  ['121 addresses in a cell', `"${people(120)};a@x.test",B,unsubscribed`],
  ['a cell too many', 'b@x.test,B,unsubscribed,a@x.test'],
  ['a link', 'mailto:a@x.test,A,unsubscribed'],
  ['a link with a subject', 'MailTo:A@x.test?subject=hi,A,unsubscribed'],
  ['angle brackets', '<a@x.test>,A,unsubscribed'],
  ['a name with an address', 'Ana Berg <A@x.test>,A,unsubscribed'],
  ['two names with addresses', '"Bo <b@x.test>, Ana <a@x.test>",A,unsubscribed'],
  ['an address with a remark', 'a@x.test (work),A,unsubscribed'],
  ['an address after a # sign', 'b@x.test / #a@x.test,A,unsubscribed'],
  ['an address that is struck through', 'b@x.test ~~a@x.test~~,A,unsubscribed'],
  ['an address with a remark and no blank', 'a@x.test(work),A,unsubscribed'],
  ['markup', '&lt;a@x.test&gt;,A,unsubscribed'],
  ['quotes of another kind', "'a@x.test',A,unsubscribed"],
  ['text after the closing quote', '"a@x.test"x,A,unsubscribed'],
  ['a zero-width space at the edge', '\u200ba@x.test,A,unsubscribed'],
  ['a zero-width space inside', 'a\u200b@x.test,A,unsubscribed'],
  ['a soft hyphen inside', 'a@x\u00ad.test,A,unsubscribed'],
  ['a no-break space at the edge', 'a@x.test\u00a0,A,unsubscribed'],
  ['U+0085 at the edge', 'a@x.test\u0085,A,unsubscribed'],
  ['U+FEFF at the edge', 'a@x.test\ufeff,A,unsubscribed'],
  ['a direction mark at the edge', 'a@x.test\u202c,A,unsubscribed'],
  ['a bell at the edge', 'a@x.test\u0007,A,unsubscribed'],
  ['a full-width letter', 'ａ@x.test,A,unsubscribed'],
  ['a full-width at sign', 'a＠x.test,A,unsubscribed'],
  ['a full stop at the end', 'a@x.test.,A,unsubscribed'],
  ['a full stop at the start', '.a@x.test,A,unsubscribed'],
  ['a full stop after the at sign', 'a@.x.test,A,unsubscribed'],
  ['the name of a field', 'email=a@x.test,A,unsubscribed'],
  ['a field before the address', 'id=4&a@x.test,A,unsubscribed'],
  ['a full stop before the at sign', 'a.@x.test,A,unsubscribed'],
  ['two full stops', 'a@x..test,A,unsubscribed'],
  ['a slash at the end', 'a@x.test/,A,unsubscribed'],
  ['a written \\n at the end', 'a@x.test\\n,A,unsubscribed'],
  ['a mail subject without mailto', 'a@x.test?subject=hi,A,unsubscribed'],
  ['percent-encoding', '%61@x.test,A,unsubscribed'],
  ['a space before the at sign', 'a @x.test,A,unsubscribed'],
  ['a space after the at sign', 'a@ x.test,A,unsubscribed'],
  ['an at sign in letters', 'a(at)x.test,A,unsubscribed'],
  ['an at sign in letters and brackets', 'a [at] x [dot] test,A,unsubscribed'],
  ['an at sign as an entity', 'a&#64;x.test,A,unsubscribed'],
  ['an at sign as a named entity', 'a&commat;x.test,A,unsubscribed'],
  ['a full-width at sign between spaces', 'a ＠ x.test,A,unsubscribed'],
  ['an a in brackets for the at sign', 'a (a) x.test,A,unsubscribed'],
  ['quotes around the name', '"""a""@x.test",A,unsubscribed'],
  ['a comma for a full stop', '"a@x,test",A,unsubscribed'],
  ['a semicolon for a full stop', '"a@x;test",A,unsubscribed'],
  ['a doubled at sign', 'a@@x.test,A,unsubscribed'],
  ['a letter as an entity', '&#97;@x.test,A,unsubscribed'],
  ['a letter as a hexadecimal entity', 'a@&#x78;.test,A,unsubscribed'],
  ['a space in the domain', 'a@x .test,A,unsubscribed'],
  ['a space after the full stop', 'a@x. test,A,unsubscribed'],
  ['spaces between all parts', 'a @ x . test,A,unsubscribed'],
  ['a hyphen at the end', 'a@x.test-,A,unsubscribed'],
  ['exclamation marks at the end', 'a@x.test!!,A,unsubscribed'],
  ['a dollar sign at the end', 'a@x.test$,A,unsubscribed'],
  ['underscores around it', '_a@x.test_,A,unsubscribed'],
  ['an at sign before it', '@a@x.test,A,unsubscribed'],
  ['the address in the cell of the name', 'Ana,a@x.test,unsubscribed'],
  ['the address in the cell of the name and no other', ',a@x.test,unsubscribed'],
  ['the address in the cell of the status', 'unsubscribed,Ana,a@x.test'],
  ['an unknown status', '"b@x.test, a@x.test",B,gone for good'],
  ['a blank status', '"b@x.test, a@x.test",B,'],
  ['a pending status', '"b@x.test, a@x.test",B,pending'],
  ['fields that moved, because a comma was not quoted', 'Berg, Ana,a@x.test,unsubscribed'],
  ['a row taken into a quoted cell of another', 'c@x.test,"Cleo\na@x.test,Ana,unsubscribed\nd@x.test,Dov",active'],
] as const;

test.each(LEFT)('does not subscribe a person whose rejected row has %s (C9)', async (_, row) => {
  for (const rows of [
    ['a@x.test,Ana,active', row],
    [row, 'a@x.test,Ana,active'],
  ]) {
    const list = await readList({ 'list.csv': csv(HEADER, ...rows, 'z@x.test,Zoe,active') });
    expect(signedUp(list.contacts)).not.toContain('a@x.test');
    expect(signedUp(list.contacts)).toContain('z@x.test');
    const { read, rejected, merged, skipped } = list.reading.rows;
    const people = list.contacts.length + Object.values(skipped).reduce((sum, count) => sum + count, 0);
    expect(read).toBe(people + rejected + merged);
  }
});

// The single addresses. A blank in a domain is left out, because in a longer text it separates words.
const SINGLE = LEFT.flatMap(([title, row]) => {
  const [, , cell] = /^("?)(.*)\1,A,unsubscribed$/.exec(row) ?? [];
  return cell === undefined || /space in the domain|after the full stop|all parts/.test(title) ? [] : [[title, cell]];
});

test.each(SINGLE)('does not subscribe a person whose opt-out row has %s inside a text (C9)', async (_, cell) => {
  for (const text of [`b@x.test ${cell}`, `${'word '.repeat(60)}${cell}`]) {
    const row = `"${text}",A,unsubscribed`;
    const list = await readList({ 'list.csv': csv(HEADER, 'a@x.test,Ana,active', row, 'z@x.test,Zoe,active') });
    expect(signedUp(list.contacts)).toEqual(['z@x.test']);
  }
});

// In these cells the address stands as it is, between blanks, commas or angle brackets, or svc reads it as valid.
const WHOLE =
  /^(?:several|two|121|a link|angle|a name with|two names|an address with a remark$|a soft hyphen|a no-break|U\+FEFF)/;
const FAULTY = [
  ...LEFT.flatMap(([title, row]) => (row.includes(',unsubscribed') && !WHOLE.test(title) ? [[title, row]] : [])),
  ['a mark before it', 'UNSUB-a@x.test,A,unsubscribed'],
  ['a comma for the last full stop', '"a@x.test,uk",A,unsubscribed'],
  ['a letter and a space before it', 'j a@x.test,A,unsubscribed'],
  ['a letter with a full stop before it', 'j. a@x.test,A,unsubscribed'],
];

test.each(FAULTY)('does not suppress or subscribe a person whose bounced row has %s (C9)', async (title, row = '') => {
  const nth = FAULTY.findIndex(([other]) => other === title);
  for (const state of everyNth(['bounced', 'complained', 'suppressed'], 3, nth)) {
    const faulty = row.replace(/unsubscribed$/, state);
    const rows = csv(HEADER, 'a@x.test,Ana,active', faulty, 'z@x.test,Zoe,active');
    const list = await readList({ 'list.csv': rows }, { statusMap: { suppressed: 'suppressed' } });
    expect(Object.values(list.suppressions).flat()).not.toContain('a@x.test');
    expect(signedUp(list.contacts)).not.toContain('a@x.test');
  }
});

test.each(['a@@x.test', '_a@x.test', 'a@x .test', 'j a@x.test', 'b@x.test; _a@x.test'])(
  'opts out, but does not suppress, a person with the address %j (C9)',
  async (cell) => {
    const second = csv('Email,Email 2,Status', 'a@x.test,,active', `b@x.test,${cell},bounced`);
    const blank = csv('Email,Status', 'a@x.test,active', `${cell},`);
    // An opt-out of everything suppresses the whole addresses of a row, and a bounce at most one of them.
    for (const [rows, statusMap] of [
      [second, {}],
      [second.replace('bounced', 'gone'), { gone: 'suppressed' }],
      [blank, { '': 'bounced' }],
    ] as const) {
      const list = await readList({ 'list.csv': rows }, { statusMap: { ...statusMap } });
      expect(list.contacts).toContainEqual({ email: 'a@x.test', status: 'unsubscribed' });
      expect(Object.values(list.suppressions).flat()).not.toContain('a@x.test');
    }
  },
);

test('unsubscribes, but does not suppress, a person with swapped cells (C9)', async () => {
  const list = await readList({
    'list.csv': csv('Name,Email,Status', 'Ana,a@x.test,active', 'a@x.test,Ana,bounced', 'Zoe,z@x.test,active'),
  });
  expect([list.contacts, list.suppressions]).toMatchObject([[{ email: 'a@x.test', status: 'unsubscribed' }, {}], {}]);
  expect(signedUp(list.contacts)).toEqual(['z@x.test']);
});

test.each(['Contact Name', 'First Name'])(
  'applies an opt-out when the Zoho column %s has the address (C9)',
  async (name) => {
    const header = `Record Id,${name},Email,Email Opt Out,Account Name.id`;
    const rowsFor = (optOut: boolean) =>
      csv(header, `1,a@x.test,,${optOut},9`, '2,Ana,a@x.test,false,9', '3,Zoe,z@x.test,false,9');
    const left = await readList({ 'list.csv': rowsFor(true) });
    expect([left.contacts[0], signedUp(left.contacts), left.reading.rows.rejected]).toMatchObject([
      { email: 'a@x.test', status: 'unsubscribed' },
      ['z@x.test'],
      1,
    ]);
    const { reading } = await readList({ 'list.csv': rowsFor(false) });
    expect(reading.rows).toMatchObject({ rejected: 0, skipped: { no_address: 1 } });
  },
);

test.each(['First Name', 'Last Name', 'Nachname', 'Prénom', 'Name'])(
  'unsubscribes a person when %s has the address and Email is blank (C9)',
  async (header) => {
    for (const blank of ['', '-', 'n/a']) {
      const rows = csv(`${header},Email,Status`, 'Ana,a@x.test,active', `a@x.test,${blank},bounced`);
      const list = await readList({ 'list.csv': rows });
      expect([list.contacts, list.suppressions]).toMatchObject([[{ email: 'a@x.test', status: 'unsubscribed' }], {}]);
    }
  },
);

test.each([
  ['a column about other people', 'Email,Referred by,Status', 'nobody,a@x.test,unsubscribed'],
  ['a row that says subscribed', 'Email,Name,Status', 'Ana,a@x.test,active'],
  ['a row without an address', 'Email,Owner,Status', ',a@x.test,unsubscribed'],
  ['a row with a dash for the address', 'Email,Owner,Status', '-,a@x.test,unsubscribed'],
  ['a text with more than the address', 'Email,Name,Status', ',ask a@x.test,unsubscribed'],
])('keeps an active person subscribed when %s names the address too (C9)', async (_, header, row) => {
  const list = await readList({ 'list.csv': csv(header, 'a@x.test,Ana,active', row, 'z@x.test,Zoe,active') });
  expect([signedUp(list.contacts), list.reading.rows.rejected]).toEqual([['a@x.test', 'z@x.test'], 1]);
});

test.each(LEFT.slice(0, -1))('signs up no person who left when a row that says active has %s (C9)', async (_, row) => {
  const active = row.replace(/unsubscribed|gone for good|pending|,$/, 'active');
  const list = await readList({ 'list.csv': csv(HEADER, 'a@x.test,Ana,unsubscribed', active, 'z@x.test,Zoe,active') });
  expect(signedUp(list.contacts)).not.toContain('a@x.test');
});

test('warns about a rejected row whose unknown status keeps mail away (C9)', async () => {
  const list = await readList({
    'list.csv': csv(HEADER, 'a@x.test,Ana,active', '"b@x.test or a@x.test",B,gone for good', 'z@x.test,Zoe,active'),
  });
  expect([list.reading.rows.skipped, list.finding('unknown_status')]).toEqual([
    { unknown_status: 1 },
    {
      check: 'unknown_status',
      level: 'warn',
      message: "list.csv: 1 rejected row names people and can't be understood, so no other row signs these people up",
      examples: [{ file: 'list.csv', line: 3, column: 'Email', value: 'b@x.test or a@x.test | B | gone for good' }],
      total: 1,
    },
  ]);
});

test('ignores an address in a footer line (C9)', async () => {
  const footer = 'Contact help@x.test for more,,';
  const list = await readList({ 'list.csv': csv(HEADER, 'a@x.test,Ana,active', footer) });
  expect(list.finding('unknown_status')).toBeUndefined();
  expect(list.reading.rows).toEqual({ read: 2, rejected: 1, merged: 0, skipped: {} });
});

test('applies the opt-out of a rejected row to people in other files (C9)', async () => {
  const bad = csv(HEADER, '"b@x.test or a@x.test",B,unsubscribed');
  const clean = csv(HEADER, 'a@x.test,Ana,active', 'b@x.test,Bo,active');
  for (const files of [
    { 'one.csv': bad, 'two.csv': clean },
    { 'one.csv': clean, 'two.csv': bad },
  ]) {
    const { contacts, reading } = await readList(files);
    expect(contacts.map(({ email, status }) => `${email} ${status}`)).toEqual([
      'a@x.test unsubscribed',
      'b@x.test unsubscribed',
    ]);
    expect(reading.rows).toEqual({ read: 3, rejected: 1, merged: 0, skipped: {} });
  }
});

test('applies the opt-out date or complaint of a rejected row (C9)', async () => {
  const list = await readList({
    'list.csv': csv(
      'Email,Status,Unsubscribed At',
      '"b@x.test or a@x.test",unsubscribed,2024-02-03',
      'a@x.test,active,',
      '"d@x.test or c@x.test",complained,',
      'c@x.test,active,',
    ),
  });
  expect(list.contacts).toEqual([
    { email: 'a@x.test', status: 'unsubscribed', unsubscribed_at: '2024-02-03T00:00:00.000Z' },
    { email: 'c@x.test', status: 'unsubscribed' },
  ]);
  expect(list.suppressions).toEqual({});
});

test('ignores the status of a rejected row when it says subscribed (C9)', async () => {
  const list = await readList({
    'list.csv': csv('Email,Status', '"b@x.test, a@x.test",active', 'a@x.test,active', 'b@x.test,unsubscribed'),
  });
  expect(list.contacts).toEqual([{ email: 'b@x.test', status: 'unsubscribed' }, { email: 'a@x.test' }]);
});

test.each([
  ['with another delimiter', '"a@x.test;unsubscribed"'],
  ['that a late quote joins with others', '1,,"note\na@x.test,Ana,unsubscribed\nb@x.test,Bo",true'],
  ['with too many cells', '1,,x,true,a@x.test'],
])('applies the opt-out of a rejected HubSpot row %s (C9)', async (_, row) => {
  const list = await readList({
    'hubspot-crm-exports-all.csv': csv(
      'Record ID,Email,Note,Unsubscribed from all email',
      '2,a@x.test,,false',
      '3,z@x.test,,false',
      row,
    ),
  });
  expect([signedUp(list.contacts), list.reading.rows.rejected]).toEqual([['z@x.test'], 1]);
});

test('suppresses both addresses of an opted-out person of HubSpot (C9)', async () => {
  const list = await readList({
    'hubspot-crm-exports-all.csv': csv(
      'Record ID,Email,Unsubscribed from all email',
      '1,b@x.test;a@x.test,true',
      '2,a@x.test,false',
    ),
  });
  expect([list.contacts, list.suppressions]).toEqual([[], { unsubscribed: ['b@x.test', 'a@x.test'] }]);
});

function people(count: number): string {
  return Array.from({ length: count }, (_, index) => `somebody.${index}@example.com`).join(';');
}

function signedUp(contacts: readonly { readonly email: string; readonly status?: string }[]): string[] {
  return contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
}
