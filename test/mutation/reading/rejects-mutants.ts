import type { Mutant } from '../mutant.ts';

const SEVERAL = ['test/unit/run-lifecycle/open/several-rejects.test.ts'];
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
  {
    rule: 'F9',
    what: 'the first rejects file decides how all inputs are read',
    file: 'src/run-lifecycle/open/corrected-rejects.ts',
    from: 'if (groups.size > 1)',
    to: 'if (groups.size > given.length)',
    tests: SEVERAL,
  },
  {
    rule: 'F9',
    what: 'a list beside a rejects file is read with the answers of its run',
    file: 'src/run-lifecycle/open/corrected-rejects.ts',
    from: 'Map.groupBy(given, (input)',
    to: 'Map.groupBy(given.filter(({ isRejects }) => isRejects), (input)',
    tests: SEVERAL,
  },
  {
    rule: 'F9',
    what: 'a list of the run beside its rejects file needs a command of its own',
    file: 'src/run-lifecycle/open/corrected-rejects.ts',
    from: 'return rejects?.reading ?? reading;',
    to: 'return rejects === undefined ? reading : reading;',
    tests: SEVERAL,
  },
];
