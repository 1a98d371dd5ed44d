import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFileNames } from '../../../../src/import/rejects/file-names.ts';

test.each([
  ['list.csv', 'list.csv'],
  ['März & Söhne (2).csv', 'März & Söhne (2).csv'],
  ['../../etc/passwd', '__.._etc_passwd'],
  ['a\\b/c.csv', 'a_b_c.csv'],
  ['line\nbreak\u202e.csv', 'line_break_.csv'],
  ['CON.csv', '_CON.csv'],
  ['Con', '_Con'],
  ['ends. ', 'ends_'],
  ['', 'list.csv'],
])('turns the name %j into the file name %j', (name, file) => {
  expect(createFileNames()(name)).toBe(file);
});

test('numbers names that a file system may not distinguish (D9)', () => {
  const nameOf = createFileNames();
  const names = [
    'list.csv',
    'LIST.csv',
    'list-2.csv',
    'list.csv',
    'e\u0301.csv',
    '\u00e9.csv',
    'stra\u00dfe',
    'STRASSE',
  ];
  expect(names.map(nameOf)).toEqual([
    ...['list.csv', 'LIST-2.csv', 'list-2-2.csv', 'list-3.csv'],
    ...['e\u0301.csv', '\u00e9-2.csv', 'stra\u00dfe', 'STRASSE-2'],
  ]);
});

test('turns any names into valid, distinct and repeatable file names (D9)', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.constantFrom('a', 'A', '..', 'a/b', 'x'.repeat(300)),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (names) => {
      const files = names.map(createFileNames());
      expect(names.map(createFileNames())).toEqual(files);
      expect(new Set(files.map((file) => file.normalize('NFC').toLowerCase())).size).toBe(files.length);
      for (const file of files) {
        expect(Buffer.byteLength(file)).toBeLessThanOrEqual(140);
        expect(file).not.toMatch(/^\.|[/\\\0]|^$/);
        expect(file.isWellFormed()).toBe(true);
      }
    }),
  );
});
