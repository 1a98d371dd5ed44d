import { expect, test } from 'vitest';
import type { Transport } from '../../../../src/base/context.ts';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { stepOf } from '../../../support/sweep.ts';
import { createWorld, type World } from '../../../support/world.ts';

/** Every command that sends requests. `{name}` stands for an id from `prepare`. */
const COMMANDS = [
  'audiences ls',
  'audiences get {aud}',
  'audiences create News',
  'audiences rename {aud} News',
  'audiences delete {aud} --confirm {name}',
  'automations ls',
  'automations enroll {aut} list.csv',
  'automations enroll {aut} list.csv --create-contacts',
  'contacts ls',
  'contacts get ana@example.com',
  'contacts check list.csv',
  'contacts import list.csv',
  'contacts export --output out.csv',
  'doctor',
  'emails send --from a@example.com --to ana@example.com --subject Hi --text-file body.txt',
  'mcp ls --mcp-url https://mail.example.test/mcp',
  'mcp call service_list_audiences --mcp-url https://mail.example.test/mcp',
  'migrate list.csv',
  'migrate list.csv --audience-name News --create-audience',
  'runs verify {run}',
  'suppressions ls',
  'suppressions count',
  'suppressions import left.csv --reason unsubscribed',
  'webhooks ls',
  'webhooks get {whe}',
  'webhooks create --url https://hooks.example.com/ --event email.sent --secret-file s',
  'webhooks update {whe} --add-event email.bounced',
  'webhooks update {whe} --events email.bounced',
  'webhooks delete {whe} --confirm {whe}',
  'webhooks deliveries {whe}',
];
const MAX_REQUESTS = 40;
// The first requests are those that differ most between commands.
const FIRST = 6;

/** The longest wait for the response of a sent write after a signal. Without a signal an attempt takes much longer. */
const GRACE_MS = 10_000;

test.each(COMMANDS)('ends soon when a signal comes during any request of svc %s (I5)', async (line) => {
  const wrong: string[] = [];
  for (let nth = 1; nth <= MAX_REQUESTS; nth += nth < FIRST ? 1 : stepOf(3)) {
    const { request, more, code, err } = await abortAt(nth, line);
    if (request === undefined) {
      expect([nth > 1 ? '' : err, wrong]).toEqual(['', []]);
      return;
    }
    if (request.closedAfterMs > GRACE_MS || more > 0 || code !== 130) {
      wrong.push(`${nth}. ${request.what}: ${request.closedAfterMs} ms, ${more} requests later, exit ${code}`);
    }
  }
  expect(wrong).toEqual(['fewer requests']);
});

/** Runs a command with a signal at its request `nth`, which never gets a response. */
async function abortAt(nth: number, line: string) {
  const world = await createWorld({
    seed: { account: { domains: ['example.com'] }, contacts: [{ email: 'ana@example.com' }] },
  });
  const words = await prepare(world, line);
  const stop = new AbortController();
  let asked = 0;
  let request: { readonly what: string; readonly closedAfterMs: number } | undefined;
  const transport = (inner: Transport): Transport => ({
    ...inner,
    send: async (sent, signal) => {
      asked += 1;
      if (asked !== nth) {
        return inner.send(sent, signal);
      }
      stop.abort(createInterruption('SIGINT'));
      const since = world.clock.monotonic();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      request = { what: `${sent.method} ${sent.url.pathname}`, closedAfterMs: world.clock.monotonic() - since };
      throw signal.reason;
    },
  });
  const { code, err } = await world.svc(words, { signal: stop.signal, transport });
  return { request, more: asked - nth, code, err };
}

async function prepare(world: World, line: string): Promise<string> {
  world.file('list.csv', 'email,status\nbo@example.com,subscribed\ncy@example.com,unsubscribed\n');
  world.file('body.txt', 'Hi');
  world.file('left.csv', 'email\nleft@example.com\n');
  const hook = 'webhooks create --url https://hooks.example.com/ --event email.sent --secret-file s --json';
  const { audienceId, admin } = world.emulator;
  const whe = line.includes('{whe}') ? (await world.svc(hook)).json.id : '';
  const run = line.includes('{run}') ? (await world.svc('contacts import list.csv --json')).json.run : '';
  const aut = line.includes('{aut}') ? admin.createAutomation({ name: 'Welcome' }) : '';
  const ids = { whe, run, aut, aud: audienceId, name: 'Newsletter' };
  return line.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof ids) => ids[name]);
}
