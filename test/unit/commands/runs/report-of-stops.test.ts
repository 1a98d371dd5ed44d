import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { afterPost } from '../../../support/after-post.ts';
import { everyNth } from '../../../support/sweep.ts';
import { createWorld, type RunOptions, type World } from '../../../support/world.ts';

const LINES = [
  'migrate list.csv',
  'contacts import list.csv',
  'contacts import list.csv --only-changed',
  'suppressions import list.csv',
  'automations enroll {aut} list.csv --concurrency 1',
  'automations enroll {aut} list.csv --create-contacts',
];

interface StoppedRun {
  readonly world: World;
  readonly line: string;
  /** The report of the command that was stopped, or would have been killed. */
  // biome-ignore lint/suspicious/noExplicitAny: the reports of imports and enrollments differ
  readonly first: any;
}

/** A run that ended after its second request that writes: by Ctrl-C, or by a kill, which leaves no report. */
async function stoppedRun(line: string, end: 'stopped' | 'killed'): Promise<StoppedRun> {
  const world = await createWorld({ plan: 'paid' });
  const { admin } = world.emulator;
  const emails = Array.from({ length: 6 }, (_, index) => `person${index}@example.com`);
  const states = ['bounced', 'complained', 'subscribed', 'subscribed', 'subscribed', 'subscribed'];
  const rows = emails.map((email, index) => `${email},${states[index]}\n`);
  world.file('list.csv', `email,status\n${rows.join('')}no address,\n`);
  admin.addContacts(emails.map((email) => ({ email })));
  const typed = `${line.replace('{aut}', admin.createAutomation())} --json`;
  const [state, copy] = [join(world.folder, 'state'), join(world.folder, 'copy')];
  const first = await world.svc(
    typed,
    afterPost(1, (stopper) => {
      cpSync(state, copy, { recursive: true });
      stopper.abort(createInterruption('SIGINT'));
    }),
  );
  expect([first.code, first.json.rows.rejected]).toEqual([130, 1]);
  if (end === 'killed') {
    rmSync(state, { recursive: true });
    renameSync(copy, state);
  }
  world.requests();
  return { world, line: typed, first: first.json };
}

/** Each stop, with the exit codes that a resume may have after it. */
const STOPS: readonly (readonly [string, readonly number[], (stopped: StoppedRun) => RunOptions])[] = [
  ['no API key', [4], () => ({ env: { SVC_API_KEY: '' } })],
  ['a revoked key', [4], ({ world }) => refuse(world, 401, 'unauthorized')],
  ['a missing scope', [4, 7], ({ world }) => refuse(world, 403, 'forbidden')],
  ['a deleted destination', [4, 7], ({ world }) => refuse(world, 404, 'not_found')],
  ['a broken service', [1], ({ world }) => refuse(world, 500, 'internal_error')],
  ['Ctrl-C at the start', [130], () => ({ signal: AbortSignal.abort(createInterruption('SIGINT')) })],
  ['another service', [2], () => ({ env: { SVC_BASE_URL: 'https://other.example.test' } })],
  ['a lost copy of the list', [2], ({ world, first }) => loseCopies(world, first.run)],
];

function refuse(world: World, status: number, code: string): RunOptions {
  world.refuse('*', { status, code });
  return {};
}

function loseCopies(world: World, run: string): RunOptions {
  rmSync(join(world.folder, 'state', 'svc', 'runs', run, 'inputs'), { recursive: true });
  return {};
}

const ENDS = ['stopped', 'killed'] as const;

// Outside full sweeps each case has one of the two ends, so that each stop and each line still meets both.
const CASES = LINES.flatMap((line, row) =>
  STOPS.map(([stop, codes, cause], at) => ({ line, stop, codes, cause, ends: everyNth(ENDS, 2, row + at) })),
);

// Three divides neither the stops nor the requests of a line, so each of them still meets some lines.
test.each(everyNth(CASES, 3))(
  'prints a report when a resume of $line ends because of $stop',
  async ({ line, codes, cause, ends }) => {
    for (const end of ends) {
      const stopped = await stoppedRun(line, end);
      const { world, first } = stopped;
      const { code, json, err } = await world.svc(`runs resume ${first.run} --json`, cause(stopped));
      const { error } = JSON.parse(err.slice(err.indexOf('{')));
      expect(codes, err).toContain(code);
      expect(json).toMatchObject({ run: first.run, resumed: true, exit_code: code, error: { code: error.code } });
      const { read, merged, skipped, rejected } = first.rows;
      const hasSent = world.requests().some(({ method }) => method === 'POST');
      const isSame = end === 'stopped' && !hasSent;
      expect(json.rows).toMatchObject(isSame ? first.rows : { read, merged, skipped, rejected });
      expect(json.next.join()).toContain(`svc runs resume ${first.run}`);
    }
  },
);

/** The number of requests before svc knows which run the same command continues. */
function requestsToFind(line: string): number {
  return line.startsWith('suppressions') ? 0 : line.startsWith('automations') ? 2 : 1;
}

const REQUESTS = LINES.flatMap((line) => [1, 2, 3, 4, 5, 6, 7, 8].map((nth) => ({ line, nth })));

test.each(everyNth(REQUESTS, 3, 1))(
  'prints a report when $line is continued and request $nth fails',
  async ({ line, nth }) => {
    for (const [at, end] of ENDS.entries()) {
      for (const isResume of everyNth([true, false], 2, nth + at)) {
        const { world, line: typed, first } = await stoppedRun(line, end);
        world.refuse('*', { status: 401, code: 'unauthorized', after: nth - 1 });
        const { code, out } = await world.svc(isResume ? `runs resume ${first.run} --json` : typed);
        const sent = world.requests().length;
        // A command that never found its destination has not found its run either.
        const isOpened = isResume || sent > requestsToFind(line);
        const report = out === '' ? undefined : JSON.parse(out);
        expect([isOpened, code, report?.run, report?.exit_code]).toEqual(
          isOpened ? [true, code, first.run, code] : [false, 4, undefined, undefined],
        );
      }
    }
  },
);
