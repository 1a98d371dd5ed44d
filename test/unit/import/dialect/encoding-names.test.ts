import { expect, test } from 'vitest';
import { canonicalEncodingName } from '../../../../src/import/encoding/encodings.ts';

test.each([
  ['utf-8', 'UTF8 utf-8 Utf_8'],
  ['utf-16-le', 'UTF-16 utf16le UCS-2'],
  ['utf-16-be', 'utf16be'],
  ['utf-32-le', 'UTF-32 utf32le'],
  ['utf-32-be', 'utf32be'],
  ['windows-1252', 'cp1252 win1252 Windows-1252 ANSI'],
  ['iso-8859-1', 'latin1 Latin-1 ISO-8859-1'],
  ['macintosh', 'mac MacRoman Macintosh'],
])('knows %s by each of its names: %s', (canonical, names) => {
  const found = names.split(' ').map(canonicalEncodingName);
  expect(new Set(found)).toEqual(new Set([canonical]));
});
