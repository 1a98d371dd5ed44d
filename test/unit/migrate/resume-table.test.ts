import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import { people } from '../../support/lists.ts';
import { everyNth } from '../../support/sweep.ts';
import type { RunOptions } from '../../support/world.ts';
import {
  COMMANDS,
  type Command,
  type ResumeResult,
  type StartOptions,
  type StoppedRun,
  stoppedRun,
} from './stopped-run.ts';

const HOUR = 3_600_000;

/** The batch is sent again under its key, and the service replays its response. A replay is no acceptance (I7). */
const COMPLETED: Readonly<Record<Command, ResumeResult>> = {
  migrate: {
    code: 3,
    rows: { read: 8, created: 6, rejected: 1, suppressed: 1 },
    messages: ['failures'],
    sent: ['p0 p1 p2 p3 p4 p5'],
    replayed: 1,
    there: [...[0, 1, 2, 3, 4].map((index) => `p${index} subscribed`), 'p5 unsubscribed 2024-02-05'],
    suppressed: ['p6 bounced'],
    files: {
      rejects: ['list.csv,9,email,invalid_email,nobody: no @,subscribed,nobody,subscribed,'],
      consent: ['p6@example.com,bounced,2024-02-06T00:00:00.000Z,list.csv,8'],
    },
    unchanged: 0,
  },
  'contacts import --only-changed': {
    code: 3,
    rows: { read: 8, created: 6, rejected: 1, skipped: 1 },
    messages: ['held_back', 'failures'],
    sent: ['p0 p1 p2 p3 p4 p5'],
    replayed: 1,
    there: [...[0, 1, 2, 3, 4].map((index) => `p${index} subscribed`), 'p5 unsubscribed 2024-02-05'],
    suppressed: [],
    files: { rejects: ['list.csv,9,email,invalid_email,nobody: no @,subscribed,nobody,subscribed,'] },
    unchanged: 0,
  },
};

type Change = (left: ResumeResult, command: Command) => ResumeResult;

