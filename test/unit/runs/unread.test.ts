import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readListedRun } from '../../../src/runs/store/open-journal.ts';
import { failCalls } from '../../support/node/failing-calls.ts';
import { stepOf } from '../../support/sweep.ts';
import { createWorld, type World } from '../../support/world.ts';

const MAIL = 'emails send --from me@example.com --to ana@example.com --subject Hi --text Hello --json --yes';
const AUDIENCE = 'audiences create News --json';
const CREATE = 'webhooks create --url https://hooks.example.com/in --event email.sent --secret-file secret --json';

test('does not repeat a creation when its run cannot be read (D2, D9, W1)', async () => {
  const world = await createWorld();
  world.emulator.admin.addFault({ kind: 'answer', status: 302, when: 'after', match: { route: 'POST /v1/webhooks' } });
  expect((await world.svc(CREATE)).code).toBe(1);
  world.emulator.admin.clearFaults();
  // The folder looks as if a program had been killed. Without a log, svc reads a run twice before it gives up.
  writeFileSync(`${onlyJournal(world)}-wal`, '');
  const calls = failCalls({ at: 4, code: 'EMFILE', within: onlyJournal(world) });
  const blind = await world.svc(CREATE);
  calls.restore();

  expect([calls.failed, blind.code]).toEqual([expect.any(String), 1]);
  const { error } = JSON.parse(blind.err);
  expect(error.message).toContain("can't be read, so the command was not started");
  expect(error.hint).toContain('ulimit -n');
  expect(error.hint).not.toContain('delete');
  expect((await world.svc(CREATE)).code).toBe(0);
  expect(world.emulator.admin.webhooks()).toHaveLength(1);
});

test('does not repeat a creation when any read of its journal fails (D9)', async () => {
  let at = 0;
  for (let failed: string | undefined = 'first'; failed !== undefined && at < 200; ) {
    at += stepOf(9, 3);
    const world = await createWorld();
    world.emulator.admin.addFault({
      ...{ kind: 'answer', status: 302, when: 'after' },
      match: { route: 'POST /v1/webhooks' },
    });
    await world.svc(CREATE);
    world.emulator.admin.clearFaults();
    const calls = failCalls({ at, code: 'CORRUPT', within: onlyJournal(world) });
    await world.svc(CREATE);
    calls.restore();
    failed = calls.failed;
    expect(world.emulator.admin.webhooks(), failed).toHaveLength(1);
  }
  expect(at).toBeGreaterThan(20);
});

test.each<[string, string, (world: World) => number]>([
  ['POST /v1/webhooks', CREATE, ({ emulator: { admin } }) => admin.webhooks().length],
  ['POST /v1/audiences', AUDIENCE, ({ emulator: { admin } }) => admin.audiences().length - 1],
  ['POST /v1/emails', MAIL, ({ emulator: { admin } }) => admin.account().sent],
])('does not repeat %s until the user deletes its damaged run (D9)', async (route, line, created) => {
  const world = await createWorld({ seed: { account: { domains: ['example.com'] } } });
  world.emulator.admin.addFault({ kind: 'answer', status: 302, when: 'after', match: { route } });
  expect([(await world.svc(line)).code, created(world)]).toEqual([1, 1]);
  world.emulator.admin.clearFaults();
  world.requests();
  const journal = onlyJournal(world);
  const good = readFileSync(journal);

  writeFileSync(journal, Buffer.concat([good.subarray(0, 100), Buffer.alloc(good.byteLength - 100, 7)]));
  const damaged = await world.svc(line);
  const { error } = JSON.parse(damaged.err);
  expect([damaged.code, error.code, world.requests()]).toEqual([1, 'state_damaged', []]);
  expect(error.message).toContain("can't be read, so the command was not started");

  const { out } = await world.svc('doctor');
  expect(out.replaceAll(/\s+/g, ' ')).toContain("can't be read, so no command sends anything");

  const command = /svc (runs delete .*)$/.exec(error.hint)?.[1] ?? '';
  expect([(await world.svc(command)).code, created(world)]).toEqual([0, 1]);
  // The user deleted the run, and so decided that the command may create it again.
  expect([(await world.svc(line)).code, created(world)]).toEqual([0, 2]);
});

test('throws when a listed run is damaged, not when it was deleted (D9)', async () => {
  const world = await createWorld();
  const match = { route: 'POST /v1/audiences' };
  world.emulator.admin.addFault({ kind: 'answer', status: 302, when: 'after', match });
  await world.svc(AUDIENCE);
  const journal = onlyJournal(world);
  const run = basename(dirname(journal));
  const read = () => readListedRun(join(world.folder, 'state', 'svc'), run, ({ header }) => header.command);
  expect(read()).toBe('audiences create');

  writeFileSync(journal, Buffer.alloc(readFileSync(journal).byteLength, 7));
  expect(read).toThrow(expect.objectContaining({ code: 'state_damaged' }));

  rmSync(dirname(journal), { recursive: true });
  expect(read()).toBe(undefined);
});

function onlyJournal(world: World): string {
  const runs = join(world.folder, 'state', 'svc', 'runs');
  return join(runs, readdirSync(runs)[0]!, 'run.db');
}
