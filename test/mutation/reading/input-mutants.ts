import type { Mutant } from '../mutant.ts';

const HELD = ['test/unit/migrate/prepare/held-inputs.test.ts'];
const COPY = ['test/unit/import/source/input-copy.test.ts'];

/** Inputs that change while they are copied, surveyed, sent, or before a resume. */
export const INPUT_MUTANTS: readonly Mutant[] = [
  {
    rule: 'D5',
    what: 'a resume reads the original again',
    file: 'src/migrate/prepare/resume-run.ts',
    from: '{ files: copiedFiles(header.inputs, files.inputs), confirm',
    to: '{ files: header.inputs.map(({ path }) => ({ path, place: path })) ?? copiedFiles([], files.inputs), confirm',
    tests: HELD,
  },
  {
    rule: 'D5',
    what: 'a resume does not say that the original was changed',
    file: 'src/migrate/prepare/resume-run.ts',
    from: 'const changedInputs = await changedOriginals(journal.header.inputs);',
    to: 'const changedInputs = await changedOriginals([]);',
    tests: HELD,
  },
  {
    rule: 'D5',
    what: 'a new run does not name the unfinished run of an older version of its file',
    file: 'src/migrate/prepare/open-run.ts',
    from: '  if (older) {\n',
    to: '  if (older?.run === header.run) {\n',
    tests: HELD,
  },
  {
    rule: 'D7',
    what: 'a run reads the file of the user rather than its copy',
    file: 'src/import/source/copy-input.ts',
    from: 'file: { place: to, label, isCopy: true, size: copied.size }, recorded',
    to: 'file: { place: resolve(copying.cwd, path), label }, recorded',
    tests: [...COPY, ...HELD],
  },
  {
    rule: 'D7',
    what: 'the thread that reads a long list reads the original',
    file: 'src/migrate/prepare/draft-import.ts',
    from: '    files: run.inputCopies.files,\n',
    to: '    files: options.inputs.map((path) => ({ path, place: path })),\n',
    tests: HELD,
  },
  {
    rule: 'D7',
    what: 'a file that grows while svc copies it is accepted',
    file: 'src/import/source/copy-input.ts',
    from: 'if (change !== undefined || BigInt(copied.size) !== before.size) {',
    to: 'if (change !== undefined && copied.size < 0) {',
    tests: COPY,
  },
  {
    rule: 'D7',
    what: 'a copy is not compared with the path, which leads to another file by then',
    file: 'src/import/source/copy-input.ts',
    from: ' ?? describeChange(before, statsOf(place));',
    to: ';',
    tests: COPY,
  },
  {
    rule: 'D7',
    what: 'a dry run does not look whether its file was changed between two reads',
    file: 'src/import/source/input-changes.ts',
    from: 'const change = describeChange(before, statsOf(namedPath));',
    to: 'const change = describeChange(before, before);',
    tests: [...COPY, ...HELD],
  },
  {
    rule: 'D7',
    what: 'a dry run trusts the hash of what it read, and does not look whether the file was changed since',
    file: 'src/import/source/input-changes.ts',
    from: '      await check();\n      if (!hashes',
    to: '      if (!hashes',
    tests: COPY,
  },
  {
    rule: 'D7',
    what: 'a resume sends the rows of a damaged copy',
    file: 'src/migrate/prepare/resume-run.ts',
    from: '  const damage = await findDamagedCopy(inputs, files.inputs);\n',
    to: '  const damage = await findDamagedCopy([], files.inputs + inputs.length);\n',
    tests: HELD,
  },
];
