import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { openEnrollmentLedger } from '../../../../src/ledgers/enrollment-ledger.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import type { CommandResult, RunOptions } from '../../../support/world.ts';
import { type AutomationWorld, addresses, bare, counts, createAutomationWorld, linesOf } from '../support.ts';

const ENROLL = { match: { route: 'POST /v1/automations/*/enroll' } } as const;
const FORBIDDEN = { kind: 'error', status: 403, code: 'forbidden', when: 'before' } as const;
const HOUR = 3_600_000;
const PEOPLE = addresses(5);
const LISTED = PEOPLE.slice(0, 4);
/** An address of --email that isn't a contact of the audience. */
const STRANGER = 'person9@example.com';

/** The result of a resume. People have numbers; `p4` was given by --email. */
interface ResumeResult {
  readonly code: number;
  readonly rows: Readonly<Record<string, number>>;
  /** People with an enrollment request during the resume, in order. */
  readonly asked: string;
  /** The rows of outcomes.csv and of unknown.csv, as `line person outcome file`. */
  readonly outcomes: readonly string[];
  readonly unknown: readonly string[];
  /** The ledger, one person after the other. */
  readonly ledger: string;
  /** How often each person was enrolled. */
  readonly enrolled: string;
}

interface StoppedRun {
  readonly world: AutomationWorld;
  readonly state: string;
  /** Resumes the run with the key of this number. */
  resume(key?: 'A' | 'B', run?: RunOptions): Promise<ResumeResult>;
  /**
   * Resumes with that key and stops at the next person, who is enrolled without a response. Then the key is refused.
   */
  stopAgain(key: 'A' | 'B'): Promise<void>;
}

/**
 * A stopped run: p0 is enrolled, p1 is suppressed, the response for p2 was lost, then the key was refused. p3, the
 * stranger and p4 are not sent.
 */
async function stoppedRun(skewMs = 0): Promise<StoppedRun> {
  const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
  const { admin } = world.emulator;
  admin.advance(skewMs);
  const state = tempFolder();
  const keys = { A: world.emulator.apiKey, B: admin.createKey(['automations:enroll']) };
  const envOf = (key: 'A' | 'B') => ({ SVC_STATE_DIR: state, SVC_API_KEY: keys[key] });
  admin.addFault({
    kind: 'error',
    status: 409,
    code: 'email_suppressed',
    when: 'effect',
    ...ENROLL,
    after: 1,
    times: 1,
  });
  admin.addFault({ kind: 'reset', when: 'after', ...ENROLL, after: 2, times: 1 });
  admin.addFault({ ...FORBIDDEN, ...ENROLL, after: 3 });
  const first = await world.enroll(
    bare(LISTED),
    ['--concurrency', '1', '--email', STRANGER, '--email', PEOPLE[4] ?? ''],
    {
      env: envOf('A'),
    },
  );
  admin.clearFaults();
  expect([first.code, counts(first.json.rows)]).toEqual([
    4,
    { read: 6, enrolled: 1, suppressed: 1, unknown: 1, unsent: 3 },
  ]);
  world.requests();
  return {
    world,
    state,
    resume: async (key = 'A', run = {}) => {
      const answer = await world.svc('runs resume --json --concurrency 1', { ...run, env: envOf(key) });
      return leftBy(answer, world, state);
    },
    stopAgain: async (key) => {
      admin.addFault({ kind: 'reset', when: 'after', ...ENROLL, times: 1 });
      admin.addFault({ ...FORBIDDEN, ...ENROLL, after: 1 });
      expect((await world.svc('runs resume --json --concurrency 1', { env: envOf(key) })).code).toBe(4);
      admin.clearFaults();
      world.requests();
    },
  };
}

function leftBy({ code, json }: CommandResult, world: AutomationWorld, state: string): ResumeResult {
  const short = (text: string) => text.replaceAll(/person(\d)@example\.com/g, 'p$1').replaceAll(',', ' ');
  const rowsOf = (file: string | undefined) => (file === undefined ? [] : linesOf(file).slice(1).map(short));
  const ledger = openEnrollmentLedger(state, json.origin, world.automation);
  const entries = PEOPLE.map((email) => ledger.lookup(email)?.outcome ?? '-');
  ledger.close();
  const enrolled = PEOPLE.map((email) => world.enrolled().filter((each) => each === email).length);
  return {
    code,
    rows: counts(json.rows),
    asked: world
      .asked()
      .map(({ body }) => short(JSON.parse(body).email))
      .join(' '),
    outcomes: rowsOf(json.files.outcomes),
    unknown: rowsOf(json.files.unknown),
    ledger: entries.join(' '),
    enrolled: enrolled.join(' '),
  };
}

