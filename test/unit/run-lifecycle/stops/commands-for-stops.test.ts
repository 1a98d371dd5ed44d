import { expect, test } from 'vitest';
import { createWorld, type World } from '../../../support/world.ts';

const ROUNDS = 4;

/** Lists with people named `left…`, who must not be subscribed, and `stay…`, who should be. */
const LISTS: readonly (readonly [claim: string, lines: readonly string[]])[] = [
  ['an opt-out flag that is new to svc', ['Email,HasOptedOutOfEmail', 'stay@x.test,false', 'left@x.test,true']],
  ['a column of consents', ['Email,GDPR', 'stay@x.test,yes', 'left1@x.test,no', 'left2@x.test,']],
  [
    'a question as a header',
    ['Email,"Would you like to receive our newsletter, Sir?"', 'stay@x.test,Yes', 'left@x.test,No'],
  ],
  ['two flags with the same words', ['Email,Opted Out?,Newsletter', 'stay@x.test,no,yes', 'left@x.test,no,no']],
  [
    'words that svc does not know',
    ['Email,Status', 'stay@x.test,active', "left@x.test,gone fishin'", 'left2@x.test,-'],
  ],
  ['a status with blanks', ['Email,Status', 'stay@x.test,subscribed', 'left@x.test,']],
  ['opt-out dates', ['Email,Unsubscribed Time', 'stay@x.test,', 'left@x.test,2024-01-02 03:04:05']],
  ['dates that can be read two ways', ['Email,Opt-out date', 'stay@x.test,', 'left@x.test,03/04/2024']],
  [
    'the stages of a sales pipeline',
    ['Email,Status,Unsubscribed', 'stay@x.test,Open - Not Contacted,no', 'left@x.test,Qualified,yes'],
  ],
  ['a flag with an unclear name', ['Email,mkt_flag', 'stay@x.test,1', 'stay1@x.test,1', 'left@x.test,0']],
  ['dates under an unclear header', ['Email,Zuletzt raus', 'stay@x.test,', 'left@x.test,2023-01-31']],
  [
    'a request to stop in a note',
    ['Email,Newsletter,Remarks', 'stay@x.test,yes,met at the fair', 'left@x.test,yes,please do not email'],
  ],
  ['people who want letters only', ['Email,Communication preference', 'stay@x.test,Email', 'left@x.test,Post only']],
  [
    'a ticked checkbox',
    ['Email,Checkbox: Subscribe to newsletter', 'stay@x.test,Subscribe to newsletter', 'left@x.test,'],
  ],
  [
    'several ways to be contacted',
    [
      'Email,How may we contact you?',
      'stay@x.test,Email; Post',
      'left@x.test,Phone; Post',
      'left1@x.test,téléphone post',
    ],
  ],
  [
    'a privacy notice that each person accepts',
    ['Email,Datenschutz,Werbung', 'stay@x.test,gelesen und akzeptiert,Ja', 'left@x.test,gelesen und akzeptiert,'],
  ],
  [
    'polite answers to a sentence about consent',
    [
      'Email,"Ich möchte den Newsletter. Die Einwilligung kann ich jederzeit widerrufen."',
      'stay@x.test,"Ja, gerne"',
      'left@x.test,"Nein, danke"',
      'left1@x.test,',
    ],
  ],
  [
    'a number of bounces',
    ['Email,bounce_count,Unsubscribed', 'stay@x.test,0,no', 'left@x.test,4,no', 'left1@x.test,0,yes'],
  ],
  [
    'values in another language',
    ['E-Mail,Zustand', 'stay@x.test,abonniert', 'left@x.test,abgemeldet', 'left2@x.test,zzz'],
  ],
];

test.each(LISTS)('subscribes no opted-out person when each hint is followed: %s (C11)', async (_, lines) => {
  const world = await createWorld({ plan: 'paid' });
  const name = "ana's list.csv";
  world.file(name, `${lines.join('\n')}\n`);
  let words = ['migrate', name, '--json'];
  let result = await world.svc(words);
  for (let round = 0; result.code === 5 && round < ROUNDS; round++) {
    const { hint, message } = JSON.parse(result.err).error;
    expect(`${hint} ${message}`).not.toMatch(/<\w+>/);
    const line = String(hint)
      .split('\n')
      .find((text) => text.startsWith('svc '));
    words = shellWords(line ?? '').slice(1);
    result = await world.svc(words);
  }
  expect([words.join(' '), result.code]).toEqual([expect.any(String), 0]);
  const subscribed = await subscribedPeople(world);
  expect(subscribed.filter((email) => email.startsWith('left'))).toEqual([]);
  expect(subscribed).toContain('stay@x.test');
});

