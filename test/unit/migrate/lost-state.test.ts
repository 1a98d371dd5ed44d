import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/base/context.ts';
import { people } from '../../support/lists.ts';
import { stepOf } from '../../support/sweep.ts';
import { type CommandResult, createWorld, type World } from '../../support/world.ts';
import { addresses, bare } from '../enroll/support.ts';

/** Where a run stores its records. */
interface RunPaths {
  readonly state: string;
  readonly run: string;
}

const replaceFile = (path: string) => {
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
};
const moveAway = (path: string) => renameSync(path, `${path}.away`);
const remove = (path: string) => rmSync(path, { recursive: true });

/** Ways in which a run can lose its records while it runs. */
const LOSSES: Readonly<Record<string, (paths: RunPaths) => void>> = {
  'the state folder is deleted': ({ state }) => remove(state),
  'the state folder is moved': ({ state }) => moveAway(state),
  'the state folder is replaced': ({ state }) => {
    moveAway(state);
    mkdirSync(join(state, 'runs'), { recursive: true });
  },
  'the run folder is deleted': ({ run }) => remove(run),
  'the run folder is moved': ({ run }) => moveAway(run),
  'the run folder is replaced': ({ run }) => {
    moveAway(run);
    mkdirSync(run);
  },
  'run.db is deleted': ({ run }) => remove(join(run, 'run.db')),
  'run.db is replaced by a copy': ({ run }) => replaceFile(join(run, 'run.db')),
  'run.db-wal is deleted': ({ run }) => remove(join(run, 'run.db-wal')),
  'the lock of the run is deleted': ({ run }) => remove(join(run, 'lock.db')),
};

/** What the tested command writes, counted at the service. */
interface Work {
  readonly name: string;
  readonly words: (world: World) => readonly string[];
  readonly creates?: boolean;
  /** Compares the counts of a report with the contents of the service. */
  readonly agrees: (world: World, result: CommandResult) => void;
}

const contactsAgree = (world: World, { json }: CommandResult) =>
  expect(json.rows.created + json.rows.unknown).toBe(world.emulator.admin.contacts().length);

const WORKS: readonly Work[] = [
  {
    name: 'migrate',
    words: (world) => [
      ...['migrate', world.file('list.csv', `${people(1_100)}gone@example.com,Gone,bounced\n`), '--json'],
      ...['--plan', 'paid', '--concurrency', '2'],
    ],
    agrees: (world, result) => {
      contactsAgree(world, result);
      expect(result.json.rows.suppressed).toBe(world.emulator.admin.suppressions().length);
    },
  },
  {
    name: 'contacts import',
    words: (world) => ['contacts', 'import', world.file('list.csv', people(40)), '--json', '--plan', 'paid'],
    agrees: contactsAgree,
  },
  {
    name: 'suppressions import',
    words: (world) => [
      ...['suppressions', 'import', world.file('list.csv', bare(addresses(1_010))), '--json', '--reason', 'bounced'],
    ],
    agrees: (world, { json }) => expect(json.rows.suppressed).toBe(world.emulator.admin.suppressions().length),
  },
  {
    name: 'automations enroll',
    words: (world) => {
      const automation = world.emulator.admin.createAutomation({ name: 'Welcome', reentry: 'always' });
      const list = world.file('list.csv', bare(addresses(5)));
      return ['automations', 'enroll', automation, list, '--create-contacts', '--json', '--plan', 'paid'];
    },
    agrees: (world, { json }) => {
      expect(json.rows.enrolled).toBe(world.emulator.admin.enrollments(json.automation.id).length);
    },
  },
  {
    name: 'audiences create',
    creates: true,
    words: () => ['audiences', 'create', 'Members', '--json'],
    agrees: () => undefined,
  },
  {
    name: 'webhooks create',
    creates: true,
    words: (world) => [
      ...['webhooks', 'create', '--url', 'https://hooks.example.com/', '--event', 'email.sent', '--json'],
      ...['--secret-file', join(world.folder, 'secret')],
    ],
    agrees: () => undefined,
  },
];

const EMAIL: Work = {
  name: 'emails send',
  creates: true,
  words: () => [
    ...[
      'emails',
      'send',
      '--from',
      'me@example.com',
      '--to',
      'ana@example.com',
      '--subject',
      'Hello',
      '--text',
      'Hello',
    ],
    ...['--json'],
  ],
  agrees: () => undefined,
};

/** Runs a command and removes its records at request number `position`: before the request, or after its response. */
async function playLoss(work: Work, lose: (paths: RunPaths) => void, at: { position: number; answered: boolean }) {
  const world = await createWorld();
  const state = join(world.folder, 'state', 'svc');
  let sent = 0;
  let lost = false;
  let after = 0;
  const loseNow = () => {
    const runs = join(state, 'runs');
    const [run] = existsSync(runs) ? readdirSync(runs) : [];
    if (run !== undefined) {
      lose({ state, run: join(runs, run) });
      lost = true;
    }
  };
  const transport = (inner: Transport): Transport => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      after += lost ? 1 : 0;
      const due = sent === at.position;
      sent += 1;
      if (due && !at.answered) {
        loseNow();
      }
      const response = await inner.send(request, signal);
      if (due && at.answered) {
        loseNow();
      }
      return response;
    },
  });
  const result = await world.svc(work.words(world), { transport });
  return { world, result, sent, lost, after, state };
}

