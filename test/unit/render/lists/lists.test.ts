import { expect, test } from 'vitest';
import { automationsTable } from '../../../../src/render/lists/automations.ts';
import {
  audiencesTable,
  contactsTable,
  contactText,
  suppressionsTable,
} from '../../../../src/render/lists/contacts.ts';
import { runsTable } from '../../../../src/render/lists/runs.ts';
import { deliveriesTable, webhooksTable } from '../../../../src/render/lists/webhooks.ts';
import { ago } from '../../../../src/render/table/cell.ts';
import { createStyle } from '../../../../src/render/text/style.ts';

const NOW = Date.parse('2026-01-02T12:00:00.000Z');
const T = '2026-01-02T10:00:00.000Z';
const wide = createStyle(false, 200);
const piped = createStyle(false);

const endpoint = {
  id: 'whe_1',
  object: 'webhook_endpoint',
  url: 'https://hooks.example.com/in',
  description: '',
  events: ['email.bounced', 'email.complained'],
  status: 'active',
  consecutive_failures: 0,
  last_success_at: T,
  last_failure_at: null,
  last_error: null,
  created_at: T,
} as const;
const failing = {
  ...endpoint,
  id: 'whe_2',
  consecutive_failures: 9,
  last_failure_at: '2026-01-02T11:58:30.000Z',
  last_error: 'connect timeout',
};

test('shows failure streaks and how long ago they were', () => {
  expect(webhooksTable([endpoint, failing], NOW, wide)).toBe(
    [
      'ID     URL                           STATUS  EVENTS                          STREAK  LAST OK  LAST FAIL  LAST ERROR',
      'whe_1  https://hooks.example.com/in  active  email.bounced,email.complained       0  2 h ago  –          –',
      'whe_2  https://hooks.example.com/in  active  email.bounced,email.complained       9  2 h ago  1 min ago  connect timeout',
      '',
    ].join('\n'),
  );
});

test('keeps one line for each endpoint, with the host of its URL, when the terminal has 80 columns', () => {
  const far = { ...failing, id: 'whe_0000000002c66f2bcb', url: 'https://hooks.example.com/a/long/way/to/go' };
  expect(webhooksTable([far], NOW, createStyle(false, 80))).toBe(
    [
      'ID                      URL            STREAK  LAST OK  LAST FAIL  LAST ERROR',
      'whe_0000000002c66f2bcb  hooks.exampl…       9  2 h ago  1 min ago  connect time…',
      '',
    ].join('\n'),
  );
});

test('shows timestamps when there is no terminal', () => {
  expect(webhooksTable([failing], NOW, piped)).toBe(
    `whe_2\thttps://hooks.example.com/in\tactive\temail.bounced,email.complained\t9\t${T}\t2026-01-02T11:58:30.000Z\tconnect timeout\n`,
  );
});

test.each([
  { title: 'never used', patch: { last_success_at: null }, code: 2 },
  { title: 'healthy', patch: {}, code: 32 },
  { title: 'failing', patch: { consecutive_failures: 1 }, code: 33 },
  { title: 'losing deliveries', patch: { consecutive_failures: 7 }, code: 31 },
])('shows the streak in colour $code when an endpoint is $title', ({ patch, code }) => {
  const { consecutive_failures: streak } = { ...endpoint, ...patch };
  expect(webhooksTable([{ ...endpoint, ...patch }], NOW, createStyle(true, 200))).toContain(
    `\u001b[${code}m${streak}\u001b[`,
  );
});

test('shows audiences with escaped names and, in a pipe, timestamps', () => {
  const audience = { id: 'aud_1', object: 'audience', name: 'News\u001b[2J', created_at: T, updated_at: T } as const;
  expect(audiencesTable([audience], NOW, piped)).toBe(`aud_1\tNews\\u001b[2J\t${T}\t${T}\n`);
});