test('offers first a status column when no status is found (C11)', async () => {
  const world = await createWorld({ plan: 'paid' });
  world.file('list.csv', 'Email,HasOptedOutOfEmail\na@x.test,false\nb@x.test,false\nc@x.test,true\n');
  const { json, err } = await world.svc('migrate list.csv --json');
  const { message, hint } = json.findings.find(({ check }: { check: string }) => check === 'no_status');
  expect(message).toContain('"HasOptedOutOfEmail": "false" (2), "true" (1)');
  expect(message).not.toContain('nothing');
  expect(hint.split('\n')).toEqual([
    'This subscribes 2 rows:',
    'svc --yes migrate list.csv --json --status-map HasOptedOutOfEmail:false=subscribed',
    'Only if every one of these people agreed to get mail from you:',
    'svc --yes migrate list.csv --json --default-status subscribed',
  ]);
  expect(JSON.parse(err).error.hint).toBe(hint);
});

test('prints one command that resolves all stops of a list (C11)', async () => {
  const world = await createWorld({ plan: 'paid' });
  const automation = world.emulator.admin.createAutomation({
    trigger: 'audience_join',
    status: 'active',
    name: 'Welcome',
  });
  world.file('list.csv', 'Email,Status,City,city\na@x.test,active,A,B\nb@x.test,lapsed,A,A\n');
  const { err } = await world.svc('migrate list.csv --json');
  const commands = JSON.parse(err)
    .error.hint.split('\n')
    .filter((text: string) => text.startsWith('svc '));
  const [safe, line] = commands;
  // Users paste the first command unread, so it must not start an automation (M3).
  expect([commands.length, safe.includes('--allow-automation')]).toEqual([2, false]);
  expect((await world.svc(shellWords(safe).slice(1))).code).toBe(5);
  expect(world.emulator.admin.contacts()).toEqual([]);
  for (const flag of ['--status-map lapsed=skip', '--map city=attributes.city_2', `--allow-automation ${automation}`]) {
    expect(line).toContain(flag);
  }
  expect((await world.svc(shellWords(line).slice(1))).code).toBe(0);
  expect(world.emulator.admin.contacts().map(({ email, attributes }) => [email, JSON.parse(attributes)])).toEqual([
    ['a@x.test', { city: 'A', city_2: 'B' }],
  ]);
  expect(world.emulator.admin.enrollments(automation).map(({ email }) => email)).toEqual(['a@x.test']);
});

test('offers first to archive the automation that stops the run (M3, C11)', async () => {
  const world = await createWorld({ plan: 'paid' });
  const automation = world.emulator.admin.createAutomation({
    trigger: 'audience_join',
    status: 'active',
    name: 'Welcome',
  });
  world.file('one.csv', 'Email,Status\na@x.test,active\n');
  world.file('two.csv', 'Email,Status\na@x.test,active\nb@x.test,lapsed\n');
  const page = async (file: string) => (await world.svc(['migrate', file])).err;
  expect(await page('one.csv')).toContain(
    [
      '  After you archived "Welcome" in the app (to pause is not enough):',
      '    svc --yes migrate one.csv',
      '  Only if "Welcome" should mail every person of this list:',
      `    svc --yes migrate one.csv --allow-automation ${automation}`,
      '',
    ].join('\n'),
  );
  expect(await page('two.csv')).toContain(
    [
      '  After you archived "Welcome" in the app (to pause is not enough), with the likeliest answers:',
      '    - This skips 1 row',
      '    svc --yes migrate two.csv --status-map lapsed=skip',
      '  Only if all of this is right:',
      '    - This skips 1 row',
      '    - "Welcome" should mail every person of this list',
      `    svc --yes migrate two.csv --status-map lapsed=skip --allow-automation ${automation}`,
      '',
    ].join('\n'),
  );
});

