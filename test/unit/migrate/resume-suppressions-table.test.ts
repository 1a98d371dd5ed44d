import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../support/temp-folder.ts';
import { createWorld, type RunOptions, type World } from '../../support/world.ts';
import { counts } from '../enroll/support.ts';

const POST = { match: { route: 'POST /v1/suppressions' } } as const;
const FORBIDDEN = { kind: 'error', status: 403, code: 'forbidden', when: 'before', ...POST } as const;
const HOUR = 3_600_000;
const LIST = [
  'email,status',
  ...['a', 'b'].map((name) => `${name}@example.com,complained`),
  ...['c', 'd'].map((name) => `${name}@example.com,bounced`),
  'nobody,bounced',
  '',
].join('\n');

interface ResumeResult {
  readonly code: number;
  readonly rows: Readonly<Record<string, number>>;
  /** The reason and the people of each request of the resume. */
  readonly sent: readonly string[];
  readonly replayed: number;
  readonly suppressed: readonly string[];
}

interface StoppedRun {
  readonly world: World;
  resume(apiKey?: string): Promise<ResumeResult>;
  /** Resumes with this key. The response to the request is lost again, then the service refuses the key. */
  stopAgain(apiKey: string): Promise<void>;
}

interface StartOptions {
  readonly skewMs?: number;
  readonly variants?: Readonly<Record<string, string>>;
}

const nameOf = (email: string) => email.split('@')[0];

/** One of two requests got its response. The response to the other was lost, then the service refused the key. */
async function stoppedRun({ skewMs = 0, variants = {} }: StartOptions): Promise<StoppedRun> {
  const world = await createWorld({ variants });
  const { admin } = world.emulator;
  admin.advance(skewMs);
  const state = tempFolder();
  const envOf = (apiKey: string) => ({ env: { SVC_STATE_DIR: state, SVC_API_KEY: apiKey } }) satisfies RunOptions;
  const lose = (after: number) => {
    admin.addFault({ kind: 'reset', when: 'after', ...POST, after, times: 1 });
    admin.addFault({ ...FORBIDDEN, after: after + 1 });
  };
  world.file('list.csv', LIST);
  lose(1);
  const first = await world.svc('suppressions import list.csv --json', envOf(world.emulator.apiKey));
  expect([first.code, counts(first.json.rows)]).toEqual([4, { read: 5, suppressed: 2, unknown: 2, rejected: 1 }]);
  admin.clearFaults();
  world.requests();
  return {
    world,
    resume: async (apiKey = world.emulator.apiKey) => {
      const { code, json } = await world.svc('runs resume --json', envOf(apiKey));
      const posts = world.requests().filter(({ method }) => method === 'POST');
      return {
        code,
        rows: counts(json.rows),
        sent: posts.map(({ body }) => JSON.parse(body)).map(({ reason, emails }) => `${reason} ${emails.map(nameOf)}`),
        replayed: json.requests.replayed,
        suppressed: admin
          .suppressions()
          .map(({ email, reason }) => `${nameOf(email)} ${reason}`)
          .sort(),
      };
    },
    stopAgain: async (apiKey) => {
      lose(0);
      expect((await world.svc('runs resume --json', envOf(apiKey))).code).toBe(4);
      admin.clearFaults();
      world.requests();
    },
  };
}

const COMPLETED: ResumeResult = {
  code: 3,
  rows: { read: 5, suppressed: 4, rejected: 1 },
  sent: ['bounced c,d'],
  replayed: 1,
  suppressed: ['a complained', 'b complained', 'c bounced', 'd bounced'],
};
const KEYS_APART: StartOptions = { variants: { claim_owner: 'key' } };
/** The service runs the request again, which changes nothing. */
const SENT_AGAIN: ResumeResult = { ...COMPLETED, replayed: 0 };

const CASES: readonly (readonly [string, (run: StoppedRun) => Promise<ResumeResult>, ResumeResult, StartOptions?])[] = [
  ['nothing changed', ({ resume }) => resume(), COMPLETED],
  ['the user gives another key (K4)', ({ world, resume }) => resume(world.emulator.admin.createKey()), COMPLETED],
  [
    'the service keeps the keys of each API key apart (K4)',
    ({ world, resume }) => resume(world.emulator.admin.createKey()),
    SENT_AGAIN,
    KEYS_APART,
  ],
  [
    'an earlier resume had another API key (K4)',
    async ({ world, resume, stopAgain }) => {
      await stopAgain(world.emulator.admin.createKey());
      return resume();
    },
    COMPLETED,
    KEYS_APART,
  ],
  [
    'the file was changed (D5, D7)',
    ({ world, resume }) => {
      world.file('list.csv', 'email,status\nx@example.com,complained\n');
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
    'a day passed (I6)',
    async ({ world, resume }) => {
      await world.clock.advance(25 * HOUR);
      return resume();
    },
    SENT_AGAIN,
  ],
  [
    'a day passed and two suppressions were lifted (I6, L4)',
    async ({ world, resume }) => {
      ['a', 'c'].forEach((name) => world.emulator.admin.unsuppress(`${name}@example.com`));
      await world.clock.advance(25 * HOUR);
      return resume();
    },
    { ...SENT_AGAIN, code: 8, suppressed: SENT_AGAIN.suppressed.filter((one) => one !== 'a complained') },
  ],
  ['the service is three hours ahead (P7)', ({ resume }) => resume(), COMPLETED, { skewMs: 3 * HOUR }],
];

test.each(CASES.map(([what, act, left, start = {}]) => ({ what, act, left, start })))(
  'resumes suppressions when $what',
  async ({ act, left, start }) => {
    expect(await act(await stoppedRun(start))).toEqual(left);
  },
);
