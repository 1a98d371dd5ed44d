import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { afterPost, stoppedAfterPost } from '../../../support/after-post.ts';
import { numberedNames } from '../../../support/nights.ts';
import { createWorld, type World } from '../../../support/world.ts';
import {
  addressOf,
  MINUTE,
  SIGNS_UP,
  setStatuses,
  statusesOf,
  stoppedAtBatches,
} from '../../migrate/opt-outs/support.ts';

/** Changes an answer in the header of a run, as if another version of svc read the list. Returns the old header. */
function changeHeader(world: World, run: string, change: (header: string) => string): string {
  const db = new DatabaseSync(join(world.folder, 'state', 'svc', 'runs', run, 'run.db'));
  const rows = db.prepare("SELECT key, value FROM meta WHERE value LIKE '%statusMap%'").all();
  const [{ key, value }] = rows as [{ key: string; value: string }];
  db.prepare('UPDATE meta SET value = ? WHERE key = ?').run(change(value), key);
  db.close();
  return value;
}

const COMMANDS = [
  ['contacts import list.csv --status-map vip=subscribed --plan paid --json', 2],
  ['suppressions import list.csv --status-map vip=bounced --json', 1],
] as const;

const emailsOf = (world: World) =>
  [...world.emulator.admin.contacts(world.emulator.audienceId), ...world.emulator.admin.suppressions()].length;

test.each(COMMANDS)(
  'sends nothing more when a resume of %s reads a row differently (D1, I9)',
  async (command, posts) => {
    const world = await createWorld();
    const rows = numberedNames(1_200).map(
      (name) => `${name}@example.com,${name === 'p6' ? 'vip' : STATES[command[0]!]}`,
    );
    world.file('list.csv', `email,status\n${rows.join('\n')}\n`);
    const { run } = (await world.svc(command, stoppedAfterPost(posts))).json;
    const header = changeHeader(world, run, (text) => text.replace(/"vip":"\w+"/, '"vip":"skip"'));
    world.requests();

    const resumed = await world.svc(`runs resume ${run} --json`);

    expect([resumed.code, resumed.json.error.code]).toEqual([7, 'read_differently']);
    expect(resumed.json.next).toEqual([]);
    expect(world.requests().filter(({ method }) => method === 'POST')).toEqual([]);
    changeHeader(world, run, () => header);
    const again = await world.svc(command);
    expect([again.code, again.json.run === run, emailsOf(world)]).toEqual([0, false, 1_200]);
  },
);

const STATES: Readonly<Record<string, string>> = { c: 'subscribed', s: 'bounced' };

/** People whose addresses have several spellings, so that the audience decides about the bytes of a batch (F8). */
const SPELLED = Array.from({ length: 1_200 }, (_, index) => `p${index}@münchen${index % 7}.example,subscribed`);

const batchesOf = (world: World) =>
  world
    .requests()
    .filter(({ method }) => method === 'POST')
    .map(({ body, headers }) => [body, headers['idempotency-key']]);

const punycode = (index: number) => ({ email: `p${index}@${domainToASCII(`münchen${index % 7}.example`)}` });

test.each([
  ['was empty', 0, () => undefined],
  [
    'was empty and got people under another spelling since',
    0,
    ({ admin }) => admin.addContacts([5, 1_100].map(punycode)),
  ],
  ['held people under another spelling', 5, () => undefined],
  [
    'held people under another spelling, who were deleted since',
    5,
    ({ admin, audienceId }) => admin.contacts(audienceId).forEach(({ email }) => void admin.deleteContact(email)),
  ],
] satisfies [string, number, (emulator: World['emulator']) => void][])(
  'repeats a lost batch unchanged when the audience %s (I9, F8)',
  async (_, prior, meanwhile) => {
    const world = await createWorld();
    world.emulator.admin.addContacts(Array.from({ length: prior }, (__, index) => punycode(index)));
    world.file('list.csv', `email,status\n${SPELLED.join('\n')}\n`);
    const lost = afterPost(2, (stopper) => {
      stopper.abort();
      throw new Error('the response is lost');
    });
    const { run } = (await world.svc('contacts import list.csv --plan paid --json', lost)).json;
    const before = batchesOf(world);
    meanwhile(world.emulator);

    const { json } = await world.svc(`runs resume ${run} --json`);

    const after = batchesOf(world);
    expect([before.length, after[0]]).toEqual([2, before[1]]);
    expect([json.error, json.rows.created + json.rows.updated, json.rows.unsent]).toEqual([undefined, 1_200, 0]);
    // The batch that was never sent follows the audience, so this person gets no second contact.
    expect(world.emulator.admin.contacts().filter(({ email }) => email.startsWith('p1100@'))).toHaveLength(1);
  },
);

test.each([600, 700])('opts a person out again in a new run when a resume skips row %i (C1, I9)', async (row) => {
  const world = await createWorld({ variants: SIGNS_UP });
  const rows = Array.from({ length: 900 }, (_, index) => `${addressOf(index)},${index === row ? 'vip' : 'subscribed'}`);
  world.emulator.admin.addContacts(rows.map((_, index) => ({ email: addressOf(index) })));
  await world.clock.advance(10 * MINUTE);
  world.file('list.csv', `email,status\n${rows.join('\n')}\n`);
  const command = `${COMMANDS[0][0]} --no-verify`;
  const { run } = (await world.svc(command, stoppedAtBatches())).json;
  await setStatuses(world, [700], 'unsubscribed');
  await world.svc('runs resume --json', stoppedAfterPost(1));
  const header = changeHeader(world, run, (text) => text.replace(/"vip":"\w+"/, '"vip":"skip"'));
  const { code } = await world.svc('runs resume --json');
  changeHeader(world, run, () => header);
  expect([code, ...statusesOf(world, [700])]).toEqual([70, 'subscribed']);

  const again = await world.svc(command);

  expect([again.code, ...statusesOf(world, [700])]).toEqual([8, 'unsubscribed']);
});