test('skips a person opted out in a column unknown to the platform (C10, M1)', async () => {
  const world = await createWorld({ plan: 'paid' });
  const automation = world.emulator.admin.createAutomation({ trigger: 'api', status: 'active' });
  world.file('list.csv', 'Email,Klaviyo ID,Status\nstay@x.test,1,subscribed\nleft@x.test,2,unsubscribed\n');
  const { json } = await world.svc(['automations', 'enroll', automation, 'list.csv', '--json']);
  expect(json.skipped).toMatchObject({ unsubscribed: 1 });
  expect(json.rows).toMatchObject({ read: 2, skipped: 1 });
});

test('shows how svc reads each column in a dry run without an account', async () => {
  const world = await createWorld();
  world.file('list.csv', 'Email,City,Status\na@x.test,A,active\nb@x.test,B,unsubscribed\n');
  const line = 'migrate list.csv --dry-run --create-audience --audience-name News';
  const bare = { env: { SVC_BASE_URL: '', SVC_API_KEY: '' } };
  const { json } = await world.svc(`${line} --json`, bare);
  expect(json.inputs[0]).toMatchObject({
    columns: [
      { header: 'Email', target: 'email' },
      { header: 'City', target: 'attributes.city' },
      { header: 'Status', target: 'status' },
    ],
    state: {
      from: 'column "Status"',
      columns: [
        {
          column: 'Status',
          values: [
            { value: 'active', rows: 1, states: { subscribed: 1 } },
            { value: 'unsubscribed', rows: 1, states: { unsubscribed: 1 } },
          ],
        },
      ],
    },
  });
  const { out } = await world.svc(`${line} --details`, bare);
  for (const text of ['state from column "Status"', 'unsubscribed 1 (unsubscribed)', '"News" is created']) {
    expect(out.replaceAll(/\s+/g, ' ')).toContain(text);
  }
});

async function subscribedPeople(world: World): Promise<readonly string[]> {
  const { out } = await world.svc('contacts export --format ndjson');
  const people = out.split('\n').filter((line) => line !== '');
  return people.flatMap((line) => {
    const { email, status } = JSON.parse(line);
    return status === 'subscribed' ? [email] : [];
  });
}

/** Splits a line into words as a shell does: single quotes, and a backslash outside them. */
function shellWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|\\(.)/g, (_, quoted, escaped) => quoted ?? escaped));
}

test('prints no command that contradicts itself (C11)', async () => {
  const world = await createWorld({ plan: 'paid' });
  const lists = [
    [
      'Email,Email Preferences,Frequency',
      'a@x.test,News; Events,Weekly',
      'b@x.test,None,Weekly',
      'c@x.test,,Never',
      'd@x.test,Unsubscribe from all,Weekly',
      'e@x.test,News,Monthly',
    ],
    ['Email,Newsletter,Rückruf', 'a@x.test,ja,1', 'b@x.test,nein,2', 'c@x.test,ja,'],
    ['Email,Keep me posted?,Type', 'a@x.test,1,partial', 'b@x.test,0,full', 'c@x.test,,full'],
    // One stop offers another key for column 4, and the next one offers it as the status.
    ['Email,Code,2,Code', 'a@x.test,m,a,foo', 'b@x.test,n,a,foo', 'c@x.test,m,a,no', 'd@x.test,m,0,foo'],
  ];
  for (const [at, lines] of lists.entries()) {
    world.file(`${at}.csv`, `${lines.join('\n')}\n`);
    const { err } = await world.svc(['migrate', `${at}.csv`]);
    const commands = err.split('\n').filter((line) => /^ +svc /.test(line));
    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands) {
      const words = shellWords(command);
      const valuesOf = (flag: string) => words.filter((_, index) => words[index - 1] === flag);
      const mapped = valuesOf('--map').map((pair) => pair.split('=') as [string, string]);
      const ignored = mapped.filter(([, field]) => field === 'ignore' || field.startsWith('attributes.'));
      const columns = mapped.map(([column]) => column);
      expect([command, columns]).toEqual([command, [...new Set(columns)]]);
      const explained = valuesOf('--status-map').filter((pair) =>
        ignored.some(([column]) => pair.startsWith(`${column}:`)),
      );
      expect([command, explained]).toEqual([command, []]);
    }
  }
});