/** The number of requests of an undisturbed run. */
async function countRequests(work: Work): Promise<number> {
  const world = await createWorld();
  await world.svc(work.words(world));
  return world.requests().length;
}

/** Each loss meets a part of the commands. Only `migrate` meets all of them. Neighbors begin at different requests. */
const lossesOf = ({ name }: Work, nth: number) =>
  Object.entries(LOSSES).filter(
    (_, index) => name === 'migrate' || Math.floor(index / 2) % stepOf(2) === nth % stepOf(2),
  );

describe.each([...WORKS, EMAIL].map((work, nth) => ({ ...work, nth })))(
  '$name when its records on disk are lost',
  ({ nth, ...work }) => {
    let requests: number | undefined;

    test.each(lossesOf(work, nth))('sends nothing more when %s, at any request (D8)', async (name, lose) => {
      requests ??= await countRequests(work);
      let losses = 0;
      // Each loss is tried at every second request of a short run. Each request of a long run meets one of the losses.
      const step = requests < 10 ? stepOf(2) : Object.keys(LOSSES).length;
      for (let position = Object.keys(LOSSES).indexOf(name) % step; position < requests; position += step) {
        const { world, result, sent, lost, after, state } = await playLoss(work, lose, {
          position,
          answered: position % 2 === 0,
        });
        expect(sent).toBeGreaterThan(position);
        if (!lost) {
          continue;
        }
        losses += 1;
        expect(after, `request ${position} of ${sent}`).toBe(0);
        expect(result.err).not.toContain('bug');
        if (result.code !== 0) {
          expect({ code: result.code, error: JSON.parse(result.err).error.code }).toEqual({
            code: 1,
            error: 'state_lost',
          });
        }
        if (result.out !== '' && !work.creates) {
          expect(result.json).toMatchObject({ status: 'failed', exit_code: 1, error: { code: 'state_lost' } });
          expect(result.json.files).toEqual({});
          expect(result.json.next.filter((step: string) => step.includes('svc runs'))).toEqual([]);
          work.agrees(world, result);
        }
        if (!existsSync(`${state}.away`) && !existsSync(join(state, 'runs'))) {
          expect(existsSync(state)).toBe(false);
        }
      }
      expect(losses).toBeGreaterThan(0);
    });
  },
);

test.each([
  ['migrate', 'locks'],
  ['automations enroll', 'locks'],
  ['automations enroll', 'ledgers'],
])('%s sends nothing more when the folder of %s is deleted (D8)', async (name, folder) => {
  const work = WORKS.find((one) => one.name === name)!;
  const requests = await countRequests(work);
  let losses = 0;
  for (let position = 0; position < requests; position += stepOf(6, 3)) {
    const lose = ({ state }: RunPaths) => remove(join(state, folder));
    const { world, result, sent, lost, after } = await playLoss(work, lose, { position, answered: true });
    expect(sent).toBeGreaterThan(position);
    expect(after, `request ${position} of ${sent}`).toBe(0);
    if (!lost || result.code === 0) {
      continue;
    }
    losses += 1;
    expect({ code: result.code, error: JSON.parse(result.err).error.code }).toEqual({ code: 1, error: 'state_lost' });
    if (result.out !== '') {
      work.agrees(world, result);
      expect(existsSync(result.json.files.report)).toBe(true);
    }
  }
  expect(losses).toBeGreaterThan(0);
});

const PUT_BACK = ['migrate', 'suppressions import', 'automations enroll'];

/** What a command has written at the service. */
const written = ({ emulator: { admin } }: World, automation?: string) => ({
  contacts: admin.contacts().map(({ email, status, first_name }) => [email, status, first_name]),
  suppressions: admin.suppressions().map(({ email, reason }) => [email, reason]),
  enrollments:
    automation === undefined
      ? []
      : admin
          .enrollments(automation)
          .map(({ email }) => email)
          .sort(),
});

test.each(WORKS.filter(({ name }) => PUT_BACK.includes(name)).map((work) => [work.name, work] as const))(
  '%s resumes to the same end when its moved folder is put back (D8, D1)',
  async (_, work) => {
    const undisturbed = await createWorld();
    const { json } = await undisturbed.svc(work.words(undisturbed));
    const expected = written(undisturbed, json.automation?.id);
    const writes = undisturbed.requests().flatMap(({ method }, position) => (method === 'POST' ? [position] : []));
    expect(writes.length).toBeGreaterThan(1);
    for (const [nth, position] of writes.slice(0, -1).entries()) {
      const lose = LOSSES[nth % 2 === 0 ? 'the state folder is moved' : 'the run folder is moved']!;
      const { world, result, state } = await playLoss(work, lose, { position, answered: nth % 3 !== 2 });
      const { run, automation } = result.json;
      expect([result.code, result.json.rows.unsent > 0], `request ${position}`).toEqual([1, true]);
      putBack(nth % 2 === 0 ? state : join(state, 'runs', run));

      const resumed = await world.svc(['runs', 'resume', run, '--json']);

      const { unsent, unknown } = resumed.json.rows;
      expect({ code: resumed.code, run: resumed.json.run, unsent, unknown }).toEqual({
        code: 0,
        run,
        unsent: 0,
        unknown: 0,
      });
      expect(written(world, automation?.id), `request ${position}`).toEqual(expected);
    }
  },
);

function putBack(path: string): void {
  rmSync(path, { recursive: true, force: true });
  renameSync(`${path}.away`, path);
}
