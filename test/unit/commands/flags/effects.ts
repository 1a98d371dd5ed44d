import type { RunOptions, World } from '../../../support/world.ts';

/** The list for command lines that have no list of their own. */
export const LIST =
  'email,first_name,status,City\nana@example.com,Ana,subscribed,Bonn\nmax@example.com,Max,subscribed,\nben@example.com,Ben,bounced,Bern\n';

/** A flag of a command, and what makes its effect visible. */
export interface Effect {
  readonly flag: string;
  /** The line, if not the usual one of the command. */
  readonly line?: string;
  /** The list, if not the usual one. */
  readonly list?: string;
  readonly prepare?: (world: World) => unknown;
  readonly run?: RunOptions;
}

interface FlagTable {
  /** The line without the flag. */
  readonly line: string;
  readonly effects: readonly Effect[];
}

const second = (world: World) => world.svc('audiences create Second');
const again = (line: string) => (world: World) => world.svc(line);
const cut = async (world: World) => {
  world.emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'POST *batch' } });
  await world.svc('migrate list.csv');
  world.emulator.admin.clearFaults();
};
const automation = ({ emulator }: World) => emulator.admin.createAutomation({ name: 'Join', trigger: 'audience_join' });

const TWICE = 'email,first_name,status\nana@example.com,Ana,subscribed\nana@example.com,Eva,subscribed\n';
const LEFT = 'email,status,unsubscribed_at\nana@example.com,unsubscribed,2024-07-01 10:00:00\n';
const BAD = 'email,status\nana@example.com,subscribed\nno-address,subscribed\n';

/** Flags for reading a list. */
const READING: readonly Effect[] = asJson([
  { flag: '--from mailchimp' },
  { flag: '--map City=last_name' },
  { flag: '--mapping answers.json', prepare: ({ file }) => file('answers.json', '{"map":["City=ignore"]}') },
  { flag: '--save-mapping saved.json' },
  { flag: '--status-map on=subscribed', list: 'email,status\nana@example.com,on\nbea@example.com,unsubscribed\n' },
  { flag: '--default-status unsubscribed', list: 'email\nana@example.com\n' },
  { flag: '--attributes none' },
  { flag: '--topic-value City=yes', line: '--map City=topics.top_1' },
  { flag: '--timezone Asia/Tokyo', list: LEFT },
  { flag: '--date-order dmy', list: LEFT.replace('2024-07-01', '03/04/2024') },
  { flag: '--encoding utf-16le' },
  { flag: '--delimiter ;' },
  { flag: '--quote none', list: 'email,status,City\nana@example.com,subscribed,"Bonn"\n' },
  { flag: '--escape \\', list: 'email,status,City\nana@example.com,subscribed,"Bo""nn"\n' },
  { flag: '--empty clear', list: 'email,status,City\nana@example.com,subscribed,\nbea@example.com,subscribed,Bonn\n' },
  { flag: '--duplicates reject', list: TWICE },
]);

function asJson(effects: readonly Effect[]): readonly Effect[] {
  return effects.map((effect) => ({ ...effect, line: [effect.line ?? '', '--json'].join(' ').trim() }));
}

/** The effects in a check. Its list has a person of the audience with all fields. */
function asCheck(effects: readonly Effect[]): readonly Effect[] {
  const zed = { email: 'zed@example.com', last_name: 'Zorn', attributes: { city: 'Zug' } };
  return effects.map((effect) => ({
    ...effect,
    list: (effect.list ?? LIST).replaceAll('ana@', 'zed@'),
    prepare: (world) => {
      world.emulator.admin.addContacts([zed]);
      return effect.prepare?.(world);
    },
  }));
}

function pick(effects: readonly Effect[], ...flags: readonly string[]): readonly Effect[] {
  return effects.filter(({ flag }) => flags.includes(flag.split(' ')[0] ?? ''));
}

/** Mappings for commands that send addresses and states only. */
const OF_ADDRESSES: readonly Effect[] = [
  { flag: '--map email=ignore' },
  { flag: '--mapping answers.json', prepare: ({ file }) => file('answers.json', '{"map":["email=ignore"]}') },
];

const PACE: readonly Effect[] = [{ flag: '--details' }, { flag: '--log-file log.txt' }];

const SENDING: readonly Effect[] = [
  { flag: '--dry-run' },
  { flag: '--max-failures 0', list: BAD },
  { flag: '--report copy.json' },
  { flag: '--report-html copy.html' },
];

const TARGET: readonly Effect[] = [
  { flag: '--audience Second', prepare: second },
  { flag: '--audience-name Second', prepare: second },
];

const LISTING: readonly Effect[] = [{ flag: '--limit 1' }, { flag: '--output csv' }];

