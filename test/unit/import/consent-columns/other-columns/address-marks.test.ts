import { expect, test } from 'vitest';
import { addressCellState, findMark } from '../../../../../src/import/consent-columns/other-columns/address-marks.ts';
import { csv, readList } from '../../support.ts';

/** The people who get mail, and whether svc asks, in a list whose first person has this address. */
async function read(address: string) {
  const rows = ['ben@example.com', 'cy@example.com'].map((email) => `${email},subscribed`);
  const { contacts, trouble } = await readList({ 'list.csv': csv('Email,Status', `${address},subscribed`, ...rows) });
  const mailed = contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
  return { mailed, isAsked: trouble.includes('stop unknown_status') };
}

const SIGNS = ['†', '*', '?', '!', '#', '^', '~', '$', '=', '&', '%', '+', '\\', '¹', '✗', '…', '[x]', '(old)', '{x}'];
const WORDS = ['/old', '_OLD', '-old', '.old', '.bad', '.off', '+left', '#gone', '=unsub', '/x', '-2021'];
const DOMAINS = ['example.com', 'example.io', 'example.museum', 'mail.example.co.uk', 'bücher.de'];

test.each([...SIGNS, ...WORDS])('asks about an address with %s behind its domain (C10, F8)', async (mark) => {
  for (const domain of DOMAINS) {
    expect([domain, await read(`ana@${domain}${mark}`)]).toEqual([
      domain,
      { mailed: ['ben@example.com', 'cy@example.com'], isAsked: true },
    ]);
  }
});

test.each([
  'mailto:ana@example.com?subject=unsubscribe',
  'mailto:ana@example.com?subject=Please%20remove%20me',
  'MAILTO:ana@example.com?cc=&body=opt+out',
  'Ana <mailto:ana@example.com?subject=Abmeldung>',
  '[Ana](mailto:ana@example.com?subject=unsubscribe)',
])('mails no person whose mail link asks for an opt-out: %s (C10)', async (link) => {
  expect((await read(link)).mailed).toEqual(['ben@example.com', 'cy@example.com']);
});

test('asks about an address with .invalid behind a usual domain (C10, F8)', async () => {
  expect((await read('ana@example.com.invalid')).isAsked).toBe(true);
});

test('applies the opt-out of a marked address to the plain address (C9)', async () => {
  for (const mark of [...SIGNS, ...WORDS]) {
    expect([mark, findMark(`ana@example.com${mark}`)?.address]).toEqual([mark, 'ana@example.com']);
    const twice = csv('Email,Status', `ana@example.com${mark},unsubscribed`, 'ana@example.com,subscribed');
    const { contacts } = await readList({ 'list.csv': twice });
    const mailed = contacts.filter(({ email, status }) => email === 'ana@example.com' && status === undefined);
    expect([mark, mailed]).toEqual([mark, []]);
  }
});

test.each([
  ...['ana@example.com', 'ANA@EXAMPLE.COM', 'ana@example.museum', 'ana@пример.рф', 'ana@xn--e1afmkfd.xn--p1ai'],
  ...[
    'ana@bücher.de',
    'ana@my-site.com',
    'ana@old.com',
    'ana@example.invalid',
    'ana@mail.example.invalid',
    'ana@localhost',
  ],
  ...['a*b@example.com', 'a/b@example.com', 'a_b+c=d@example.com', 'ana@example.com.', 'ana@192.0.2.1'],
  ...['mailto:ana@example.com?subject=News', '<ana@example.com>', 'ana@example.com;', 'ana@example.delivery'],
  ...['ana@example.com\u200b', 'ana@example.com\ufeff', 'ana@example.com\u0085'],
])('reads no opt-out in the address %s', (address) => {
  expect(addressCellState(address)).toEqual({ state: 'none' });
});