test('shows which automations start by themselves, which mail members only, and unknown words (M3, M4, O6)', () => {
  const automation = {
    id: 'aut_1',
    object: 'automation',
    name: 'Welcome',
    status: 'resting',
    trigger: 'audience_join',
    audience_id: 'aud_1',
    live_version: null,
    sandbox: true,
    created_at: T,
    updated_at: T,
  } as const;
  expect(automationsTable([automation], wide)).toBe(
    [
      'ID     NAME     STATUS   TRIGGER        AUDIENCE  VERSION  SANDBOX',
      'aut_1  Welcome  resting  audience_join  aud_1           –  members only',
      '',
    ].join('\n'),
  );
  expect(automationsTable([automation], piped)).toBe('aut_1\tWelcome\tresting\taudience_join\taud_1\t\ttrue\n');
});

test('shows deliveries with their next attempt', () => {
  const delivery = {
    id: 'whd_1',
    object: 'webhook_delivery',
    endpoint_id: 'whe_1',
    event_id: 'evt_1',
    event_type: 'email.bounced',
    status: 'retrying',
    attempt: 2,
    response_status: 503,
    error: 'server error',
    duration_ms: 120,
    next_attempt_at: '2026-01-02T12:02:00.000Z',
    delivered_at: null,
    created_at: T,
  } as const;
  expect(deliveriesTable([delivery], NOW, wide)).toBe(
    [
      'ID     CREATED  EVENT          STATUS    ATTEMPT  ANSWER   MS  NEXT ATTEMPT  ERROR',
      'whd_1  2 h ago  email.bounced  retrying        2     503  120  in 2 min      server error',
      '',
    ].join('\n'),
  );
});

test('shows runs, also without a destination', () => {
  const run = {
    run: 'run_1',
    command: 'migrate',
    status: 'interrupted',
    origin: 'https://api.example.com',
    destination: 'Newsletter',
    startedAt: Date.parse(T),
    endedAt: undefined,
    folder: '/state/run_1',
    copiedBytes: 0,
    unknown: 3,
  };
  expect(runsTable([run, { ...run, run: 'run_2', destination: undefined, unknown: 0 }], NOW, piped)).toBe(
    [
      `run_1\tmigrate\tinterrupted\t${T}\t3\tNewsletter\thttps://api.example.com`,
      `run_2\tmigrate\tinterrupted\t${T}\t0\t\thttps://api.example.com`,
      '',
    ].join('\n'),
  );
});

test('shows contacts and suppressions with empty cells for missing fields', () => {
  const contact = {
    id: 'sub_1',
    object: 'contact',
    email: 'ana@example.com',
    status: 'subscribed',
    first_name: 'Ana',
  } as const;
  expect(contactsTable([contact], piped)).toBe('sub_1\tana@example.com\tsubscribed\tAna\t\n');
  expect(suppressionsTable([{ id: 'sup_1' }], piped)).toBe('sup_1\t\t\n');
});

test('shows every field of a contact, known or not, status first (O6)', () => {
  const contact = {
    id: 'sub_1',
    object: 'contact',
    email: 'ana@example.com',
    status: 'unsubscribed',
    unsubscribed_at: T,
    last_name: null,
    attributes: { company_org: 'Acme\n\u001b[2J' },
    tags: ['a', { b: 1 }],
  } as const;
  expect(contactText(contact, wide)).toBe(
    [
      'email                   ana@example.com',
      'status                  unsubscribed',
      `unsubscribed_at         ${T}`,
      'id                      sub_1',
      'object                  contact',
      'last_name               –',
      'attributes.company_org  Acme\\u000a\\u001b[2J',
      'tags                    a, {"b":1}',
      '',
    ].join('\n'),
  );
  expect(contactText({ id: 'sub_1', object: 'contact', email: 'a@example.com', status: 'pending' }, piped)).toBe(
    'email\ta@example.com\nstatus\tpending\nid\tsub_1\nobject\tcontact\n',
  );
});

test.each([
  [null, ''],
  ['not a time', 'not a time'],
  ['2026-01-02T12:00:00.000Z', '0 s ago'],
  ['2026-01-02T11:59:30.000Z', '30 s ago'],
  ['2026-01-02T11:54:10.000Z', '5 min ago'],
  ['2026-01-01T12:00:00.000Z', '1 d ago'],
  ['2026-01-02T12:00:30.000Z', 'in 30 s'],
])('%s is %j', (timestamp, words) => {
  expect(ago(timestamp, NOW)).toBe(words);
});
