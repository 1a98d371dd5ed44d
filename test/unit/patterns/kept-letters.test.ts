import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/import/consent-columns/words/plain-words.ts';
import { patternsOfSource } from './patterns-of-source.ts';

const FOLDER = 'src/import/consent-columns/';

/** Letters that `wordsOf` changes, in patterns for the text as it is. */
const IN_TEXT_AS_IT_IS = [
  'words/plain-words.ts: ßæœøłđıёیىک',
  'words/plain-words.ts: ʼ',
  'cells/mail-results.ts: ß',
  'cells/notes.ts: í',
  'cells/notes.ts: ã',
  'headers/contrary-headers.ts: إإإม่ส่भेजोإลิủỷ',
  'other-columns/address-marks.ts: öüééé',
  'other-columns/address-marks.ts: öüééé',
  'other-columns/list-names.ts: çıı',
  'other-columns/list-names.ts: ßł',
  'several-columns/named-lists.ts: í',
  'several-columns/named-lists.ts: üå',
];

/** The letters in a pattern that `wordsOf` changes. A pattern for its result can't match them. */
function changedLetters(source: string): string {
  const letters = source.replace(/\\[pPu]\{[^}]*\}/g, '').match(/\p{L}\p{M}*/gu) ?? [];
  return letters.filter((letter) => /[^a-z]/i.test(letter) && wordsOf(letter) !== letter).join('');
}

test('finds those letters of a pattern that normalized text never has', () => {
  expect(['почт(?:а|ой)', 'désabo', 'متوفى', 'почт(?:а|ои)', 'ガ', '\\p{Ll}'].map(changedLetters)).toEqual([
    'й',
    'é',
    'ى',
    '',
    '',
    '',
  ]);
});

test('only listed patterns have letters that cannot occur in normalized text', async () => {
  const patterns = (await patternsOfSource()).filter(({ file }) => file.startsWith(FOLDER));
  const found = patterns
    .map(({ source, file }) => ({ file: file.slice(FOLDER.length), letters: changedLetters(source) }))
    .filter(({ letters }) => letters !== '');
  expect(found.map(({ file, letters }) => `${file}: ${letters}`).sort()).toEqual(IN_TEXT_AS_IT_IS.toSorted());
});
