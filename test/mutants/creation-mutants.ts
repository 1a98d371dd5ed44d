import type { Mutant } from './mutant.ts';

const SIMULATION = ['test/simulate/creations'];

/** What makes two things of one, or loses one: as the simulation of creations sees it. */
export const CREATION_MUTANTS: readonly Mutant[] = [
  {
    rule: 'I9',
    what: 'each program that goes on with a creation takes a key of its own',
    file: 'src/commands/once-journal.ts',
    from: 'creationKey(op, random, generation)',
    to: 'creationKey(op, context.randomHex(24), generation)',
    tests: SIMULATION,
  },
  {
    rule: 'I9',
    what: 'each attempt takes a key of its own',
    file: 'src/api/post.ts',
    from: 'return channel.attempt(call, attempt, signal);',
    to: 'return channel.attempt(call, { ...attempt, key: key.replace(/.$/, String(judge.attempts() % 10)) }, signal);',
    tests: SIMULATION,
  },
  {
    rule: 'I4',
    what: 'a creation is repeated after the take-over',
    file: 'src/api/retry.ts',
    from: 'startMs: 4.5 * MINUTE',
    to: 'startMs: 45 * MINUTE',
    tests: SIMULATION,
  },
  {
    rule: 'I7',
    what: 'a replayed creation of an endpoint counts without being read back',
    file: 'src/commands/webhooks/create.ts',
    from: 'if (answered && !answered.replayed) {',
    to: 'if (answered) {',
    tests: SIMULATION,
  },
  {
    rule: 'I7',
    what: 'what a creation answered is shown, whether or not it is there',
    file: 'src/commands/audiences/create.ts',
    from: 'keep: async ({ id }) => {\n          print(invocation, await',
    to: 'keep: async ({ id }, answered) => {\n          print(invocation, answered?.value ?? await',
    tests: ['test/commands/audiences-create.test.ts'],
  },
  {
    rule: 'D1',
    what: 'a creation is settled before its answer is kept and shown',
    file: 'src/commands/once.ts',
    from: '  journal.note(KNOWN, known);\n',
    to: "  journal.note(KNOWN, known);\n  finishOnce(journal, write.op, 'done');\n",
    tests: SIMULATION,
  },
  {
    rule: 'W1',
    what: 'endpoints of earlier attempts are not named',
    file: 'src/commands/webhooks/create.ts',
    from: 'known.older.forEach((one) => tell(olderNote(one)));',
    to: '',
    tests: SIMULATION,
  },
  {
    rule: 'W1',
    what: 'two creations that begin in the same moment both find nothing',
    file: 'src/commands/once-journal.ts',
    from: 'return work.mayBegin ? inTurn(',
    to: 'return false ? inTurn(',
    tests: ['test/commands/webhooks/create.test.ts'],
  },
  {
    rule: 'K4',
    what: 'a creation is repeated with another API key',
    file: 'src/commands/once-journal.ts',
    from: 'origin === account.origin && keyFingerprint === account.keyFingerprint',
    to: 'origin === account.origin',
    tests: ['test/commands/audiences-create.test.ts', 'test/commands/webhooks/create.test.ts'],
  },
];
