import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

const PEOPLE = csv(
  'Email,Status',
  'ana@example.com,active',
  'bo@example.org,active',
  'cy@mail.example.org,active',
  'di@notexample.org,active',
);

test.each([
  '@example.org',
  '*@example.org',
  '%@Example.org',
  '.*@example.org',
  '*.example.org',
  'example.org',
  'https://www.example.org/',
])('asks the user when an opt-out list holds a whole domain: %s (C9)', async (domain) => {
  const files = { 'people.csv': PEOPLE, 'unsubscribed.csv': csv('Email', 'gone@example.com', domain) };
  const answer = { defaultStatus: { 'unsubscribed.csv': 'unsubscribed' } };
  const asked = await readList(files, answer);
  expect(asked.finding('unknown_status')).toMatchObject({
    level: 'stop',
    message: expect.stringMatching(/1 row of opted-out people names a whole domain; 2 people .*: @example\.org \(2\)$/),
    hint: '--status-map @example.org=skip',
    when: 'This leaves out 2 people',
    otherwise: [
      { when: 'If all of them opted out', flags: '--status-map @example.org=unsubscribed' },
      { flags: '--status-map @example.org=subscribed' },
    ],
    examples: [{ file: 'unsubscribed.csv', line: 3, column: 'Email', value: domain }],
  });
});

test.each([
  ['skip', ['ana', 'di']],
  ['unsubscribed', ['ana', 'bo:unsubscribed', 'cy:unsubscribed', 'di']],
  ['suppressed', ['ana', 'di']],
  ['subscribed', ['ana', 'bo', 'cy', 'di']],
])('applies the answer %s to people of a domain and its subdomains (C9)', async (state, people) => {
  const files = { 'people.csv': PEOPLE, 'unsubscribed.csv': csv('Email', '@example.org') };
  const list = await readList(files, { statusMap: { '@Example.org': state } });
  const named = list.contacts.map(({ email, status }) => `${email.split('@')[0]}${status ? `:${status}` : ''}`);
  expect([named, list.reading.rows.skipped.whole_domain, list.trouble]).toEqual([people, 1, []]);
  expect(list.suppressions).toEqual(
    state === 'suppressed' ? { unsubscribed: ['bo@example.org', 'cy@mail.example.org'] } : {},
  );
});

test('asks the user about an opted-out domain, also in Punycode (C9, F8)', async () => {
  const rows = csv('Email,Status', 'ana@xn--bcher-kva.example,active', '@bücher.example,unsubscribed');
  const asked = await readList({ 'list.csv': rows });
  expect(asked.finding('unknown_status')).toMatchObject({
    level: 'stop',
    hint: '--status-map @xn--bcher-kva.example=skip',
  });
  const left = await readList({ 'list.csv': rows }, { statusMap: { '@xn--bcher-kva.example': 'unsubscribed' } });
  expect(left.contacts).toMatchObject([{ status: 'unsubscribed' }]);
});

test('does not ask about a domain when none of its people is mailed (C9)', async () => {
  const rows = csv('Email,Status', 'ana@example.com,unsubscribed', 'bo@example.org,active', '@example.org,active');
  const { trouble, reading } = await readList({ 'list.csv': rows, 'bounced.csv': csv('Email', '@example.com') });
  expect([trouble, reading.rows.rejected]).toEqual([[], 2]);
});

test.each(['@example.org', '*@example.org', '%@example.org', '.*@example.org'])(
  'does not read %s as the address of a person (F8)',
  async (cell) => {
    const { contacts, reading } = await readList({ 'list.csv': csv('Email,Status', `${cell},active`) });
    expect([contacts, reading.rejections?.[0]?.examples[0]?.value]).toEqual([[], `${cell}: no name before the @`]);
  },
);

test('offers a column of domains as the address column of an opt-out list (C9)', async () => {
  const files = {
    'people.csv': csv('Domain,Status', 'bo@example.org,active'),
    'blocklist.csv': csv('Domain', 'example.org'),
  };
  expect((await readList(files)).reading.findings).toContainEqual(
    expect.objectContaining({ check: 'columns', level: 'stop', hint: '--map blocklist.csv:Domain=email' }),
  );
  const mapped = await readList(files, { map: ['Domain=email'] });
  expect(mapped.trouble).toContain('stop unknown_status');
});

test.each(['@example.org', 'example.org', '*.example.org'])(
  'does not read the domain %s in the first line as a header (C9)',
  async (first) => {
    const files = { 'people.csv': PEOPLE, 'blocklist.txt': csv(first, 'example.com') };
    expect((await readList(files)).finding('columns')).toMatchObject({
      level: 'stop',
      hint: '--map blocklist.txt:1=email',
    });
    const asked = await readList(files, { map: ['1=email'] });
    expect(asked.finding('unknown_status')).toMatchObject({ total: 2, when: 'This leaves out 3 people' });
  },
);
