import { expect, test } from 'vitest';
import { otherSpelling, personKey } from '../../../src/wire/person-key.ts';

test.each([
  ['anna@bücher.example', 'anna@xn--bcher-kva.example'],
  ['änne@bücher.example', 'änne@xn--bcher-kva.example'],
  ['anna@shop.bücher.example', 'anna@shop.xn--bcher-kva.example'],
  ['anna@bücher.example.', 'anna@xn--bcher-kva.example.'],
  ['anna@пример.рф', 'anna@xn--e1afmkfd.xn--p1ai'],
  ['anna@faß.example', 'anna@xn--fa-hia.example'],
])('knows both spellings of %s as one person (F8)', (unicode, punycode) => {
  expect([personKey(unicode), personKey(punycode)]).toEqual([punycode, punycode]);
  expect([otherSpelling(unicode), otherSpelling(punycode)]).toEqual([punycode, unicode]);
});

test.each([
  'anna@example.com',
  'änne@example.com',
  'xn--anna@example.com',
  'anna@xn--a.example',
  'anna@xn--.example',
  'bücher',
  '',
])('keeps %j, which has one spelling (F8)', (email) => {
  expect([personKey(email), otherSpelling(email)]).toEqual([email, undefined]);
});

test('knows a domain of mixed labels as the same person (F8)', () => {
  expect(personKey('a@xn--bcher-kva.bücher.example')).toBe(personKey('a@bücher.xn--bcher-kva.example'));
});
