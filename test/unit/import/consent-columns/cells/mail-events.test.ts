import { expect, test } from 'vitest';
import { readList } from '../../support.ts';

/** The values of this column whose person is subscribed. The list has one active person for each value. */
async function subscribed(header: string, values: readonly string[]): Promise<readonly string[]> {
  const rows = values.map((value, at) => `p${at}@x.test,active,${value}`);
  const { contacts, reading } = await readList({ 'list.csv': `Email,Status,${header}\n${rows.join('\n')}\n` });
  expect(reading.findings.filter(({ level }) => level === 'stop')).toEqual([]);
  const found = new Set(contacts.filter(({ status }) => status === undefined).map(({ email }) => email));
  return values.filter((_, at) => found.has(`p${at}@x.test`));
}

const HARMLESS = ['open', 'Opened', 'click', 'Clicked', 'delivered', 'sent', 'deferred', 'soft bounce', ''];
const HARMFUL = ['bounce', 'Bounced', 'dropped', 'complaint', 'spam report', 'unsubscribe'];

test('skips people whose last event is a bounce or a complaint (C6, C10)', async () => {
  for (const header of ['Last event', 'Last email event', 'email_activity', 'What happened']) {
    expect([header, await subscribed(header, [...HARMLESS, ...HARMFUL])]).toEqual([header, HARMLESS]);
  }
});

test('reads no opt-out in "failed" or "dropped" about a parcel (C10)', async () => {
  for (const [header, values] of [
    ['Ticket', ['open', 'failed', 'rejected']],
    ['Parcel', ['sent', 'delivered', 'failed', 'dropped']],
    ['Last event', ['Summer party', 'Spam', 'open', 'Gala']],
  ] as const) {
    expect([header, await subscribed(header, values)]).toEqual([header, values]);
  }
});

test('mails people whose opt-out date is "never", and no other people (C10)', async () => {
  expect(await subscribed('Unsubscribe date', ['never', 'Never', '2021-01-01'])).toEqual(['never', 'Never']);
});
