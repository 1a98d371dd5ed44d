import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { strayState } from '../../../src/import/consent-columns/stray-words.ts';
import { CLEAR_WORDS, keyOf } from '../../../src/import/consent-columns/value-words.ts';
import { createWordGate } from '../../../src/import/consent-columns/word-gate.ts';
import { goldenLines } from './vocabulary/golden.ts';

// The words that count under any header, in the form of keys: those with a state in the fifth column of the file.
const LEAVING = goldenLines('status-words.txt').flatMap(({ cells: [word = '', , , , elsewhere = '-'] }) =>
  ['-', 'refused', 'asked'].includes(elsewhere) ? [] : [keyOf(word)],
);

// How programs and people write a word that stands in a column of something else.
const SHAPES: Readonly<Record<string, (word: string) => string>> = {
  'as it is': (word) => word,
  'in capitals': (word) => word.toUpperCase(),
  'in wide letters': (word) => word.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  'with split accents': (word) => word.normalize('NFD'),
  'with invisible signs': (word) => [...word].join('\u200b'),
  'with dots between': (word) => [...word].join('.'),
  'in quotes': (word) => `  “${word}”`,
  'behind a number': (word) => `12. ${word}`,
  'behind the name of the field': (word) => `Status: ${word}`,
  'behind a sign': (word) => `🚫 ${word}`,
  'last in a list': (word) => `vip, blue;${word}`,
  'behind a dash': (word) => `3 - ${word}`,
  'in brackets': (word) => `[${word}]`,
  'between stars behind a name': (word) => `Berg *** ${word} ***`,
  'before a date': (word) => `${word} (2024-01-02)`,
};

test.each(Object.entries(SHAPES))('finds every word of leaving %s (C10)', (_, shape) => {
  const missed = LEAVING.filter((word) => strayState(shape(word)).state === 'none');
  expect(missed).toEqual([]);
});

test('reads nothing into what people write about other things (C10)', () => {
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
  expect(cells.filter((cell) => strayState(cell).state !== 'none')).toEqual([]);
});

describe('the gate', () => {
  const gate = createWordGate(LEAVING);

  test('lets no word by, whatever stands between its letters (C10)', () => {
    const signs = fc.string({
      unit: fc.constantFrom(' ', '.', '-', '_', '\u0301', '\u00ad', '"', '’', '🙂'),
      maxLength: 3,
    });
    const cells = fc
      .tuple(fc.constantFrom(...LEAVING), fc.array(signs, { minLength: 40, maxLength: 40 }))
      .map(([word, between]) => [...word].map((letter, index) => between[index % 40] + letter).join(''));
    fc.assert(
      fc.property(cells, (cell) => {
        // A blank and a dash begin a new item, of which the word is not the whole.
        fc.pre(!/ [-–/]/.test(cell) && CLEAR_WORDS.has(keyOf(cell)));
        expect(gate(cell)).toBe(true);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test('keeps out what begins like no word', () => {
    const cells = [
      'Zürich',
      'São Paulo',
      '美咲',
      'met in Lyon, call back',
      '2026-01-02 03:15:00',
      'Société du Nord',
      '',
    ];
    expect(cells.filter(gate)).toEqual([]);
  });
});
