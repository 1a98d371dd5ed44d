import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Client } from '../../../../src/api/client.ts';
import { createUndiciTransport } from '../../../../src/api/http/transport.ts';
import { listAudiences } from '../../../../src/api/resources/audiences.ts';
import { sendEmail } from '../../../../src/api/resources/emails.ts';
import { configFolder } from '../../../../src/base/os/profile.ts';
import type { ExportPlan } from '../../../../src/commands/contacts/export-output.ts';
import { writeExport } from '../../../../src/commands/contacts/write-export.ts';
import { type CommandResult, createWorld, type World } from '../../../support/world.ts';

const LIST = 'email,status\nana@example.com,subscribed\n';
const EXPORT = 'contacts export --output people.csv --cursor-file cursor';
const TO_STDOUT = 'contacts export --format ndjson --cursor-file cursor';
const HOUR = 3_600_000;
const MESSAGE = { from: 'me@example.com', to: [], subject: 'Hi', text: 'Hi' };
const NO_CLIENT = {} as Client;
const NO_CONTEXT = {} as Parameters<typeof writeExport>[1];
const NOT_SENT = {} as Parameters<typeof sendEmail>[2];

/** A test setup with 150 contacts: two pages. */
async function pagesWorld(): Promise<World> {
  const contacts = Array.from({ length: 150 }, (_, at) => ({ email: `p${at}@example.com` }));
  return createWorld({ seed: { contacts } });
}

/** Runs an export of which the second page fails, then lets the service work again. */
async function interrupt(world: World, line: string): Promise<void> {
  world.refuse('GET /v1/audiences/*/contacts', { status: 403, code: 'forbidden', after: 1 });
  await world.svc(line);
  world.emulator.admin.clearFaults();
  expect(existsSync(join(world.folder, 'cursor'))).toBe(true);
}

/** An error code, its exit code, and a command that ends with both. */
const CASES: readonly (readonly [code: string, exit: number, play: () => Promise<CommandResult>])[] = [
  [
    'another_export',
    2,
    async () => {
      const world = await pagesWorld();
      await interrupt(world, EXPORT);
      return world.svc(`${EXPORT} --status unsubscribed --json`);
    },
  ],
  [
    'part_missing',
    2,
    async () => {
      const world = await pagesWorld();
      await interrupt(world, EXPORT);
      rmSync(join(world.folder, 'people.csv.part'));
      return world.svc(`${EXPORT} --json`);
    },
  ],
  [
    'input_released',
    2,
    async () => {
      const world = await createWorld();
      const path = world.file('list.csv', LIST);
      await world.svc('contacts import list.csv');
      rmSync(path);
      return world.svc('runs verify --json');
    },
  ],
  [
    'input_released',
    2,
    async () => {
      const world = await createWorld();
      await world.svc('contacts import -', { stdin: LIST });
      return world.svc('runs verify --json');
    },
  ],
  [
    'not_verifiable',
    2,
    async () => {
      const world = await createWorld();
      world.file('list.csv', 'email,status\nana@example.com,bounced\n');
      const { json } = await world.svc('suppressions import list.csv --json');
      return world.svc(`runs verify ${json.run} --json`);
    },
  ],
  [
    'no_report',
    2,
    async () => {
      const world = await createWorld();
      world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST *' } });
      await world.svc('audiences create Shop');
      return world.svc('runs show latest --html page.html --json');
    },
  ],
  ['unknown_plan', 2, async () => (await createWorld()).svc('audiences ls --json', { env: { SVC_PLAN: 'gold' } })],
  [
    'unknown_platform',
    2,
    async () => {
      const world = await createWorld();
      world.file('list.csv', LIST);
      return world.svc('migrate list.csv --from nothing --dry-run --json');
    },
  ],
  [
    'no_terminal',
    2,
    async () => {
      const world = await createWorld({ seed: { contacts: [{ email: 'ana@example.com' }] } });
      const automation = world.emulator.admin.createAutomation({ name: 'Welcome' });
      world.emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST *' } });
      world.file('list.csv', LIST);
      const { json } = await world.svc(`automations enroll ${automation} list.csv --json`);
      return world.svc(`runs resolve ${json.run} --json`);
    },
  ],
];

/**
 * Continues an export to stdout that was interrupted more than an hour ago. Calls the function of the command, because
 * the error would not be JSON without `--json`, and with it the export does not print to stdout.
 */
async function continueOldExport(): Promise<unknown> {
  const world = await pagesWorld();
  await interrupt(world, TO_STDOUT);
  await world.clock.advance(HOUR + 1);
  const cursorFile = join(world.folder, 'cursor');
  const source = JSON.parse(readFileSync(cursorFile, 'utf8')) as ExportPlan['source'];
  const context = { ...NO_CONTEXT, client: NO_CLIENT, clock: world.clock };
  return writeExport({ source, output: undefined, cursorFile, temporaryPath: undefined, spreadsheet: false }, context);
}

// A usage error without a hint of its own gets this one.
const HELP_ONLY = /^See: svc [a-z ]*--help$/;

test.each(CASES)('ends with the error code %s, exit code %i and a specific hint', async (code, exit, play) => {
  const result = await play();
  const error = { code, exit_code: exit, hint: expect.stringMatching(/\S/) };
  expect([result.code, JSON.parse(result.err).error], result.err).toMatchObject([exit, error]);
  expect(JSON.parse(result.err).error.hint).not.toMatch(HELP_ONLY);
});

test.each([
  ['no_config_folder', () => configFolder({}, undefined)],
  [
    'invalid_proxy',
    () =>
      createUndiciTransport({
        origin: new URL('https://mail.example.test'),
        connections: 1,
        env: { HTTPS_PROXY: 'ftp://x' },
      }),
  ],
  ['too_many_recipients', () => sendEmail(NO_CLIENT, { ...MESSAGE, to: [] }, NOT_SENT)],
  ['too_many_recipients', () => sendEmail(NO_CLIENT, { ...MESSAGE, to: Array(51).fill('ana@example.com') }, NOT_SENT)],
  ['cursor_expired', continueOldExport],
  ['invalid_limit', () => listAudiences(NO_CLIENT, { limit: 0 }).next()],
  ['invalid_limit', () => listAudiences(NO_CLIENT, { limit: 101 }).next()],
])('fails with the error code %s and exit 2 before any request', async (code, refuse) => {
  await expect((async () => refuse())()).rejects.toMatchObject({ code, exit: 2 });
});
