import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noBannedWords } from './banned-words.ts';
import { smallFiles, smallFunctions } from './budget.ts';
import { namesInComments } from './comment-names.ts';
import { direction } from './direction.ts';
import { folderSizes, noDoubleNames, noFragments, shallow } from './layout.ts';
import { noCycles, noDeadExports, noExportsForTests } from './links.ts';
import { parseModule } from './module.ts';
import { noLostFields } from './passed-on.ts';
import { quotedForShell } from './pasted-commands.ts';
import { pluralAfterNumber } from './plurals.ts';
import { parseAll, type Rule } from './rule.ts';
import { fewParameters, noBarrels, noClasses, noDefaultExports, shortComments, shortFiles } from './shape.ts';
import { shortTitles } from './titles.ts';
import { noChance, noDeepJson, noMocks, noProcess, noSpreadCalls, noTime } from './words.ts';

const ROOT = join(import.meta.dirname, '../..');

const RULES: readonly Rule[] = [
  direction,
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