const BEN_LEFT = 'email,status\nana@example.com,subscribed\nben@example.com,unsubscribed\n';

const CONTACTS: readonly Effect[] = [
  ...TARGET,
  { flag: '--create-audience', line: '--audience-name New' },
  { flag: '--allow-automation Join', prepare: automation },
  { flag: '--explicit-status' },
  { flag: '--max-new-fields 0' },
  { flag: '--again', line: '--json', prepare: again('migrate list.csv') },
  { flag: '--verify-sample 1' },
  { flag: '--no-verify' },
];

/** For each command: its line without flags, and its flags. */
export const FLAGS: Readonly<Record<string, FlagTable>> = {
  migrate: { line: 'migrate list.csv', effects: [...CONTACTS, ...READING, ...SENDING, ...PACE] },
  'contacts import': {
    line: 'contacts import list.csv',
    effects: [
      ...CONTACTS,
      ...READING,
      ...SENDING,
      ...PACE,
      { flag: '--only-changed', line: '--json' },
      { flag: '--full', line: '--only-changed', prepare: again('contacts import list.csv --only-changed') },
      { flag: '--gone report', line: '--only-changed', prepare: again('contacts import more.csv --only-changed') },
      {
        flag: '--max-gone 100%',
        line: '--only-changed --gone report',
        prepare: again('contacts import more.csv --only-changed'),
      },
      {
        flag: '--max-opt-outs 0',
        line: '--only-changed',
        prepare: async (world) => {
          world.file('list.csv', BEN_LEFT.replace('unsubscribed', 'subscribed'));
          await world.svc('contacts import list.csv --only-changed');
          world.file('list.csv', BEN_LEFT);
        },
      },
      {
        flag: '--max-moved 0',
        line: '--only-changed',
        prepare: async (world) => {
          await world.svc('contacts import list.csv --only-changed');
          world.file('list.csv', 'email,status,login\nana@new.example,subscribed,ana@example.com\n');
        },
      },
    ],
  },
  'contacts check': {
    line: 'contacts check list.csv',
    effects: [
      ...TARGET,
      ...asCheck(READING).filter(({ flag }) => !/^--(from|timezone|escape)/.test(flag)),
      { flag: '--from nothing' },
      { flag: '--log-file log.txt' },
      { flag: '--output out.csv' },
      { flag: '--force', line: '--output more.csv' },
      { flag: '--max-failures 0', list: BAD },
    ],
  },
  'suppressions import': {
    line: 'suppressions import list.csv',
    effects: [
      ...pick(READING, '--from', '--save-mapping', '--status-map', '--default-status', '--topic-value', '--date-order'),
      ...pick(READING, '--encoding', '--delimiter', '--duplicates', '--quote', '--escape'),
      ...OF_ADDRESSES,
      ...pick(CONTACTS, '--no-verify'),
      ...SENDING,
      ...PACE,
      { flag: '--reason complained' },
      { flag: '--again', line: '--json', prepare: again('suppressions import list.csv') },
    ],
  },
  'automations enroll': {
    line: 'automations enroll Welcome list.csv',
    effects: [
      ...pick(READING, '--from', '--save-mapping', '--status-map', '--default-status', '--date-order'),
      ...pick(READING, '--encoding', '--delimiter', '--duplicates', '--quote', '--escape'),
      ...OF_ADDRESSES,
      ...pick(READING, '--attributes', '--topic-value', '--empty').map((effect) => ({
        ...effect,
        line: `--create-contacts ${effect.line}`,
      })),
      ...SENDING,
      ...PACE,
      { flag: '--email lea@example.com' },
      { flag: '--create-contacts' },
      { flag: '--reenroll', prepare: again('automations enroll Welcome list.csv') },
      {
        flag: '--at-most-once',
        prepare: ({ emulator }) =>
          emulator.admin.addFault({ kind: 'reset', when: 'before', match: { route: 'POST *enroll' }, times: 1 }),
      },
      { flag: '--max-new-fields 0', line: '--create-contacts' },
      { flag: '--allow-automation Join', line: '--create-contacts', prepare: automation },
    ],
  },
  'contacts ls': { line: 'contacts ls', effects: [...TARGET, ...LISTING, { flag: '--status unsubscribed' }] },
  'contacts get': { line: 'contacts get max@example.com', effects: [...TARGET, { flag: '--topics' }] },
  'contacts export': {
    line: 'contacts export',
    effects: [
      ...TARGET,
      { flag: '--output out.csv' },
      { flag: '--force', line: '--output list.csv' },
      { flag: '--format ndjson' },
      { flag: '--status unsubscribed' },
      { flag: '--spreadsheet', prepare: ({ emulator }) => emulator.admin.addContacts([{ email: '=x@example.com' }]) },
    ],
  },
  'suppressions ls': {
    line: 'suppressions ls',
    effects: LISTING.map((effect) => ({
      ...effect,
      prepare: ({ emulator }) => emulator.admin.suppress(['s1@example.com', 's2@example.com']),
    })),
  },
  'automations ls': {
    line: 'automations ls',
    effects: [...LISTING, { flag: '--status archived' }].map((effect) => ({ ...effect, prepare: automation })),
  },
  'audiences ls': { line: 'audiences ls', effects: LISTING.map((effect) => ({ ...effect, prepare: second })) },
  'audiences delete': { line: 'audiences delete Newsletter', effects: [{ flag: '--confirm Newsletter' }] },
  'webhooks ls': {
    line: 'webhooks ls',
    effects: [{ flag: '--limit 1' }, { flag: '--output csv' }, { flag: '--failing' }],
  },
  'webhooks deliveries': {
    line: 'webhooks deliveries https://hooks.example.com/',
    effects: [{ flag: '--limit 1' }, { flag: '--output csv' }, { flag: '--status failed' }, { flag: '--summary' }],
  },
  'webhooks create': {
    line: 'webhooks create',
    effects: [
      { flag: '--url https://a.example.com/', line: '--event email.sent --secret-file new' },
      { flag: '--event email.sent', line: '--url https://a.example.com/ --secret-file new' },
      { flag: '--description Shop', line: '--url https://a.example.com/ --event email.sent --secret-file new' },
      { flag: '--secret-file new', line: '--url https://a.example.com/ --event email.sent' },
    ],
  },
  'webhooks update': {
    line: 'webhooks update https://hooks.example.com/',
    effects: [
      { flag: '--url https://b.example.com/' },
      { flag: '--description Shop' },
      { flag: '--status disabled' },
      { flag: '--events email.bounced' },
      { flag: '--add-event email.bounced' },
      { flag: '--remove-event email.sent', line: '--add-event email.bounced' },
    ],
  },
  'webhooks delete': {
    line: 'webhooks delete https://hooks.example.com/',
    effects: [{ flag: '--confirm HOOK' }],
  },
  'emails send': {
    line: 'emails send',
    effects: [
      { flag: '--from me@example.com', line: '--to a@example.org --subject S --text T' },
      { flag: '--to a@example.org', line: '--from me@example.com --subject S --text T' },
      { flag: '--subject S', line: '--from me@example.com --to a@example.org --text T' },
      { flag: '--text T', line: '--from me@example.com --to a@example.org --subject S' },
      { flag: '--text-file list.csv', line: '--from me@example.com --to a@example.org --subject S' },
      { flag: '--html-file list.csv', line: '--from me@example.com --to a@example.org --subject S' },
    ],
  },
  'runs ls': {
    line: 'runs ls',
    effects: [
      {
        flag: '--limit 1',
        prepare: async (world) => [await world.svc('migrate list.csv'), await world.svc('migrate more.csv')],
      },
      { flag: '--output csv', prepare: again('migrate list.csv') },
    ],
  },
  'runs show': {
    line: 'runs show latest',
    effects: [
      { flag: '--details', prepare: again('migrate list.csv') },
      { flag: '--html page.html', prepare: again('migrate list.csv') },
    ],
  },
  'runs resume': {
    line: 'runs resume',
    effects: [
      { flag: '--details', prepare: cut },
      { flag: '--log-file log.txt', prepare: cut },
    ],
  },
  'runs verify': {
    line: 'runs verify',
    effects: [
      { flag: '--output out.csv', prepare: again('migrate list.csv') },
      { flag: '--force', line: '--output more.csv', prepare: again('migrate list.csv') },
      { flag: '--log-file log.txt', prepare: again('migrate list.csv') },
    ],
  },
  'runs prune': {
    line: 'runs prune',
    effects: [
      { flag: '--keep 0', prepare: again('migrate list.csv') },
      { flag: '--older-than 1d', prepare: again('migrate list.csv') },
    ],
  },
  doctor: {
    line: 'doctor',
    effects: [
      { flag: '--from me@example.com', line: '--yes --to a@example.org' },
      { flag: '--to a@example.org', line: '--yes --from me@example.com' },
    ],
  },
  'auth login': {
    line: 'auth login',
    effects: [{ flag: '--no-check', run: { stdin: 'svc_key\n', env: { SVC_API_KEY: '' } } }],
  },
};

