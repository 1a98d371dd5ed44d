import { expect, test } from 'vitest';
import { splitShellText } from '../../../src/base/lib/text.ts';
import { createWorld } from '../../support/world.ts';

const SEED = { contacts: [{ email: 'ana@example.com' }, { email: 'ben@example.com' }] };
const ACCOUNT = '--base-url https://mail.example.test/api';
const COMMAND = /svc (?:-\S+ \S+ )?(?:audiences|contacts|webhooks) [^\n]*/g;

test.each([
  ['audiences delete AUD', ['', 'no']],
  ['audiences delete AUD', ['kept.csv', 'no']],
  ['webhooks delete HOOK', ['no']],
])('repeats --base-url in each command that %s prints (K4)', async (line, answers) => {
  const world = await createWorld({ seed: SEED });
  const hook = await world.svc(
    'webhooks create --url https://hooks.example.com/a --event email.sent --secret-file s --json',
  );
  const typed = line.replace('AUD', world.emulator.audienceId).replace('HOOK', hook.json?.id);
  for (const columns of [undefined, 80, 400]) {
    const { code, err } = await world.svc(`${ACCOUNT} ${typed}`, {
      answers: answers.map((answer) => (answer === 'kept.csv' ? `${columns}.csv` : answer)),
      ...(columns && { columns }),
    });
    const commands = err.replaceAll(/ \\\n\s*/g, ' ').match(COMMAND) ?? [];

    expect([code, commands.length > 0], err).toEqual([2, true]);
    expect(commands.filter((command) => !command.includes('--base-url https://mail.example.test/api'))).toEqual([]);
  }
});

test.each([
  ['only deleted ones are missing', 'all', []],
  ['it lists only subscribed people too', 'subscribed', ['Contacts were deleted while svc read them, and its lists']],
])('compares an export with the count of the service when %s (L2, K4)', async (_, contact_list, says) => {
  const contacts = [...SEED.contacts, { email: 'cyd@example.com', status: 'unsubscribed' as const }];
  const world = await createWorld({ seed: { contacts }, variants: { contact_list } });
  const { admin } = world.emulator;
  const { code, err } = await world.svc(`${ACCOUNT} contacts export`, {
    transport: (inner) => ({
      close: () => inner.close(),
      send: (request, signal) => {
        const isGone = admin.contact('ana@example.com') === undefined;
        isGone || !request.url.pathname.endsWith('/contacts') || admin.deleteContact('ana@example.com');
        return inner.send(request, signal);
      },
    }),
  });

  expect(code, err).toBe(0);
  expect(err.match(/Contacts were deleted while svc read them, and its lists|The service counts 3/g) ?? []).toEqual(
    says,
  );
  expect(says.length === 0 || err.includes(`svc ${ACCOUNT} contacts get <address>`), err).toBe(true);
});

test.each(['Welcome', 'Wel come', '-Wel come', '--email', '-', "-o'clock $(date)"])(
  'mcp call prints an enroll command that works for the name %j (K5, M1)',
  async (name) => {
    const world = await createWorld({ seed: { contacts: [{ email: '-ana@example.com' }] } });
    world.emulator.admin.createAutomation({ name });
    const toolArguments = JSON.stringify({ automation_id: name, email: '-ana@example.com' });
    const words = ['mcp', 'call', 'service_enroll_in_automation', '--json', '--arguments', toolArguments];
    const { hint } = JSON.parse((await world.svc(words)).err).error;
    const { code, err, json } = await world.svc(['--yes', '--json', ...splitShellText(hint).slice(1)]);
    expect([code, json.rows.enrolled], err).toEqual([0, 1]);
  },
);
