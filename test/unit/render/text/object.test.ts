import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from '../../../../src/render/text/object.ts';

test('escapes control characters in JSON without a change of its value (K5)', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), fc.string({ unit: 'binary' }), (value, text) => {
      const printed = jsonText([value, text]);
      expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify([value, text])));
      expect(printed.slice(0, -1)).not.toMatch(
        /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\u061c\u200e\u200f]/,
      );
    }),
  );
});
