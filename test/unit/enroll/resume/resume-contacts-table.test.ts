import { expect, test } from 'vitest';
import { openEnrollmentLedger } from '../../../../src/ledgers/enrollment-ledger.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { type CommandResult, createWorld, type RunOptions, type World } from '../../../support/world.ts';
import { addresses, counts } from '../support.ts';

const BATCH = { match: { route: 'POST *contacts/batch' } } as const;
const FORBIDDEN = { kind: 'error', status: 403, code: 'forbidden', when: 'before', ...BATCH } as const;
const HOUR = 3_600_000;
const PEOPLE = addresses(6);
/** The last person of the list is opted out, so the run neither writes nor enrolls that person. */
const LIST = `email,status\n${PEOPLE.map((email) => `${email},subscribed\n`).join('')}left@example.com,unsubscribed\n`;

interface ResumeResult {
  readonly code: number;
  readonly rows: Readonly<Record<string, number>>;
  /** The people of the audience who are not subscribed, and the number of all people. */
  readonly left: readonly string[];
  readonly there: number;
  /** How often each person was enrolled, and what the ledger says. */
  readonly enrolled: string;
  readonly ledger: string;
}

interface StoppedRun {
  readonly world: World;
  resume(key?: 'A' | 'B'): Promise<ResumeResult>;
  /** Resumes with this key. The response to the batch is lost again, then the service refuses the key. */
  stopAgain(key: 'A' | 'B'): Promise<void>;
}

/** A run with --create-contacts. Both batches of contacts are written, but the response to the second was lost. */
async function stoppedRun({ skewMs = 0, variants = {} }: StartOptions): Promise<StoppedRun> {
  const world = await createWorld({ variants });
  const { admin } = world.emulator;
  const automation = admin.createAutomation({ name: 'Welcome', reentry: 'always' });
  admin.advance(skewMs);
  const state = tempFolder();
  const key = { A: world.emulator.apiKey, B: admin.createKey(['automations:enroll']) };
  const envOf = (name: 'A' | 'B') => ({ env: { SVC_STATE_DIR: state, SVC_API_KEY: key[name] } }) satisfies RunOptions;
  const lose = (after: number) => {
    admin.addFault({ kind: 'reset', when: 'after', ...BATCH, after, times: 1 });
    admin.addFault({ ...FORBIDDEN, after: after + 1 });
  };
  world.file('list.csv', LIST);
  lose(1);
  const first = await world.svc('automations enroll Welcome list.csv --create-contacts --plan paid --json', envOf('A'));
  expect([first.code, counts(first.json.rows), admin.enrollments(automation)]).toEqual([
    4,
    { read: 7, skipped: 1, unsent: 6 },
    [],
  ]);
  admin.clearFaults();
  const leftBy = ({ code, json }: CommandResult): ResumeResult => {
    const ledger = openEnrollmentLedger(state, json.origin, automation);
    const outcomes = PEOPLE.map((email) => ledger.lookup(email)?.outcome ?? '-');
    ledger.close();
    const enrollments = admin.enrollments(automation).map(({ email }) => email);
    const contacts = admin.contacts();
    return {
      code,
      rows: counts(json.rows),
      left: contacts
        .filter(({ status }) => status !== 'subscribed')
        .map(({ email }) => email)
        .sort(),
      there: contacts.length,
      enrolled: PEOPLE.map((email) => enrollments.filter((one) => one === email).length).join(' '),
      ledger: [...new Set(outcomes)].join(' '),
    };
  };
  return {
    world,
    resume: async (name = 'A') => leftBy(await world.svc('runs resume --json', envOf(name))),
    stopAgain: async (name) => {
      lose(0);
      expect((await world.svc('runs resume --json', envOf(name))).code).toBe(4);
      admin.clearFaults();
    },
  };
}

interface StartOptions {
  readonly skewMs?: number;
  readonly variants?: Readonly<Record<string, string>>;
}

const COMPLETED: ResumeResult = {
  code: 0,
  rows: { read: 7, enrolled: 6, skipped: 1 },
  left: [],
  there: 6,
  enrolled: '1 1 1 1 1 1',
  ledger: 'enrolled',
};

/** Two people can't be enrolled any more. */
const WITHOUT_TWO: ResumeResult = {
  ...COMPLETED,
  rows: { read: 7, enrolled: 4, not_subscribed: 2, skipped: 1 },
  enrolled: '0 1 1 1 1 0',
  ledger: 'not_subscribed enrolled',
};
const OPTED_OUT: ResumeResult = { ...WITHOUT_TWO, left: [PEOPLE[0] as string, PEOPLE[5] as string] };

const KEYS_APART: StartOptions = { variants: { claim_owner: 'key' } };

const CASES: readonly (readonly [string, (run: StoppedRun) => Promise<ResumeResult>, ResumeResult, StartOptions?])[] = [
  ['nothing changed', ({ resume }) => resume(), COMPLETED],
  ['the user gives another key (K4)', ({ resume }) => resume('B'), COMPLETED],
  ['the service keeps the keys of each API key apart (K4)', ({ resume }) => resume('B'), COMPLETED, KEYS_APART],
  [
    'an earlier resume had another API key (K4)',
    async ({ resume, stopAgain }) => {
      await stopAgain('B');
      return resume('A');
    },
    COMPLETED,
    KEYS_APART,
  ],
  [
    'the audience was renamed (K4)',
    async ({ world, resume }) => {
      await world.svc(`audiences rename ${world.emulator.audienceId} Renamed`);
      return resume();
    },
    COMPLETED,
  ],
  [
    'a day passed (I6)',
    async ({ world, resume }) => {
      await world.clock.advance(25 * HOUR);
      return resume();
    },
    COMPLETED,
  ],
  ['the service is three hours ahead (P7)', ({ resume }) => resume(), COMPLETED, { skewMs: 3 * HOUR }],
  [
    'people opted out since the stop (C1, M1)',
    async ({ world, resume }) => {
      [0, 5].forEach((index) => world.emulator.admin.setStatus(PEOPLE[index] as string, 'unsubscribed'));
      return resume();
    },
    OPTED_OUT,
  ],
  [
    'people opted out since the stop, a day ago (C1, M1)',
    async ({ world, resume }) => {
      [0, 5].forEach((index) => world.emulator.admin.setStatus(PEOPLE[index] as string, 'unsubscribed'));
      await world.clock.advance(25 * HOUR);
      return resume();
    },
    OPTED_OUT,
  ],
  [
    'people were deleted since the stop (I7, M1)',
    async ({ world, resume }) => {
      [0, 5].forEach((index) => world.emulator.admin.deleteContact(PEOPLE[index] as string));
      return resume();
    },
    { ...WITHOUT_TWO, there: 4 },
  ],
];

test.each(CASES.map(([what, act, left, start = {}]) => ({ what, act, left, start })))(
  'resumes --create-contacts when $what',
  async ({ act, left, start }) => {
    expect(await act(await stoppedRun(start))).toEqual(left);
  },
);