const completed: Change = (left) => left;
/** The service runs the request again. The people exist, so it updates and accepts all of them. */
const writtenAgain: Change = (left, command) => {
  const { created: _, ...rows } = left.rows ?? {};
  const unchanged = command === 'migrate' ? 0 : 6;
  return { ...left, rows: { ...rows, created: 4, updated: 2 }, replayed: 0, unchanged };
};
const withNote: Change = (left) => ({ ...left, messages: ['input_changed', ...left.messages] });
/** Nothing is sent, and no file is written. The report shows the rows and the files of the stopped run. */
const refused =
  (code: string): Change =>
  ({ rows, ...left }) => ({
    ...left,
    code: 2,
    rows: { ...rows, created: 4, unknown: 2 },
    messages: [code],
    sent: [],
    replayed: 0,
    unchanged: 0,
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

interface Case {
  readonly what: string;
  /** Changes something, and resumes the run. */
  readonly act: (run: StoppedRun) => Promise<ResumeResult>;
  readonly left: Change;
  /** How far the clock of the service is ahead, and variants of the service. */
  readonly start?: StartOptions;
}

const CASES: readonly Case[] = [
  { what: 'nothing changed', act: ({ resume }) => resume(), left: completed },
  {
    what: 'the user gives another key (K4)',
    act: ({ world, resume }) => resume({ env: { SVC_API_KEY: world.emulator.admin.createKey([]) } }),
    left: completed,
  },
  {
    what: 'an earlier resume had another API key (K4)',
    act: async ({ world, resume, stopAgain }) => {
      await stopAgain(world.emulator.admin.createKey([]));
      return resume();
    },
    left: completed,
  },
  {
    what: 'the service keeps the keys of each API key apart (K4)',
    act: ({ world, resume }) => resume({ env: { SVC_API_KEY: world.emulator.admin.createKey([]) } }),
    left: writtenAgain,
    start: { variants: { claim_owner: 'key' } },
  },
  {
    what: 'a resume with another key came between, and keys are kept apart (K4)',
    act: async ({ world, resume, stopAgain }) => {
      await stopAgain(world.emulator.admin.createKey([]));
      return resume();
    },
    left: completed,
    start: { variants: { claim_owner: 'key' } },
  },
  {
    what: 'the audience was renamed (K4)',
    act: async ({ world, resume }) => {
      await world.svc(`audiences rename ${world.emulator.audienceId} Renamed`);
      world.requests();
      return resume();
    },
    left: refused('another_destination'),
  },
  {
    what: 'the audience was created at another time (K4)',
    act: ({ resume }) => resume(showingTransport(/"created_at":"[^"]*"/g, '"created_at":"2020-01-01T00:00:00.000Z"')),
    left: refused('another_destination'),
  },
  {
    what: 'the user gives another service (K4)',
    act: ({ resume }) => resume({ env: { SVC_BASE_URL: 'https://other.example.test/api' } }),
    left: refused('another_destination'),
  },
  {
    what: 'the file was changed (D5, D7)',
    act: ({ world, resume }) => {
      world.file('list.csv', people(9, 20));
      return resume();
    },
    left: withNote,
  },
  {
    what: 'the file was deleted (D5, D7)',
    act: ({ world, resume }) => {
      rmSync(join(world.folder, 'list.csv'));
      return resume();
    },
    left: withNote,
  },
  {
    what: 'hours passed (I6)',
    act: async ({ world, resume }) => {
      await world.clock.advance(22 * HOUR);
      return resume();
    },
    left: completed,
  },
  {
    what: 'a day passed (I6)',
    act: async ({ world, resume }) => {
      await world.clock.advance(25 * HOUR);
      return resume();
    },
    left: writtenAgain,
  },
  {
    what: 'a day passed and people opted out (C1, I6)',
    act: async ({ world, resume }) => {
      await world.clock.advance(25 * HOUR);
      ['p0', 'p4'].forEach((name) => world.emulator.admin.setStatus(`${name}@example.com`, 'unsubscribed'));
      return resume();
    },
    left: (left, command) => {
      const date = '2026-01-02';
      const there = left.there.map((one) => one.replace(/^(p0|p4) .*/, `$1 unsubscribed ${date}`));
      return { ...writtenAgain(left, command), there };
    },
  },
  {
    what: 'a person of the batch was deleted (I7)',
    act: async ({ world, resume }) => {
      world.emulator.admin.deleteContact('p4@example.com');
      return resume();
    },
    left: (left) => ({
      ...left,
      code: 8,
      messages: ['unverified'],
      there: left.there.filter((one) => one !== 'p4 subscribed'),
    }),
  },
  {
    what: 'the service is three hours ahead of this machine (P7)',
    act: ({ resume }) => resume(),
    left: completed,
    start: { skewMs: 3 * HOUR },
  },
  {
    what: 'only this machine says that a day passed (I6, P7)',
    act: ({ world, resume }) => {
      world.emulator.admin.advance(-25 * HOUR);
      world.clock.set(world.clock.now() + 25 * HOUR);
      return resume();
    },
    left: completed,
  },
  {
    what: 'only the service says that a day passed (I6, P7)',
    act: ({ world, resume }) => {
      world.emulator.admin.advance(25 * HOUR);
      return resume();
    },
    left: writtenAgain,
  },
];

const COMMANDS_AND_CASES = (Object.keys(COMMANDS) as Command[]).flatMap((command) =>
  CASES.map((one) => ({ command, ...one })),
);

// The number of cases is odd, so every second row has each case once, and the commands take turns.
test.each(everyNth(COMMANDS_AND_CASES, 2))('resumes $command when $what', async ({ command, act, left, start }) => {
  expect(await act(await stoppedRun(command, start))).toEqual(left(COMPLETED[command], command));
});