/** p2 is sent again under its key, and the stored response shows the enrollment. */
const COMPLETED: ResumeResult = {
  code: 0,
  rows: { read: 6, enrolled: 4, suppressed: 1, not_subscribed: 1 },
  asked: 'p2 p3 p9 p4',
  outcomes: ['3 p1 email_suppressed list.csv', '1 p9 not_subscribed --email'],
  unknown: [],
  ledger: 'enrolled email_suppressed enrolled enrolled enrolled',
  enrolled: '1 0 1 1 1',
};

/** p2 can't be sent again, so the user must decide. */
const UNDECIDED: ResumeResult = {
  code: 3,
  rows: { read: 6, enrolled: 3, suppressed: 1, not_subscribed: 1, unknown: 1 },
  asked: 'p3 p9 p4',
  outcomes: ['3 p1 email_suppressed list.csv', '4 p2 unknown list.csv', '1 p9 not_subscribed --email'],
  unknown: ['4 p2 unknown list.csv'],
  ledger: 'enrolled email_suppressed unknown enrolled enrolled',
  enrolled: '1 0 1 1 1',
};

/** After a second stop at p3: with the key of the second command p3 is sent again. */
const SECOND_KEY: ResumeResult = { ...UNDECIDED, asked: 'p3 p9 p4' };

/** With any other key, p3 can't be sent again either. */
const THIRD_KEY: ResumeResult = {
  code: 3,
  rows: { read: 6, enrolled: 2, suppressed: 1, not_subscribed: 1, unknown: 2 },
  asked: 'p9 p4',
  outcomes: [
    '3 p1 email_suppressed list.csv',
    '4 p2 unknown list.csv',
    '5 p3 unknown list.csv',
    '1 p9 not_subscribed --email',
  ],
  unknown: ['4 p2 unknown list.csv', '5 p3 unknown list.csv'],
  ledger: 'enrolled email_suppressed unknown unknown enrolled',
  enrolled: '1 0 1 1 1',
};

/** The service shows the automation under another name. */
function renamingTransport(inner: Transport): Transport {
  return {
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      const body = response.body.toString('utf8').replaceAll('"Welcome"', '"Renamed"');
      return request.method === 'GET' ? { ...response, body: Buffer.from(body) } : response;
    },
  };
}

/** One case: what changed, the resume after it, its result, and how far the clock of the service is ahead. */
const CASES: readonly (readonly [string, (run: StoppedRun) => Promise<ResumeResult>, ResumeResult, number?])[] = [
  ['nothing changed', ({ resume }) => resume(), COMPLETED],
  ['the user gives another key (K4)', ({ resume }) => resume('B'), UNDECIDED],
  [
    'both resumes have another API key (K4)',
    async ({ resume, stopAgain }) => {
      await stopAgain('B');
      return resume('B');
    },
    SECOND_KEY,
  ],
  [
    'an earlier resume had another API key (K4)',
    async ({ resume, stopAgain }) => {
      await stopAgain('B');
      return resume('A');
    },
    THIRD_KEY,
  ],
  [
    'the audience was renamed (K4)',
    async ({ world, resume }) => {
      await world.svc(['audiences', 'rename', world.emulator.audienceId, 'Other']);
      return resume();
    },
    COMPLETED,
  ],
  ['the automation was renamed (K4)', ({ resume }) => resume('A', { transport: renamingTransport }), COMPLETED],
  [
    'the file was changed (D5, D7)',
    ({ world, resume }) => {
      world.file('list.csv', bare(addresses(3, 7)));
      return resume();
    },
    COMPLETED,
  ],
  [
    'the file was deleted (D5, D7)',
    ({ world, resume }) => {
      rmSync(join(world.folder, 'list.csv'));
      return resume();
    },
    COMPLETED,
  ],
  [
    'hours passed (I3)',
    async ({ world, resume }) => {
      await world.clock.advance(5 * HOUR);
      return resume();
    },
    UNDECIDED,
  ],
  [
    'five minutes passed (I4)',
    async ({ world, resume }) => {
      await world.clock.advance(5 * 60_000);
      return resume();
    },
    UNDECIDED,
  ],
  ['the service is three hours ahead of this machine (I3, P7)', ({ resume }) => resume(), COMPLETED, 3 * HOUR],
  [
    'only the local clock says that hours passed (I3, P7)',
    ({ world, resume }) => {
      world.emulator.admin.advance(-5 * HOUR);
      world.clock.set(world.clock.now() + 5 * HOUR);
      return resume();
    },
    COMPLETED,
  ],
  [
    'hours passed and the local clock was set back (I3, P7)',
    ({ world, resume }) => {
      world.emulator.admin.advance(5 * HOUR);
      return resume();
    },
    UNDECIDED,
  ],
];

test.each(CASES.map(([what, change, left, skewMs]) => ({ what, change, left, skewMs })))(
  'resumes an enrollment when $what',
  async ({ change, left, skewMs }) => {
    const run = await stoppedRun(skewMs);
    expect(await change(run)).toEqual(left);
  },
);
