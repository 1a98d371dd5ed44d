import { expect, test } from 'vitest';
import { containsStem, stemPattern } from '../../../../src/import/consent-columns/words/word-patterns.ts';

const STEMS = stemPattern('optout nonewsletter');

test('finds a stem in a text right after it found one in another text (C1)', () => {
  const texts = ['long after all words opt out', 'opt out', 'opt out of mail', 'casino newsletter', 'opt out'];

  expect(texts.map((text) => containsStem(STEMS, text))).toEqual([true, true, true, false, true]);
});

test('finds a stem when it overlaps with a match that does not count (C1)', () => {
  expect(containsStem(stemPattern('nonewsletter newsletteropt'), 'casino newsletter opt')).toBe(true);
});
