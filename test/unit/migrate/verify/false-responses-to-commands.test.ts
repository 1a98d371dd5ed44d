import { expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { createWorld } from '../../../support/world.ts';

const LIST = [
  'email,first_name,status,unsubscribed_at',
  'ana@example.com,Ana,subscribed,',
  'dan@example.com,Dan,unsubscribed,2024-05-01T10:00:00Z',
  ...['eve', 'fay', 'gil', 'hal'].map((name) => `${name}@example.com,${name},subscribed,`),
  '',
].join('\n');

const COMMANDS = [
  'contacts import list.csv',
  'contacts import list.csv --only-changed',
  'contacts import list.csv --explicit-status',
];

const LIES = [
  { lie: 'shows another name', who: 'ana', fields: { first_name: 'Zoe' } },
  { lie: 'loses an opt-out', who: 'dan', fields: { status: 'subscribed' } },
];

const SAID: Readonly<Record<string, readonly [atCanary: string, atEnd: string]>> = {
  ana: [
    'ana@example.com: first_name was sent as "Ana" and reads "Zoe"',
    'ana@example.com: first_name was sent as "Ana" and reads "Zoe"',
  ],
  dan: [
    'dan@example.com: status was sent as "unsubscribed" and reads "subscribed"',
    'dan@example.com opted out, but is subscribed',
  ],
};

/** Makes the service show this person with other fields, after it got a batch of this kind. */
function showing(
  { who, fields }: (typeof LIES)[number],
  after: 'canary' | 'contacts',
): (inner: Transport) => Transport {
  let isSent = false;
  return (inner) => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      isSent ||= request.headers['idempotency-key']?.startsWith(`svc1.${after}.`) === true;
      const isMeant = request.method === 'GET' && request.url.pathname.endsWith(`/${who}%40example.com`);
      return isMeant && isSent && response.status === 200
        ? { ...response, body: Buffer.from(JSON.stringify({ ...JSON.parse(response.body.toString()), ...fields })) }
        : response;
    },
  });
}

/** Creates a test setup with the list. `known`: the audience already holds both people, with another name. */
async function worldOf(known: boolean) {
  const world = await createWorld();
  world.file('list.csv', LIST);
  const names = known ? ['ana', 'dan'] : [];
  world.emulator.admin.addContacts(names.map((name) => ({ email: `${name}@example.com`, first_name: 'Old' })));
  return world;
}

const CASES = COMMANDS.flatMap((command) =>
  LIES.flatMap((lie) => [false, true].map((known) => ({ command, ...lie, known, people: known ? 'known' : 'new' }))),
);

test.each(CASES)(
  '$command stops when the service $lie of $people canary people (F5, C1)',
  async ({ command, known, ...lie }) => {
    const world = await worldOf(known);
    const { code, json } = await world.svc(`${command} --plan paid --json`, { transport: showing(lie, 'canary') });
    expect([code, json.phase, json.error.message]).toEqual([
      8,
      'first_batch',
      expect.stringContaining(SAID[lie.who]?.[0] ?? ''),
    ]);
    expect(world.emulator.admin.contacts()).toHaveLength(4);
  },
);

test.each(CASES)(
  '$command fails when the service $lie of $people people later (L4, C2)',
  async ({ command, known, ...lie }) => {
    const world = await worldOf(known);
    const { code, json } = await world.svc(`${command} --plan paid --json`, { transport: showing(lie, 'contacts') });
    const { status, checks } = json.verification;
    const messages = checks.map(({ message }: { message: string }) => message);
    expect([code, json.phase, status, messages.join()]).toEqual([
      8,
      'done',
      'failed',
      expect.stringContaining(SAID[lie.who]?.[1] ?? ''),
    ]);
    expect(world.emulator.admin.contacts()).toHaveLength(6);
  },
);

test('enrolls no person when a written contact has another name (F5, M7)', async () => {
  const world = await worldOf(false);
  const automation = world.emulator.admin.createAutomation({ name: 'Welcome' });
  const line = 'automations enroll Welcome list.csv --create-contacts --plan paid --json';
  const { code, json } = await world.svc(line, { transport: showing(LIES[0]!, 'canary') });
  expect([code, json.phase, json.rows.enrolled, world.emulator.admin.enrollments(automation)]).toEqual([
    8,
    'first_batch',
    0,
    [],
  ]);
});
