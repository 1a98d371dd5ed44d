import { expect, test } from 'vitest';
import { otherSpellings, personKey } from '../../../../src/wire/person-key.ts';

test.each([
  ['anna@bücher.example', 'anna@xn--bcher-kva.example'],
  ['anna@shop.bücher.example', 'anna@shop.xn--bcher-kva.example'],
  ['anna@bücher.example.', 'anna@xn--bcher-kva.example.'],
  ['anna@пример.рф', 'anna@xn--e1afmkfd.xn--p1ai'],
  ['anna@faß.example', 'anna@xn--fa-hia.example'],
])('recognizes both spellings of %s as one person (F8)', (unicode, punycode) => {
  expect([personKey(unicode), personKey(punycode)]).toEqual([punycode, punycode]);
  const decomposed = [unicode.normalize('NFD')].filter((spelling) => spelling !== unicode);
  expect([otherSpellings(unicode), otherSpellings(punycode)]).toEqual([
    [punycode, ...decomposed],
    [unicode, ...decomposed],
  ]);
});

test.each([
  'anna@example.com',
  'xn--anna@example.com',
  'anna@xn--a.example',
  'anna@xn--.example',
  'bücher',
  '',
  // Addresses that a URL parser would cut, decode, or read as an IP address.
  'anna@bü/cher.example',
  'anna@bü?cher.example',
  'anna@bü#cher.example',
  'anna@bü:80',
  'anna@bü%41.example',
  'anna@bü／cher.example',
  'anna@[bücher.example]',
  'anna@１２７.1',
])('uses %j as its own person key when it has no other spelling (F8)', (email) => {
  expect([personKey(email), otherSpellings(email)]).toEqual([email, []]);
});

test('gives one person key to both half-Punycode spellings of a domain (F8)', () => {
  expect(personKey('a@xn--bcher-kva.bücher.example')).toBe(personKey('a@bücher.xn--bcher-kva.example'));
});

test.each([
  ['decomposed letters', 'anna@bu\u0308cher.example', 'anna@xn--bcher-kva.example', 'anna@bücher.example'],
  [
    'an ideographic dot',
    'anna@bücher。example',
    'anna@xn--bcher-kva.example',
    'anna@bücher.example',
    'anna@bu\u0308cher.example',
  ],
  [
    'full-width letters',
    'anna@ｂüｃｈｅｒ.example',
    'anna@xn--bcher-kva.example',
    'anna@bücher.example',
    'anna@bu\u0308cher.example',
  ],
  ['full-width ASCII letters', 'anna@ｂｕｃｈｅｒ.example', 'anna@bucher.example'],
  ['decomposed letters before the @', 'a\u0308nne@example.com', 'änne@example.com'],
  ['composed letters before the @', 'änne@example.com', 'a\u0308nne@example.com'],
  [
    'decomposed letters before the @ and a Unicode domain',
    'a\u0308nne@bücher.example',
    'änne@xn--bcher-kva.example',
    'a\u0308nne@xn--bcher-kva.example',
    'änne@bücher.example',
    'änne@bu\u0308cher.example',
    'a\u0308nne@bu\u0308cher.example',
  ],
])('gives an address with %s the person key of its other spellings (F8)', (_, email, ...standard) => {
  expect(otherSpellings(email)).toEqual(standard);
  expect(standard.map(personKey)).toEqual(standard.map(() => personKey(email)));
});

test('finds all spellings of an address when it gets any one of them (F8)', () => {
  const domains = ['bücher.example', 'bu\u0308cher.example', 'xn--bcher-kva.example'];
  const spellings = domains.flatMap((domain) => ['änne', 'a\u0308nne'].map((name) => `${name}@${domain}`));
  const found = spellings.map((email) => [email, ...otherSpellings(email)].toSorted());
  expect(found).toEqual(spellings.map(() => spellings.toSorted()));
});
