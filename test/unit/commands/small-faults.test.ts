import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { people } from '../../support/lists.ts';
import { createWorld, type World } from '../../support/world.ts';
import { addresses, bare, createFlowWorld } from '../enroll/support.ts';

const CONTACTS = { match: { route: 'POST *contacts/batch' } } as const;
const NPX = { npm_command: 'exec' };

/** A run that stopped before its first contact, and whose list is another file now. */
async function cutAndChanged(line = 'migrate list.csv'): Promise<World> {
  const world = await createWorld();
  world.file('list.csv', people(3));
  const fault = line.startsWith('migrate') ? CONTACTS : { match: { route: 'GET *contacts' } };
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', ...fault });
  expect(await world.svc(line)).toMatchObject({ code: 1 });
  world.emulator.admin.clearFaults();
  world.file('list.csv', people(4));
  return world;
}

const CHANGED = 'list.csv was changed since this run began. The run continues with its copy of the file as it was.';

test('says in the report of a resume that the original is another file now (D5)', async () => {
  const { code, err, json } = await (await cutAndChanged()).svc('runs resume --json -q');
  expect([code, err, json.rows.read]).toEqual([0, '', 3]);
  expect(json.findings.filter(({ level }: { level: string }) => level === 'warn')).toEqual([
    { check: 'input_changed', level: 'warn', message: CHANGED },
  ]);
});

test('warns of the changed original also in a quiet resume that ends well (D5)', async () => {
  const { code, out, err } = await (await cutAndChanged()).svc('runs resume -q');
  expect([code, out]).toEqual([0, '']);
  expect(err).toMatch(new RegExp(`^\\S+Z warning: ${CHANGED.replaceAll('.', '\\.')}\n$`));
});

test('says in the notes of a resumed check that the original is another file now (D5)', async () => {
  const { json } = await (await cutAndChanged('contacts check list.csv')).svc('runs resume --json -q');
  expect([json.notes, json.rows.read]).toEqual([[CHANGED], 3]);
});

test('takes "latest" for a run wherever one is shown, resumed or resolved', async () => {
  const world = await createFlowWorld(addresses(1));
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'POST *enroll' } });
  const { json } = await world.enroll(bare(addresses(1)), ['--at-most-once']);
  world.emulator.admin.clearFaults();
  const resolved = await world.svc('runs resolve latest --all not-enrolled --json');
  expect(resolved.json).toEqual({ run: json.run, enrolled: 0, not_enrolled: 1, unknown: 0 });
  expect((await world.svc('runs show latest --json')).json.run).toBe(json.run);
  expect(await world.svc('runs resume latest')).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${json.run} is finished`),
  });
});

test('names "latest" as no run when there is none', async () => {
  for (const command of ['show', 'resume', 'resolve']) {
    const { code, err } = await (await createWorld()).svc(`runs ${command} latest`);
    expect([code, err]).toEqual([2, expect.stringContaining('svc: there is no run yet\n')]);
  }
});

test.each([
  ['webhooks ls', /^Why: (.*)$/m, (id: string) => `npx svc webhooks deliveries ${id} --summary`],
  [
    'webhooks get https://hooks.example.com/',
    /^Why: (.*)$/m,
    (id: string) => `npx svc webhooks deliveries ${id} --summary`,
  ],
  [
    'webhooks deliveries https://hooks.example.com/ --summary',
    /^ {2}(.*--json.*)$/m,
    (id: string) => `npx svc webhooks deliveries ${id} --summary --json`,
  ],
])('names npx in the command that %s shows when npx started it', async (line, command, expected) => {
  const world = await createWorld({ sendWebhook: async () => 500 });
  const create = 'webhooks create --url https://hooks.example.com/ --event email.sent --secret-file s --json';
  const { id } = (await world.svc(create)).json;
  for (let event = 0; event < 21; event += 1) {
    world.emulator.admin.emitEvent('email.sent', { object: 'email' });
  }
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    await world.clock.advance(7 * 3_600_000);
  }
  const { out } = await world.svc(line, { columns: 200, env: NPX });
  expect(command.exec(out)?.[1]).toBe(expected(id));
});

test('names npx in the line that needs --yes, and in the line that lists all, when npx started it (M7)', async () => {
  const world = await createWorld();
  const refused = await world.svc('emails send --from a@example.com --to b@example.com --subject S --text T', {
    env: NPX,
    asTyped: true,
  });
  expect(refused.err).toContain('Add --yes: npx svc emails send --from a@example.com');
  world.emulator.admin.addContacts(addresses(51).map((email) => ({ email })));
  const { err } = await world.svc('contacts ls', { env: NPX });
  expect(err).toBe('Only the first 50 are listed. For all of them:\n  npx svc contacts ls --all\n');
});

test('names the people who will be unsubscribed in the question, and counts their requests (G6)', async () => {
  const world = await createWorld();
  const line = 'contacts import list.csv --default-status subscribed --only-changed';
  world.file('list.csv', bare(addresses(40)));
  await world.svc(line);
  world.file('list.csv', bare(addresses(39)));
  const planned = await world.svc(`${line} --gone unsubscribe --dry-run --json`);
  expect([planned.json.plan.opt_outs, planned.json.plan.contacts]).toEqual([1, 0]);
  const asked: string[] = [];
  const { code } = await world.svc(`${line} --gone unsubscribe`, {
    answers: ['n'],
    onAsk: (question) => asked.push(question),
  });
  expect([code, asked.join('')]).toEqual([5, expect.stringContaining('Unsubscribe 1 missing person? About 1 s.')]);
  const reported = await world.svc(`${line} --gone report --dry-run --json`);
  expect(reported.json.plan).not.toHaveProperty('opt_outs');
  expect(planned.json.plan.requests - reported.json.plan.requests).toBe(3);
});

test('says what logout did, and that the key works elsewhere (K1)', async () => {
  const world = await createWorld();
  const none = { SVC_API_KEY: '' };
  await world.svc('auth login', { stdin: world.emulator.apiKey, env: none });
  const path = join(world.folder, 'config', 'svc', 'config.json');
  const said = async (flags = '') => {
    const { code, out, err } = await world.svc(`auth logout ${flags}`, { env: none });
    return { code, out, err };
  };
  const shown = (removed: boolean) => `object\tlogout\nprofile\tdefault\nremoved\t${removed}\npath\t${path}\n`;
  expect(await said()).toEqual({
    code: 0,
    out: shown(true),
    err: 'The key was removed from this machine. It still works elsewhere: revoke it in the app.\n',
  });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    profiles: { default: { base_url: 'https://mail.example.test/api' } },
  });
  expect(await said()).toEqual({ code: 0, out: shown(false), err: 'No key was stored.\n' });
  expect(await said('-q')).toMatchObject({ code: 0, err: '' });
});
