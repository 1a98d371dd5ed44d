import type { Mutant } from '../mutant.ts';

const MOVED = ['test/unit/run-lifecycle/open/moved-rejects.test.ts'];

/** Rejects files that are given back. */
export const REJECTS_MUTANTS: readonly Mutant[] = [
  {
    rule: 'F9',
    what: 'moved rejects are read with the answers of any run with rejects',
    file: 'src/run-lifecycle/open/rejecting-run.ts',
    from: 'one.wasCarriedOut && (await hasRowsOf(one, file))',
    to: 'one.wasCarriedOut && file.head.length > 0',
    tests: MOVED,
  },
  {
    rule: 'F9',
    what: 'moved rejects are read with the answers of a dry run or a refused run',
    file: 'src/run-lifecycle/open/rejecting-run.ts',
    from: "dryRun !== true && status !== 'refused'",
    to: "run !== '' && status !== ''",
    tests: MOVED,
  },
  {
    rule: 'F9',
    what: 'the newest of several runs decides how moved rejects are read',
    file: 'src/run-lifecycle/open/corrected-rejects.ts',
    from: 'new Set(readings.map(hashPlainData)).size > 1',
    to: 'new Set(readings.map(hashPlainData)).size > found.length',
    tests: MOVED,
  },
];
