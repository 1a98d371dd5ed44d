import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPT_OUT_WORDS } from '../../../../../src/import/consent-columns/other-columns/opt-out-words.ts';
import { isSeparatorByte } from '../../../../../src/import/consent-columns/other-columns/quick-tests/byte-kinds.ts';
import { createWordFilter } from '../../../../../src/import/consent-columns/other-columns/quick-tests/word-filter.ts';
import { optOutReader, optOutState } from '../../../../../src/import/consent-columns/other-columns/read-words.ts';
import { CLEAR_WORDS, wordLookupKey } from '../../../../../src/import/consent-columns/words/value-words.ts';
import { stepOf } from '../../../../support/sweep.ts';
import { goldenLines } from '../vocabulary/golden.ts';

// The opt-out words that count under any header, normalized. The fifth column of the file holds their state.
const LEAVING = goldenLines('status-words.txt').flatMap(({ cells: [word = '', , , , elsewhere = '-'] }) =>
  ['-', 'refused', 'asked'].includes(elsewhere) ? [] : [wordLookupKey(word)],
);

// Ways to write an opt-out word in a column about something else.
const SHAPES: Readonly<Record<string, (word: string) => string>> = {
  'as a plain word': (word) => word,
  'in capitals': (word) => word.toUpperCase(),
  'in full-width letters': (word) => word.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  'with decomposed accents': (word) => word.normalize('NFD'),
  'with zero-width spaces': (word) => [...word].join('\u200b'),
  'with dots between letters': (word) => [...word].join('.'),
  'in quotes': (word) => `  “${word}”`,
  'after a number': (word) => `12. ${word}`,
  'after a field name': (word) => `Status: ${word}`,
  'after an emoji': (word) => `🚫 ${word}`,
  'last in a list': (word) => `vip, blue;${word}`,
  'after a dash': (word) => `3 - ${word}`,
  'in brackets': (word) => `[${word}]`,
  'between asterisks after a name': (word) => `Berg *** ${word} ***`,
  'before a date': (word) => `${word} (2024-01-02)`,
};

test.each(Object.entries(SHAPES))('finds every opt-out word %s (C10)', (_, shape) => {
  const missed = LEAVING.filter((word) => optOutState(shape(word)).state === 'none');
  expect(missed).toEqual([]);
});

test('finds no opt-out in text without an opt-out word (C10)', () => {
  const cells = [
    '',
    'x',
    'Note',
    'Opt',
    'Dnepr',
    'please call',
    'United States',
    '+49 (30) 1234',
    '2026-01-02',
    '[Ana]',
  ];
  expect(cells.filter((cell) => optOutState(cell).state !== 'none')).toEqual([]);
});

test('finds every listed opt-out word in every script (C10)', () => {
  const read = optOutReader('other');
  expect(
    [...OPT_OUT_WORDS.other].filter((word) => read(word).state === 'none' && read(word).unknown === undefined),
  ).toEqual([]);
});

describe('the filter that rules out cells without opt-out words', () => {
  const wordTest = createWordFilter([...LEAVING, ...OPT_OUT_WORDS.other], ['no', 'off']);
  // A cell with several items is read by another function.
  const mayPass = (cell: string): readonly boolean[] => {
    const bytes = Buffer.from(`"${cell}"`);
    const isList = [...bytes].some(isSeparatorByte);
    const end = bytes.length - 1;
    return [wordTest.text(cell), isList ? wordTest.bytes(bytes, 1, end) : wordTest.item(bytes, 1, end)];
  };

  test('the filter keeps an opt-out word with other characters in it (C10)', () => {
    const signs = fc.string({
      unit: fc.constantFrom(' ', '.', '-', '_', '\u0301', '\u00ad', '"', '’', '🙂'),
      maxLength: 3,
    });
    const cells = fc
      .tuple(fc.constantFrom(...LEAVING), fc.array(signs, { minLength: 40, maxLength: 40 }))
      .map(([word, between]) => [...word].map((letter, index) => between[index % 40] + letter).join(''));
    fc.assert(
      fc.property(cells, (cell) => {
        // A space with a dash begins a new item, and then the word is no longer one item.
        fc.pre(!/ [-–/]/.test(cell) && CLEAR_WORDS.has(wordLookupKey(cell)));
        expect(mayPass(cell)).toEqual([true, true]);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test('the filter for opt-out words treats bytes and text the same (C10)', () => {
    const words = fc.constantFrom(...LEAVING, ...OPT_OUT_WORDS.other, 'optin', 'foo', 'no');
    const signs = fc.constantFrom(
      ...' |,|;| - | – |–|-|/|*|(|[|{|:|=|：|＝|†|✝|✞|""|12. |3:|é|、|€|😀|Ó|x|ﾊ|ﾞ|＊|；|\u3000'.split('|'),
    );
    const letters = fc.string({ unit: 'binary', maxLength: 2 }).filter((text) => text.isWellFormed());
    const parts = fc.oneof(
      words,
      words.map((word) => word.toUpperCase()),
      signs,
      signs,
      letters,
    );
    const cells = fc.array(parts, { maxLength: 7 }).map((some) => some.join(''));
    fc.assert(
      fc.property(cells, (cell) => {
        const [text, bytes] = mayPass(cell);
        expect(bytes).toBe(text);
      }),
      { seed: 1, numRuns: Number(process.env.RUNS ?? 4_500 / stepOf(3)) },
    );
  });

  test('the filter skips cells in which no word begins like an opt-out word', () => {
    const cells = [
      'Zürich',
      'São Paulo',
      '美咲',
      'met in Lyon, call back',
      '2026-01-02 03:15:00',
      'Société du Nord',
      '',
    ];
    expect(cells.filter((cell) => mayPass(cell).includes(true))).toEqual([]);
  });
});

test('the word filter finds a word after a number of any length', () => {
  const { text, bytes } = createWordFilter(['unsubscribed']);
  const cells = [
    '1unsubscribed',
    '2021-unsubscribed',
    '20210501_unsubscribed',
    '123456789unsubscribed',
    '123456789-unsubscribed',
  ];
  const found = cells.map((cell) => [text(cell), bytes(Buffer.from(cell), 0, cell.length)]);
  expect(found).toEqual(cells.map(() => [true, true]));
});
