import type { Mutant } from '../mutant.ts';

const SEVERAL = ['test/unit/run-lifecycle/open/several-rejects.test.ts'];
const CHANGED = ['test/unit/import/rejects/changed-columns.test.ts'];
const RESAVED = ['test/unit/run-lifecycle/open/resaved-rejects.test.ts'];
const MOVED = ['test/unit/run-lifecycle/open/moved-rejects.test.ts'];

/** Rejects files that are given back. */
export const REJECTS_MUTANTS: readonly Mutant[] = [
  {
    rule: 'F9',
    what: 'moved rejects are read with the answers of any run with rejects',
    file: 'src/run-lifecycle/open/rejecting-run.ts',
    from: '(await hasRejectedRows(original, await formFor(original, one, undefined), rows)) ? run',
    to: '(await hasRejectedRows(original, await formFor(original, one, undefined), rows)) || run ? run',
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
    what: 'a file that the user never gave stops moved rejects',
    file: 'src/run-lifecycle/open/rejecting-run.ts',
    from: 'await unlessUnreadable(() => runWithRowsOf(file, one, reading))',
    to: 'await runWithRowsOf(file, one, reading)',
    tests: MOVED,
  },
  {
    rule: 'F9',
    what: 'the newest of several runs decides how moved rejects are read',
    file: 'src/run-lifecycle/open/corrected-rejects.ts',
    from: 'new Set(found.map((run) => hashPlainData(run.reading))).size > 1',
    to: 'new Set(found.map((run) => hashPlainData(run.reading))).size > found.length',
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
    from: '(isRejects ? undefined : given.find(isOfRun))?.reading ?? reading',
    to: '(isRejects ? undefined : given.filter(isOfRun)[given.length])?.reading ?? reading',
    tests: SEVERAL,
  },
  {
    rule: 'F9',
    what: 'rejects that a spreadsheet saved are read in the form of the original',
    file: 'src/run-lifecycle/open/rejecting-run.ts',
    from: 'isPlain || (hasSameHead && (await mayBeAsWritten(file, form, delimiters())))',
    to: 'isPlain || hasSameHead || !hasSameHead',
    tests: RESAVED,
  },
  {
    rule: 'F9',
    what: 'moved rejects with another header line keep the form of the original',
    file: 'src/run-lifecycle/open/rejecting-run.ts',
    from: 'original === undefined || original.head === file.head',
    to: 'original === undefined || original.head !== undefined',
    tests: RESAVED,
  },
  {
    rule: 'F9',
    what: 'rejects saved as UTF-8 are read in the encoding of the original',
    file: 'src/import/rejects/file-form.ts',
    from: ' && !isNowUtf8(beyondAscii, encoding)',
    to: ' && (isNowUtf8(beyondAscii, encoding) || true)',
    tests: RESAVED,
  },
  {
    rule: 'F9',
    what: 'rejects saved with another delimiter are read with that of the original',
    file: 'src/import/rejects/file-form.ts',
    from: 'one === delimiter || ',
    to: "one === delimiter || one !== '' || ",
    tests: RESAVED,
  },
  {
    rule: 'C10',
    what: 'a rejects file without one of the svc_ columns is an ordinary list',
    file: 'src/import/tables/build-table.ts',
    from: '  refuseChangedSvcColumns(start.source, shape.header, mapped.named);\n',
    to: '',
    tests: CHANGED,
  },
  {
    rule: 'C10',
    what: 'svc_ columns in capitals are custom fields',
    file: 'src/import/mapping/changed-svc-columns.ts',
    from: 'name.trim().toLowerCase()',
    to: 'name.trim()',
    tests: CHANGED,
  },
  {
    rule: 'F9',
    what: 'an answer at the terminal drops the answers of the rejecting run',
    file: 'src/run-lifecycle/stops/resolve-stops.ts',
    from: 'answered.reading ? run.addEarlierAnswers(answered.reading) : run.options.reading',
    to: 'answered.reading ?? run.options.reading',
    tests: ['test/unit/run-lifecycle/open/corrected-rejects.test.ts'],
  },
];
