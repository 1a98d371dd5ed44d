import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noCycles, noDeadExports, noExportsForTests } from './links.ts';
import { parseModule } from './module.ts';
import { parseAll, type Rule } from './rule.ts';
import { noBannedWords } from './rules/banned-words.ts';
import { noRawBlankTests } from './rules/blank-cells.ts';
import { smallFiles, smallFunctions } from './rules/budget.ts';
import { namesInComments } from './rules/comment-names.ts';
import { direction } from './rules/direction.ts';
import { folderOrder, noTwoWayFolders } from './rules/folder-order.ts';
import { folderSizes, noDoubleNames, noFragments, shallow, testFolderSizes } from './rules/layout.ts';
import { noLostFields } from './rules/passed-on.ts';
import { quotedForShell } from './rules/pasted-commands.ts';
import { pluralAfterNumber } from './rules/plurals.ts';
import { fewParameters, noBarrels, noClasses, noDefaultExports, shortComments, shortFiles } from './rules/shape.ts';
import { shortTitles } from './rules/titles.ts';
import { noChance, noDeepJson, noMocks, noProcess, noSpreadCalls, noTime } from './rules/words.ts';

const ROOT = join(import.meta.dirname, '../..');

const RULES: readonly Rule[] = [
  direction,
  folderOrder,
  noTwoWayFolders,
  noCycles,
  noProcess,
  noTime,
  noChance,
  noSpreadCalls,
  noDeepJson,
  noDefaultExports,
  noBarrels,
  shortFiles,
  shortComments,
  namesInComments,
  smallFiles,
  smallFunctions,
  folderSizes,
  testFolderSizes,
  noFragments,
  shallow,
  noDoubleNames,
  noClasses,
  fewParameters,
  noLostFields,
  noDeadExports,
  noExportsForTests,
  noMocks,
  noBannedWords,
  quotedForShell,
  pluralAfterNumber,
  noRawBlankTests,
  shortTitles,
];

const MODULES = globSync(['src/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts'], { cwd: ROOT })
  .filter((path) => !path.endsWith('.d.ts'))
  .map((path) => parseModule(path, readFileSync(join(ROOT, path), 'utf8')));

describe.each(RULES.map((rule) => [rule.claim, rule] as const))('the rule that %s', (_, rule) => {
  test('no file of this repository breaks the architecture rule', () => {
    expect(rule.broken(MODULES)).toEqual([]);
  });

  test('the architecture rule finds what is wrong in an example', () => {
    expect(rule.broken(parseAll(rule.proof.files))).toEqual(rule.proof.says);
  });
});

test('src holds only TypeScript and Markdown', () => {
  const files = globSync('src/**', { cwd: ROOT, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.filter(({ name }) => !/\.(?:ts|md)$/.test(name)).map(({ name }) => name)).toEqual([]);
});
