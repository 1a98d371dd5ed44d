import { expect, test } from 'vitest';
import {
  audiencesTable,
  automationsTable,
  contactsTable,
  contactText,
  suppressionsTable,
} from '../../../../src/render/lists/resources.ts';
import { runsTable } from '../../../../src/render/lists/runs.ts';
import { timeAgo } from '../../../../src/render/text/cell.ts';
import { createStyle } from '../../../../src/render/text/style.ts';

const NOW = Date.parse('2026-01-02T12:00:00.000Z');
const T = '2026-01-02T10:00:00.000Z';
const wide = createStyle(false, 200);
const piped = createStyle(false);

test('the list of audiences in a pipe has escaped names and full timestamps', () => {
  const audience = { id: 'aud_1', object: 'audience', name: 'News\u001b[2J', created_at: T, updated_at: T } as const;
  expect(audiencesTable([audience], NOW, piped)).toBe(`aud_1\tNews\\u001b[2J\t${T}\t${T}\n`);
});

test('the list shows an automation with trigger, sandbox, status (M3, M4, O6)', () => {
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

test('the list of runs shows even a run that has no destination yet', () => {
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

test('lists of contacts and suppressions have empty cells for missing fields', () => {
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

test('the view of a contact has every field, even unknown ones (O6)', () => {
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
])('a list shows the time %s as %j', (timestamp, words) => {
  expect(timeAgo(timestamp, NOW)).toBe(words);
});
