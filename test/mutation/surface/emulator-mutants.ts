import type { Mutant } from '../mutant.ts';

/** What the emulator must do so that tests and rehearsals can believe it. */
export const EMULATOR_MUTANTS: readonly Mutant[] = [
  {
    rule: 'I11',
    what: 'two emulators on one folder run a key twice, because each looks it up before its transaction',
    file: 'src/emulator/http/run-once-per-key.ts',
    from: `  try {
    return context.store.transaction(() => {
      const replay = findReplay(pipeline, call);`,
    to: `  const replay = findReplay(pipeline, call);
  try {
    return context.store.transaction(() => {`,
    tests: ['test/unit/emulator/store/two-processes.test.ts'],
  },
  {
    rule: 'I11',
    what: 'two emulators on one folder claim a key twice, because each looks it up before its transaction',
    file: 'src/emulator/http/run-once-per-key.ts',
    from: `  return context.store.transaction(() => {
    const replay = findReplay(pipeline, call);
    if (replay === undefined) {`,
    to: `  const replay = findReplay(pipeline, call);
  return context.store.transaction(() => {
    if (replay === undefined) {`,
    tests: ['test/unit/emulator/store/two-processes.test.ts'],
  },
  {
    rule: 'I11',
    what: 'a refusal replaces the stored response of another process',
    file: 'src/emulator/http/run-once-per-key.ts',
    from: `    const replay = findReplay(pipeline, call);
    if (replay !== undefined) {
      return replay;
    }
    const response`,
    to: '    const response',
    tests: ['test/unit/emulator/store/two-processes.test.ts'],
  },
  {
    rule: 'I11',
    what: 'two emulators on one folder play a step of a message twice',
    file: 'src/emulator/webhooks/worker.ts',
    from: 'context.store.transaction(() => playDueJob(context, now));',
    to: 'playDueJob(context, now);',
    tests: ['test/unit/emulator/store/two-processes.test.ts'],
  },
  {
    rule: 'I6',
    what: 'an emulator forgets at a restart by how much its clock was moved',
    file: 'src/emulator/setup/kept-clock.ts',
    from: 'Math.max(readOffset(store), behind)',
    to: 'Math.max(0, behind)',
    tests: ['test/unit/emulator/setup/kept-clock.test.ts'],
  },
  {
    rule: 'I6',
    what: 'an emulator whose clock ran faster begins before the times in its store',
    file: 'src/emulator/setup/kept-clock.ts',
    from: 'Math.max(readOffset(store), behind)',
    to: 'readOffset(store)',
    tests: ['test/unit/emulator/setup/kept-clock.test.ts'],
  },
];