/** Global flags, each shown with one command. */
export const GLOBALS: readonly Effect[] = [
  { flag: '--profile shop', line: 'auth status' },
  { flag: '--base-url https://other.example.test', line: 'auth status' },
  { flag: '--api-key-file list.csv', line: 'auth status' },
  { flag: '--mcp-url https://mcp.example.test', line: 'auth status' },
  { flag: '--plan free', line: 'auth status' },
  { flag: '--state-dir elsewhere', line: 'auth status' },
  { flag: '--json', line: 'audiences ls' },
  { flag: '--quiet', line: 'contacts export --output out.csv' },
  { flag: '--verbose', line: 'audiences ls' },
  { flag: '--no-progress', line: 'contacts check list.csv', run: { columns: 80, answers: [] } },
  { flag: '--no-color', line: 'doctor', run: { columns: 80 } },
  {
    flag: '--yes',
    line: 'emails send --from me@example.com --to a@example.org --subject S --text T',
    run: { asTyped: true },
  },
];

const VERIFY = 'test/unit/commands/webhooks/verify.test.ts';
const LISTEN = 'test/unit/commands/webhooks/listen.test.ts';
const RESOLVE = 'test/unit/enroll/end/resolve.test.ts';
const START = 'test/unit/commands/emulator/emulator-start.test.ts';
const SERVERS = 'test/unit/commands/flags/servers.test.ts';
const MCP = 'test/unit/commands/mcp.test.ts';

