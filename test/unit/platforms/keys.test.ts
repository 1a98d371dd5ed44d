import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attributeKey, createKeyOffers, isNormalKey } from '../../../src/platforms/lib/attribute-keys.ts';

test.each([
  ['Company / Org', 'company_org'],
  ['State/Region', 'state_region'],
  ['Zip/Postal Code - Home ', 'zip_postal_code_home'],
  ['MEMBER_RATING', 'member_rating'],
  ['userGroup', 'user_group'],
  ['Prénom', 'prenom'],
  ['Größe', 'grosse'],
  ['Łódź', 'lodz'],
  ['2nd phone', 'n_2nd_phone'],
  ['2020', 'n_2020'],
  ['[Company]', 'company'],
  ['__proto__', 'proto'],
  ['Name (имя)', 'name'],
  ['Имя', ''],
  ['Город 2', ''],
  ['🎉', ''],
  ['', ''],
])('turns the header %j into the attribute key %j (F3)', (header, key) => {
  expect(attributeKey(header)).toBe(key);
});

test.each(
  'ß ss, æ ae, Æ ae, œ oe, Œ oe, ø o, Ø o, ł l, Ł l, đ d, Đ d, ð d, Ð d, þ th, Þ th, ı i'
    .split(', ')
    .map((pair) => pair.split(' ') as [string, string]),
)('writes the letter %s as %s in an attribute key (F3)', (letter, key) => {
  expect(attributeKey(`no ${letter}g`)).toBe(`no_${key}g`);
});

test.each(['a__b', 'a_', '_a', '1a', 'A', 'userGroup', 'a b', 'a-b', 'é', 'имя', ''])(
  'rejects the attribute key %j when the service would change it (F3)',
  (key) => {
    expect(isNormalKey(key)).toBe(false);
  },
);

test('makes only attribute keys that a second conversion does not change (F3)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (header) => {
      const key = attributeKey(header);
      expect(key === '' || (/^[a-z][a-z0-9_]*$/.test(key) && attributeKey(key) === key && isNormalKey(key))).toBe(true);
    }),
  );
});

test.each([
  ['Имя', 'imya'],
  ['Город 2', 'gorod_2'],
  ['Объект', 'obekt'],
  ['Πόλη', 'poli'],
  ['電話', 'dian_hua'],
  ['フリガナ', 'furigana'],
  ['도시', 'do_si'],
  ['עיר', 'yr'],
  ['ქალაქი', 'kalaki'],
  ['🎉', 'tada'],
  ['Company', 'company'],
  ['—', 'column_7'],
  ['', 'column_7'],
])('offers for the header %j the attribute key %s (F3)', async (header, key) => {
  const offered = [await createKeyOffers([header]), await createKeyOffers(['City', header, 'Имя'])];
  expect(offered.map((offer) => offer(header, 7))).toEqual([key, key]);
});
