import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS } from './all.ts';
import type { Mutant } from './mutant.ts';
import { runRandom } from './random/run-random.ts';
import { runTests, type TestResult } from './tests.ts';
import { copyTree, type Tree } from './tree.ts';

type Outcome = 'caught' | 'caught, but by no test that names the rule' | 'MISSED' | 'STALE' | 'BROKEN';

const { values } = parseArgs({
  options: {
    rule: { type: 'string' },
    file: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
    'suite-passes': { type: 'boolean', default: false },
    random: { type: 'string' },
    seed: { type: 'string', default: '1' },
    pick: { type: 'string', default: '' },
    'fail-under': { type: 'string', default: '0' },
  },
});
// The tests of all mutants are nearly the whole suite, with whole sweeps.
const MAX_BASELINE_MS = 3_600_000;

const root = join(import.meta.dirname, '../..');
process.exitCode = values.random
  ? await runRandom(root, {
      count: Number(values.random),
      seed: Number(values.seed),
      within: (values.file ?? '').split(','),
      pick: values.pick.split(',').filter(Boolean).map(Number),
      failUnder: Number(values['fail-under']),
    })
  : runTable();

/**
 * Runs the written mutants. Returns the exit code. `--shard 1/2` runs the first of two equal parts, so that two
 * processes share the work. `--suite-passes` says that all tests pass on this commit, and leaves out the run without a
 * mutant that would show it.
 */
function runTable(): number {
  const [shard = 1, shards = 1] = values.shard.split('/').map(Number);
  const chosen = MUTANTS.filter(
    ({ rule, file }) => (values.rule?.split(',').includes(rule) ?? true) && file.includes(values.file ?? ''),
  ).filter((_, index) => index % shards === shard - 1);
  if (chosen.length === 0) {
    throw new Error('no mutant has this rule, file and shard');
  }
  const tree = copyTree(root);
  const outcomes: Outcome[] = [];
  try {
    // Some tests start the built program.
    tree.build();
    const failingAlready = values['suite-passes'] ? new Set<string>() : failingAnyway(tree, chosen);
    for (const mutant of chosen) {
      const outcome = testMutant(tree, mutant, failingAlready);
      outcomes.push(outcome);
      console.log(`${mutant.rule.padEnd(4)} ${outcome}: ${mutant.what}`);
    }
  } finally {
    tree.remove();
  }
  const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
  const rules = new Set(chosen.map(({ rule }) => rule)).size;
  const caught = count('caught') + count('caught, but by no test that names the rule');
  console.log(
    `${chosen.length} mutants of ${rules} rules: ${caught} caught, ${count('MISSED')} missed, ${count('STALE')} stale`,
  );
  return count('caught') === chosen.length ? 0 : 1;
}

/** Titles of tests that fail without any mutant, so they prove nothing. */
function failingAnyway({ folder }: Tree, chosen: readonly Mutant[]): ReadonlySet<string> {
  const files = [...new Set(chosen.flatMap(({ tests }) => tests))];
  const { failed, broken } = runTests(folder, files, { timeoutMs: MAX_BASELINE_MS });
  if (broken) {
    throw new Error('some tests can not even be loaded, or they take more than an hour');
  }
  failed.forEach((title) => console.log(`fails without any mutant: ${title}`));
  return new Set(failed);
}

function testMutant({ folder, plant, build }: Tree, mutant: Mutant, failingAlready: ReadonlySet<string>): Outcome {
  const undo = plant(mutant);
  if (!undo) {
    return 'STALE';
  }
  try {
    if (mutant.build) {
      build();
    }
    const outcomeOfRun = (isQuick: boolean) => {
      const { failed, broken } = runTests(folder, mutant.tests, { isQuick });
      return outcomeOf(mutant, { failed: failed.filter((title) => !failingAlready.has(title)), broken });
    };
    // The first failed test catches most mutants. The whole sweeps take minutes.
    const quick = outcomeOfRun(true);
    return quick === 'caught' ? quick : outcomeOfRun(false);
  } finally {
    undo();
    if (mutant.build) {
      // Removes this mutant from the built program again.
      build();
    }
  }
}

function outcomeOf({ rule }: Mutant, { failed, broken }: TestResult): Outcome {
  if (failed.length === 0) {
    return broken ? 'BROKEN' : 'MISSED';
  }
  const names = new RegExp(`\\b${rule}\\b`);
  return failed.some((title) => names.test(title)) ? 'caught' : 'caught, but by no test that names the rule';
}
