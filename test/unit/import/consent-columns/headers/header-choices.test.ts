import { expect, test } from 'vitest';
import { readHeader } from '../../../../../src/import/consent-columns/headers/read-header.ts';
import { csv, readList } from '../../support.ts';

const PAIRS =
  '(yes/no)|yes/no|(Y/N)|(yes, no)|yes or no|No/Yes|(ja/nein)|ja oder nein|(oui/non)|oui ou non|(sí/no)|si/no|(sì/no)|sí o no|tak/nie|(sim/não)|sim ou não|(ja/nej)|(ja/nee)|да/нет|0/1|(T/F)|true/false'.split(
    '|',
  );
const AGREES = ['Newsletter', 'Opt-in', 'Accepts marketing?', 'Einwilligung', 'Abonné'];
const LEFT = ['Unsubscribed', 'No newsletter', 'Abgemeldet', 'Ne plus contacter'];

/** The outcome of a person with an active status and this cell: subscribed, unsubscribed, or a question. */
async function become(header: string, cell: string): Promise<string> {
  const rows = [`p@x.test,active,${cell}`, 'q@x.test,active,yes', 'r@x.test,active,no'];
  const { contacts, reading } = await readList({ 'list.csv': `Email,Status,"${header}"\n${rows.join('\n')}\n` });
  const found = contacts.find(({ email }) => email === 'p@x.test');
  const asks = reading.findings.some(({ level }) => level === 'stop');
  return found ? (found.status ? 'unsub' : 'sub') : asks ? 'ask' : 'skip';
}

test.each([...AGREES, ...LEFT])('reads the header %s the same with and without "(yes/no)" (C10)', (header) => {
  for (const pair of PAIRS) {
    expect([pair, readHeader(`${header} ${pair}`)]).toEqual([pair, readHeader(header)]);
  }
});

test('asks the user about a "no" under "Newsletter (yes/no)" (C1, C10)', async () => {
  expect(await become('Newsletter (yes/no)', 'yes')).toBe('sub');
  expect(await become('Newsletter (yes/no)', 'no')).toBe('ask');
  expect(await become('Unsubscribed (yes/no)', 'yes')).toBe('unsub');
});

test.each([
  ...['Newsletter (1=yes, 0=no)', 'newsletter (0=yes, 1=no)', 'Mailing (nein=0, ja=1)', 'Opt-in (Y = yes, N = no)'],
  ...['Opt-in (tick = NO newsletter)', 'subscribed=1 unsubscribed=0', 'Status (1=active, 2=unsubscribed)'],
  ...['Status (1 = unsubscribed, 2 = active)', 'Status: subscribed/unsubscribed', 'Active or bounced'],
  ...['Status (active/inactive)', 'Active/Inactive', 'Enabled / Disabled'],
  ...['Status (aktiv/abgemeldet)', 'Consent (given / not given)', 'Subscribed (1) / not subscribed (0)'],
])('asks the user what yes, no or a number means under %s (C4, C10)', async (header) => {
  for (const cell of ['yes', 'no', '1', '0', '2', 'x']) {
    expect([cell, await become(header, cell)]).toEqual([cell, 'ask']);
  }
  expect(await become(header, 'unsubscribed')).toBe('unsub');
  expect(await become(header, 'subscribed')).toBe('sub');
});

test('reads "Si, no quiero newsletter" as an opt-out, not as yes/no (C10)', async () => {
  for (const header of ['Marque si no desea boletines', 'Si, no quiero newsletter', 'Do not email / no mail']) {
    expect([header, await become(header, 'x')]).toEqual([header, 'unsub']);
  }
});

test.each([
  'Newsletter via link',
  'Newsletter link',
  'Consent page',
  'Consent URL',
  'Opt-in link',
  'Email consent (page)',
])('asks about a no under %j when the status is active (C10)', async (header) => {
  const rows = ['a@x.test,active,yes', 'b@x.test,active,no', 'c@x.test,active,yes'];
  const { contacts, finding } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
  expect(contacts.map(({ email }) => email)).toEqual(['a@x.test', 'c@x.test']);
  expect(finding('unknown_status')?.hint).toContain(`${header}:no=skip`);
});

test('asks nothing about links in the column "Consent page" (C10)', async () => {
  const rows = ['a@x.test,active,https://x.test/no', 'b@x.test,active,', 'c@x.test,active,https://x.test/yes'];
  const { trouble } = await readList({ 'list.csv': csv('Email,Status,Consent page', ...rows) });
  expect(trouble).toEqual([]);
});

test.each(['Preferred channel (email = yes)', 'Channel: 1 = email, 2 = post'])(
  'reads the header %s, which explains its cells, as a channel (C10)',
  (header) => {
    expect(readHeader(header)?.meaning).toBe('channel');
  },
);