/**
 * Flags whose effect another test shows, by command and flag or by flag. The value is the file, which must contain the
 * flag.
 */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  '--all': 'test/unit/commands/ls-flags.test.ts',
  '--rate': 'test/unit/api/rate-limit/rate-limiter.test.ts',
  '--reserve': 'test/unit/emulator/client-under-variants.test.ts',
  '--concurrency': 'test/unit/migrate/migrate.test.ts',
  '--max-wait': 'test/unit/enroll/stop.test.ts',
  '--wait': 'test/unit/run-lifecycle/open/meanwhile.test.ts',
  '--allow-joined-files': 'test/unit/run-lifecycle/stops/questions.test.ts',
  '--allow-heading': 'test/unit/import/survey/checks/layout/layout-answers.test.ts',
  '--allow-legend': 'test/unit/import/survey/checks/layout/layout-answers.test.ts',
  '--allow-blanks': 'test/unit/import/survey/checks/layout/layout-answers.test.ts',
  '--emulator': 'test/unit/commands/emulator/kept-store.test.ts',
  '--emulator-data': 'test/unit/commands/emulator/kept-store.test.ts',
  'contacts check --escape': 'test/unit/import/dialect/quoting.test.ts',
  'webhooks listen --host': SERVERS,
  'emulator start --quirk': SERVERS,
  'emulator start --allow-loopback-webhooks': SERVERS,
  'contacts export --cursor-file': 'test/unit/commands/contacts.test.ts',
  'webhooks ls --watch': 'test/unit/commands/webhooks/endpoints.test.ts',
  'webhooks ls --every': 'test/unit/commands/webhooks/endpoints.test.ts',
  'webhooks verify --secret-file': VERIFY,
  'webhooks verify --signature': VERIFY,
  'webhooks verify --payload': VERIFY,
  'webhooks verify --tolerance': VERIFY,
  'webhooks listen --port': LISTEN,
  'webhooks listen --secret-file': LISTEN,
  'webhooks listen --forward-to': LISTEN,
  'webhooks listen --event': LISTEN,
  'webhooks listen --tolerance': VERIFY,
  'runs resolve --all': RESOLVE,
  'runs resolve --enrolled': RESOLVE,
  'runs resolve --not-enrolled': RESOLVE,
  'runs delete --confirm': 'test/unit/runs/delete-run.test.ts',
  'emulator start --port': START,
  'emulator start --rate-limit': START,
  'emulator start --speed': START,
  'emulator start --data': 'test/unit/commands/emulator/kept-store.test.ts',
  'emulator start --seed': 'test/unit/commands/emulator/kept-store.test.ts',
  'emulator start --faults': 'test/scenario/program.test.ts',
  'mcp ls --limit': MCP,
  'mcp ls --output': MCP,
  'mcp call --arguments': MCP,
  'mcp call --confirm': MCP,
};

const NO_DATES = 'it sends no dates, so that only the name of the zone is checked';
const NO_FIELDS = 'it sends addresses only';

/** Flags that are accepted without an effect, each with its reason. */
export const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'suppressions import --timezone': NO_DATES,
  'automations enroll --timezone': NO_DATES,
  'contacts check --timezone': 'the zone moves a date of the list, which is compared for people who left only',
  'suppressions import --attributes': NO_FIELDS,
  'suppressions import --empty': NO_FIELDS,
  'suppressions import --verify-sample': 'suppressions are verified by their total',
  'contacts check --details': 'its report has one form',
  'runs verify --details': 'its report has one form',
};
