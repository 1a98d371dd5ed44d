import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import { people } from '../../support/lists.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createWorld, type RunOptions, type World } from '../../support/world.ts';
import { counts } from '../enroll/support.ts';

const BATCH = { match: { route: 'POST *contacts/batch' } } as const;
const HOUR = 3_600_000;

interface ResumeResult {
  readonly code: number;
  readonly rows: Readonly<Record<string, number>> | undefined;
  /** The code of the error, or the warnings of the report. */
  readonly messages: readonly string[];
  /** Batches that the resume sent, and those of them with a replayed response. */
  readonly sent: number;
  readonly replayed: number;
  /** Number of people in the audience. */
  readonly there: number;
}

interface StoppedRun {
  readonly world: World;
  resume(run?: RunOptions): Promise<ResumeResult>;
}

/**
 * A run of six people. The canary of four is sent. The response to the other batch was lost before the key was refused.
 */
async function stoppedRun(skewMs = 0): Promise<StoppedRun> {
  const world = await createWorld();
  const { admin } = world.emulator;
  admin.advance(skewMs);
  const env = { SVC_STATE_DIR: tempFolder() };
  world.file('list.csv', people(6));
  admin.addFault({ kind: 'reset', when: 'after', ...BATCH, after: 1, times: 1 });
  admin.addFault({ kind: 'error', status: 403, code: 'forbidden', when: 'before', ...BATCH, after: 2 });
  const first = await world.svc('migrate list.csv --json', { env });
  expect([first.code, counts(first.json.rows)]).toEqual([4, { read: 6, created: 4, unknown: 2 }]);
  admin.clearFaults();
  world.requests();
  const resume = async (run: RunOptions = {}): Promise<ResumeResult> => {
    const { code, out, err } = await world.svc('runs resume --json', { ...run, env: { ...env, ...run.env } });
    const report = out === '' ? undefined : JSON.parse(out);
    const warnings = report?.findings.filter(({ level }: { level: string }) => level === 'warn') ?? [];
    const sent = world.requests().filter(({ path, method }) => method === 'POST' && path.endsWith('/batch'));
    return {
      code,
      rows: report && counts(report.rows),
      messages: err === '' ? warnings.map(({ check }: { check: string }) => check) : [JSON.parse(err).error.code],
      sent: sent.length,
      replayed: report?.requests.replayed ?? 0,
      there: admin.contacts().length,
    };
  };
  return { world, resume };
}

/** The second batch is sent again under its key, and the service replays its response. */
const COMPLETED: ResumeResult = {
  code: 0,
  rows: { read: 6, created: 6 },
  messages: [],
  sent: 1,
  replayed: 1,
  there: 6,
};
/** A day later the key is a new request. The people exist, so they are updated. */
const LATER: ResumeResult = { ...COMPLETED, rows: { read: 6, created: 4, updated: 2 }, replayed: 0 };
const CHANGED: ResumeResult = { ...COMPLETED, messages: ['input_changed'] };
/** Nothing is sent. */
const refused = (code: string): ResumeResult => ({
  code: 2,
  rows: undefined,
  messages: [code],
  sent: 0,
  replayed: 0,
  there: 6,
});

/** Changes how the service shows the audience. */
function showingTransport(from: RegExp, to: string): RunOptions {
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      return { ...response, body: Buffer.from(response.body.toString('utf8').replaceAll(from, to)) };
    },
  });
  return { transport };
}

/** One case: what changed, the resume after it, its result, and how far the clock of the service is ahead. */
const CASES: readonly (readonly [string, (run: StoppedRun) => Promise<ResumeResult>, ResumeResult, number?])[] = [
  ['nothing changed', ({ resume }) => resume(), COMPLETED],
  [
    'the user gives another key (K4)',
    ({ world, resume }) => resume({ env: { SVC_API_KEY: world.emulator.admin.createKey([]) } }),
    COMPLETED,
  ],
  [
    'the audience was renamed (K4)',
    ({ resume }) => resume(showingTransport(/"Newsletter"/g, '"Renamed"')),
    refused('another_destination'),
  ],
  [
    'the audience was created at another time (K4)',
    ({ resume }) => resume(showingTransport(/"created_at":"[^"]*"/g, '"created_at":"2020-01-01T00:00:00.000Z"')),
    refused('another_destination'),
  ],
  [
    'the user gives another service (K4)',
    ({ resume }) => resume({ env: { SVC_BASE_URL: 'https://other.example.test/api' } }),
    refused('another_destination'),
  ],
  [
    'the file was changed (D5, D7)',
    ({ world, resume }) => {
      world.file('list.csv', people(9, 20));
      return resume();
    },
    CHANGED,
  ],
  [
    'the file was deleted (D5, D7)',
    ({ world, resume }) => {
      rmSync(join(world.folder, 'list.csv'));
      return resume();
    },
    CHANGED,
  ],
  [
    'hours passed (I6)',
    async ({ world, resume }) => {
      await world.clock.advance(22 * HOUR);
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
    LATER,
  ],
  ['the service is three hours ahead of this machine (P7)', ({ resume }) => resume(), COMPLETED, 3 * HOUR],
  [
    'only this machine says that a day passed (I6, P7)',
    ({ world, resume }) => {
      world.emulator.admin.advance(-25 * HOUR);
      world.clock.set(world.clock.now() + 25 * HOUR);
      return resume();
    },
    COMPLETED,
  ],
  [
    'only the service says that a day passed (I6, P7)',
    ({ world, resume }) => {
      world.emulator.admin.advance(25 * HOUR);
      return resume();
    },
    LATER,
  ],
];

test.each(CASES.map(([what, change, left, skewMs]) => ({ what, change, left, skewMs })))(
  'resumes an import when $what',
  async ({ change, left, skewMs }) => {
    expect(await change(await stoppedRun(skewMs))).toEqual(left);
  },
);
