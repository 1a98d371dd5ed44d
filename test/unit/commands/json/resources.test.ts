import type { World } from '../../../support/world.ts';
import { type Story, testStories } from './stories.ts';

const MEMBERS = [
  { email: 'lea@example.com', first_name: 'Lea', status: 'unsubscribed', unsubscribed_at: Date.UTC(2024, 0, 1) },
  { email: 'max@example.com', first_name: 'Max', last_name: 'Müller', attributes: { city: 'Bonn\u001b[31m' } },
];
const SEED = { account: { domains: ['example.com'] }, contacts: MEMBERS };
const UNKNOWN_ID = '00000000000000000000000000';

const refuse =
  (status: number, code: string, route = '*') =>
  (world: World) =>
    world.emulator.admin.addFault({ kind: 'error', status, code, when: 'before', times: 1, match: { route } });
const file = (name: string, text: string) => (world: World) => world.file(name, text);

/** An event whose deliveries fail until the service gives up. */
async function failDelivery({ emulator, clock }: World): Promise<void> {
  emulator.admin.emitEvent('email.sent', { object: 'email', email: 'ana@example.com' });
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    await clock.advance(7 * 3_600_000);
  }
}

const STORIES: readonly Story[] = [
  {
    title: 'audiences',
    steps: [
      'audiences ls',
      'audiences get {aud}',
      'audiences get Newsletter',
      `audiences get aud_${UNKNOWN_ID}`,
      'audiences get Nothing',
      'audiences get ../x',
      'audiences create Second',
      'audiences create Second',
      'audiences ls --limit 1',
      `audiences create ${'x'.repeat(101)}`,
      {
        line: 'audiences create Third',
        before: refuse(403, 'insufficient_scope', 'POST *'),
        when: 'the key lacks the scope',
      },
      'audiences rename Newsletter News',
      `audiences rename aud_${UNKNOWN_ID} News`,
      'audiences delete News',
      'audiences delete News --confirm Old',
      'audiences delete News --confirm News',
      'audiences get News',
    ],
  },
  {
    title: 'an account without an audience',
    steps: [
      { line: 'audiences ls', before: ({ emulator }) => emulator.admin.deleteAudience(emulator.audienceId) },
      'contacts ls',
      'suppressions ls',
      'suppressions count',
      'automations ls',
      'webhooks ls',
      'runs ls',
    ],
  },
  {
    title: 'automations',
    steps: [
      {
        line: 'automations ls',
        before: ({ emulator }) => emulator.admin.createAutomation({ name: 'Welcome' }),
      },
      'automations ls --status archived',
      'automations ls --status nothing',
    ],
  },
  {
    title: 'contacts',
    options: { seed: SEED },
    steps: [
      'contacts ls',
      'contacts ls --limit 1',
      'contacts ls --status bounced',
      'contacts ls --audience Nothing',
      'contacts get max@example.com',
      'contacts get Max@Example.com --topics',
      'contacts get nia@example.com',
      `contacts get sub_${UNKNOWN_ID}`,
      'contacts export',
      'contacts export --output out.csv',
      'contacts export --output out.csv',
      'contacts export --output none.csv --status bounced',
      'contacts export --format ndjson --output out.ndjson',
    ],
  },
  {
    title: 'suppressions',
    steps: [
      { line: 'suppressions ls', before: ({ emulator }) => emulator.admin.suppress(['s@example.com'], 'bounced') },
      'suppressions count',
      { line: 'suppressions count', before: refuse(500, 'internal_error') },
      { line: 'suppressions ls', before: refuse(403, 'forbidden') },
    ],
  },
  {
    title: 'webhooks',
    options: { sendWebhook: async () => 500 },
    steps: [
      'webhooks create --url https://hooks.example.com/ --event email.sent --secret-file secret',
      'webhooks create --url https://hooks.example.com/ --event email.sent --secret-file secret',
      'webhooks create --url https://hooks.example.com/ --event email.sent',
      'webhooks create --url http://127.0.0.1/ --event email.sent --secret-file other',
      'webhooks create --url https://hooks.example.com/ --event email.none --secret-file other',
      'webhooks ls',
      'webhooks ls --failing',
      'webhooks deliveries {hook}',
      { line: 'webhooks ls --failing', before: failDelivery },
      'webhooks get {hook}',
      'webhooks get https://hooks.example.com/',
      `webhooks get whe_${UNKNOWN_ID}`,
      'webhooks deliveries {hook}',
      'webhooks deliveries {hook} --status success',
      'webhooks deliveries {hook} --summary',
      'webhooks update {hook}',
      'webhooks update {hook} --add-event email.bounced --description Shop',
      'webhooks update {hook} --remove-event email.clicked',
      `webhooks update whe_${UNKNOWN_ID} --status disabled`,
      'webhooks delete {hook}',
      'webhooks delete {hook} --confirm whe_1',
      'webhooks delete {hook} --confirm {hook}',
      'webhooks delete https://hooks.example.com/ --confirm whe_1',
    ],
  },
  {
    title: 'webhook signatures',
    steps: [
      { line: 'webhooks verify --secret-file secret --signature t=1,v1=00', when: 'no such file' },
      { line: 'webhooks verify --secret-file secret --signature t=1,v1=00', before: file('secret', 'shh') },
      'webhooks verify --secret-file secret --signature ""',
      'webhooks verify --secret-file secret',
      'webhooks listen --secret-file secret',
      'webhooks listen --port 99999 --secret-file secret',
    ],
  },
  {
    title: 'emails',
    steps: [
      'emails send --from me@example.com --to ana@example.org --subject Hi --text Hi',
      { line: 'emails send --from me@example.com --to ana@example.org --subject Hi --text Hi', when: 'again' },
      'emails send --from me@example.com --subject Hi --text Hi',
      'emails send --from me@example.com --to ana@example.org --subject Hi',
      'emails send --from me@elsewhere.test --to ana@example.org --subject Hi --text Hi',
      {
        line: 'emails send --from me@example.com --to ana@example.org --subject Hi --text Yes',
        run: () => ({ asTyped: true }),
        when: 'no --yes',
      },
      {
        line: 'emails send --from me@example.com --to sue@example.org --subject Hi --text Hi',
        before: ({ emulator }) => emulator.admin.suppress(['sue@example.org']),
        when: 'she is suppressed',
      },
      {
        line: 'emails send --from me@example.com --to ana@example.org --subject Hi --text Bye',
        before: ({ emulator }) => emulator.admin.addFault({ kind: 'reset', when: 'after', match: { route: 'POST *' } }),
        when: 'each answer is lost',
      },
      'runs ls',
      { line: 'runs show {run}', when: 'a run without a report' },
      'runs resume',
    ],
  },
];

testStories('resources', STORIES);
