import type { NewAutomation } from '../../../../src/emulator/admin/automations.ts';
import type { World } from '../../../support/world.ts';
import { type PreparedWorld, type Scenario, smallWorld, testFailingReads } from './failing-reads.ts';

/** A test setup with an automation, and a list with the person of its audience. */
async function withAutomation(settings: NewAutomation = {}): Promise<PreparedWorld> {
  const world = await smallWorld();
  const automation = world.emulator.admin.createAutomation({ name: 'Welcome', ...settings });
  world.file('list.csv', 'email\nmax@example.com\n');
  return { ...world, automation };
}

/** An endpoint whose only delivery failed at its last attempt. */
async function withEndpoint(): Promise<World> {
  const world = await smallWorld({ sendWebhook: async () => 500 });
  await world.svc('webhooks create --url https://hooks.example.com/ --event email.sent --secret-file secret');
  world.emulator.admin.emitEvent('email.sent', { object: 'email', email: 'ana@example.com' });
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    await world.clock.advance(7 * 3_600_000);
  }
  return world;
}

/** An enrollment that stopped at its first person, because the service failed before any effect. */
async function stoppedAutomation(): Promise<World> {
  const world = await withAutomation();
  world.refuse('POST *', { status: 403, code: 'forbidden' });
  await world.svc('automations enroll Welcome list.csv');
  world.emulator.admin.clearFaults();
  return world;
}

/** An endpoint was created, but the response was lost, and it is too late to repeat the request. */
async function lostEndpoint(): Promise<World> {
  const world = await smallWorld();
  world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST *' } });
  await world.svc('webhooks create --url https://hooks.example.com/ --event email.sent --secret-file secret');
  world.emulator.admin.clearFaults();
  await world.clock.advance(10 * 60_000);
  return world;
}

function hookId(world: World): string {
  return world.emulator.admin.webhooks()[0]?.id ?? '';
}

function scenario(
  title: string,
  prepare: () => Promise<PreparedWorld> = smallWorld,
  line: Scenario['line'] = () => title,
): Scenario {
  return { title, prepare, line };
}

testFailingReads('others', [
  scenario(
    'automations enroll <id> list.csv',
    withAutomation,
    ({ automation }) => `automations enroll ${automation} list.csv`,
  ),
  scenario('automations enroll Welcome --email max@example.com', withAutomation),
  scenario('automations enroll Welcome list.csv --create-contacts', withAutomation),
  scenario('automations enroll Welcome list.csv --dry-run', withAutomation),
  scenario(
    'automations enroll <archived> list.csv',
    () => withAutomation({ status: 'archived' }),
    ({ automation }) => `automations enroll ${automation} list.csv`,
  ),
  scenario('runs resume', stoppedAutomation),
  scenario('webhooks ls', withEndpoint),
  scenario('webhooks ls --failing', withEndpoint),
  scenario('webhooks get <id>', withEndpoint, (world) => `webhooks get ${hookId(world)}`),
  scenario('webhooks get https://hooks.example.com/', withEndpoint),
  scenario('webhooks deliveries <id>', withEndpoint, (world) => `webhooks deliveries ${hookId(world)}`),
  scenario('webhooks deliveries https://hooks.example.com/ --summary', withEndpoint),
  scenario(
    'webhooks update <id> --add-event email.bounced',
    withEndpoint,
    (world) => `webhooks update ${hookId(world)} --add-event email.bounced`,
  ),
  scenario(
    'webhooks update <id> --description New',
    withEndpoint,
    (world) => `webhooks update ${hookId(world)} --description New`,
  ),
  scenario(
    'webhooks delete https://hooks.example.com/ --confirm <id>',
    withEndpoint,
    (world) => `webhooks delete https://hooks.example.com/ --confirm ${hookId(world)}`,
  ),
  scenario('webhooks create --url https://hooks.example.com/2 --event email.sent --secret-file other', withEndpoint),
  scenario('webhooks create --url https://hooks.example.com/ --event email.sent --secret-file secret', lostEndpoint),
  scenario('emails send --from me@example.com --to ana@example.org --subject Hi --text Hi', smallWorld),
  scenario('doctor', withEndpoint),
  scenario('doctor --from me@example.com --to ana@example.org --yes', smallWorld),
  {
    ...scenario('auth login'),
    run: ({ emulator }) => ({ stdin: emulator.apiKey, env: { SVC_API_KEY: '' } }),
  },
  {
    ...scenario('__complete -- audiences get', smallWorld, () => ['__complete', '--', 'audiences', 'get', '']),
    run: () => ({ env: { SVC_API_KEY_ORIGIN: 'https://mail.example.test' } }),
  },
]);
