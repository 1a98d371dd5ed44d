import { Command } from 'commander';
import { expect, test } from 'vitest';
import {
  withImportFlags,
  withReadingFlags,
} from '../../../../src/commands/mailing-list-commands/flags/import-flags.ts';
import { readingFlagsOf } from '../../../../src/migrate/compare/reading-flags.ts';

test('takes from an import command each flag that says how to read its list', () => {
  const reading = withReadingFlags(new Command()).options.map(({ long }) => long);
  const expected = [...reading.filter((flag) => flag !== '--save-mapping'), '--max-failures'];
  const { options } = withImportFlags(new Command(), 'contacts');
  const taken = options.flatMap(({ long = '', required }) => {
    const [flag] = readingFlagsOf({ words: required ? [long, 'x'] : [long], answers: [] });
    return flag === undefined ? [] : [[long, required ? `${long} x` === flag : long === flag]];
  });
  expect(taken.sort()).toEqual(expected.map((flag) => [flag, true]).sort());
});

test.each<[string, string[], string[], string[]]>([
  ['no flags', ['contacts', 'import', 'a.csv'], [], []],
  ['a mapping file', ['contacts', 'import', 'a.csv', '--mapping', 'my map.json'], [], ["--mapping 'my map.json'"]],
  ['a joined value', ['--status-map==skip', 'a.csv'], [], ["--status-map '=skip'"]],
  ['a value that begins with a dash', ['--default-status', '-x.csv=skip'], [], ['--default-status=-x.csv=skip']],
  ['a flag several times', ['--map', 'A=email', '--map', 'B=ignore'], [], ['--map A=email', '--map B=ignore']],
  ['an answer about a heading', ['--allow-heading', '--- OUT', '--yes'], [], ["'--allow-heading=--- OUT'"]],
  ['a switch', ['--allow-joined-files', 'a.csv'], [], ['--allow-joined-files']],
  ['answers at the terminal', ['a.csv', '--from', 'brevo'], ['--map', 'B=ignore'], ['--map B=ignore', '--from brevo']],
  ['answers about sending', ['a.csv'], ['--plan', 'paid', '--status-map', 'a=skip'], ['--status-map a=skip']],
  ['flags about sending', ['--yes', '--gone', 'report', '--save-mapping', 'b.json', '--only-changed', 'a.csv'], [], []],
  ['an input that looks like a flag', ['--', '--map', 'B=ignore'], [], []],
  ['a flag as the value of a flag', ['--delimiter', '--map', 'x'], [], ['--delimiter=--map']],
])('takes only the flags about reading when the import has %s', (_, words, answers, flags) => {
  expect(readingFlagsOf({ words, answers })).toEqual(flags);
});

test('takes no flags of a run that recorded no command line', () => {
  expect(readingFlagsOf(undefined)).toEqual([]);
});
