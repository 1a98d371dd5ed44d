import { expect, test } from 'vitest';
import type { Transport } from '../../../../../src/base/context.ts';
import { EXIT } from '../../../../../src/base/lib/errors.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { createWorld, type World } from '../../../../support/world.ts';

/**
 * Fields that a response may lack, by the word in the path of the request. The fields in one text are missing together.
 */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  contacts: ['status', 'attributes', 'unsubscribed_at', 'created_at', 'first_name last_name topics updated_at'],
  suppressions: ['email', 'reason', 'created_at', 'has_more', 'next_cursor'],
  automations: ['live_version', 'sandbox', 'created_at', 'updated_at'],
  audiences: ['updated_at'],
  webhooks: ['description', 'consecutive_failures', 'last_success_at', 'last_failure_at', 'last_error', 'created_at'],
  deliveries: ['attempt', 'response_status', 'error', 'duration_ms', 'next_attempt_at', 'delivered_at', 'created_at'],
};

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  contacts: [
    'contacts ls',
    'contacts get person0@example.com',
    'contacts export',
    'contacts check l.csv',
    'contacts import m.csv',
    'contacts import n.csv --explicit-status',
    'contacts import l.csv --only-changed --gone report',
    'migrate o.csv --dry-run',
    'automations enroll FLOW o.csv',
  ],
  suppressions: [
    'suppressions ls',
    'suppressions count',
    'contacts check m.csv',
    'runs verify latest',
    'migrate p.csv',
  ],
  automations: ['automations ls', 'doctor', 'contacts import m.csv', 'automations enroll FLOW o.csv'],
  audiences: ['audiences ls', 'audiences get Newsletter', 'doctor', 'contacts import m.csv'],
  webhooks: ['webhooks ls', 'webhooks ls --failing', 'webhooks get HOOK', 'doctor'],
  deliveries: ['webhooks deliveries HOOK', 'webhooks deliveries HOOK --summary'],
};

type Edit = (fields: Record<string, unknown>) => Record<string, unknown>;

/** Changes the objects in the responses to GET requests whose last resource is `word`, and their lists. */
function editing(word: string, edit: Edit): (inner: Transport) => Transport {
  return (inner) => ({
    close: () => inner.close(),
    send: async (request, signal) => {
      const response = await inner.send(request, signal);
      const resource = request.url.pathname.split('/').findLast((each) => each in FIELDS);
      if (request.method !== 'GET' || response.status !== 200 || resource !== word) {
        return response;
      }
      const got = JSON.parse(response.body.toString());
      const changed = Array.isArray(got.data) ? edit({ ...got, data: got.data.map(edit) }) : edit(got);
      return { ...response, body: Buffer.from(JSON.stringify(changed)) };
    },
  });
}

const EDITS: Readonly<Record<string, (names: readonly string[]) => Edit>> = {
  null: (names) => (fields) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, names.includes(name) ? null : value])),
  absent: (names) => (fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))),
};

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => `person${index}@example.com,Name,subscribed\n`).join('');

async function prepare(): Promise<{ world: World; lineOf: (command: string) => string }> {
  const world = await createWorld();
  ['l', 'm', 'n', 'o', 'p'].forEach((name, index) => {
    world.file(`${name}.csv`, `email,first_name,status\n${rows(5 + index)}`);
  });
  const first_name = 'Ana';
  world.emulator.admin.addContacts([{ email: 'person0@example.com', first_name, attributes: { city: 'Bonn' } }]);
  world.emulator.admin.suppress(['person8@example.com', 'bea@example.com']);
  const automation = world.emulator.admin.createAutomation({ name: 'Welcome' });
  const url = 'https://hooks.example.com/in';
  const hook = await world.svc([
    'webhooks',
    'create',
    '--url',
    url,
    '--event',
    'email.bounced',
    '--secret-file',
    's',
    '--json',
  ]);
  await world.svc('contacts import l.csv --json');
  return {
    world,
    lineOf: (command) => command.replace('FLOW', automation).replace('HOOK', hook.json.id),
  };
}

const CASES = Object.keys(FIELDS).flatMap((word) => Object.keys(EDITS).map((how) => [word, how] as const));

test.each(CASES)('no command crashes when a field of %s is %s (O6, D9)', async (word, how) => {
  const { world, lineOf } = await prepare();
  const bad: string[] = [];
  for (const [nth, field] of (FIELDS[word] ?? []).entries()) {
    const transport = editing(word, EDITS[how]?.(field.split(' ')) as Edit);
    // Each command meets each field once: it is null for one half of them, and absent for the other.
    for (const command of everyNth(COMMANDS[word] ?? [], 2, nth + Object.keys(EDITS).indexOf(how))) {
      const shown = command.includes('export') ? {} : { columns: 100 };
      const { code, err } = await world.svc(lineOf(command), { transport, ...shown });
      if (code === EXIT.bug) {
        bad.push(`${command}, ${field}: ${err}`);
      }
    }
  }
  expect(bad).toEqual([]);
});

test('prints a null of the service as null in JSON (O6)', async () => {
  const { world } = await prepare();
  const nulls: Edit = (fields) => ('email' in fields ? { ...fields, status: null, attributes: null } : fields);
  const transport = editing('contacts', nulls);
  const all = await world.svc('contacts ls --json', { transport });
  const one = await world.svc('contacts get person0@example.com --json', { transport });
  const exported = await world.svc('contacts export --format ndjson', { transport });
  const shown = [all.json[0], one.json, JSON.parse(exported.out.split('\n')[0] ?? '')];
  expect(shown.map(({ status, attributes }) => [status, attributes])).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ]);
});
