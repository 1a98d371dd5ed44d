import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { undoDoubleEncoding } from '../../../../src/import/encoding/double-encoding.ts';
import { csv, readList } from '../support.ts';

const ENCODINGS = ['windows-1252', 'windows-1250', 'macintosh', 'cp850', 'cp437'];
const WORDS = ['José', 'Désabonné', 'Gekündigt', 'España', 'Straße', 'Déjà', 'Ångström', 'Łódź', 'Отписан'];

/** UTF-8 as a program reads it in another encoding. A byte without a letter becomes a control character. */
function misread(text: string, encoding: string): string {
  return [...Buffer.from(text)]
    .map((byte) => iconv.decode(Buffer.of(byte), encoding).replace('\ufffd', String.fromCharCode(byte)))
    .join('');
}

test.each(ENCODINGS)('restores the right words when UTF-8 was read as %s', (encoding) => {
  expect(WORDS.map((word) => undoDoubleEncoding(misread(word, encoding)))).toEqual(WORDS);
});

test('restores the right words when UTF-8 was read as windows-1251', () => {
  const words = WORDS.filter((word) => word !== 'Łódź');
  expect(words.map((word) => undoDoubleEncoding(misread(word, 'windows-1251')))).toEqual(words);
});

test('leaves words as they are when no letter was encoded twice', () => {
  const words = 'José Ñandú Ângelo SÃO ÃO √2≈1 ├──┤ Ä–Ö Ærø–Ø РОССИЯ Галина Сірко Світлана Сёмин Ľubica Žák Świątek Ă';
  expect(words.split(' ').filter((word) => undoDoubleEncoding(word) !== undefined)).toEqual([]);
});

test.each(ENCODINGS)('warns about a name when UTF-8 was read as %s', async (encoding) => {
  const files = { 'list.csv': csv('Email,Status,Name', `ana@x.test,subscribed,${misread('José', encoding)}`) };

  const { trouble } = await readList(files);

  expect(trouble).toContain('warn encoding');
});
