import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

/** Finds the people whom the list signs up, and whether svc asks. */
async function read(header: string, ...cells: readonly string[]) {
  const rows = cells.map((cell, at) => `p${at + 1}@x.test,active,"${cell}"`);
  const { contacts, finding } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows) });
  return { signedUp: contacts.length, asks: finding('unknown_status')?.level === 'stop' };
}

const HEADERS = [
  ...['Contact me via', 'Ways to contact me', 'Happy to be contacted by', 'May we contact you by', 'Allowed channels'],
  ...['Reach me by', 'Permitted channels', 'Communicate with me by', 'How may we reach you', 'Erlaubte Kanäle'],
  ...['Kontakt erlaubt per', 'Contactez-moi par', 'Contactar por', 'Contattatemi via', 'Neem contact op via'],
  ...['Can we reach you by', 'Communications by', 'Erreichbar per', 'Wir dürfen Sie kontaktieren per'],
];

test.each(HEADERS)('asks about people who named only other channels under %s (C10)', async (header) => {
  const mixed = await read(header, 'Email', 'Post', 'SMS, Post', 'Email; SMS', 'Phone');
  expect(mixed).toEqual({ signedUp: 2, asks: true });
  expect(await read(header, 'SMS', 'Email', 'email')).toEqual({ signedUp: 2, asks: true });
});

const OTHERS = [
  ...['Source', 'Lead source', 'Order channel', 'Activity type', 'Signed up via', 'Registered by'],
  ...['Invoice by', 'Contacted via', 'Rechnung per', 'How did you hear about us', 'Utm medium', 'Booked via', 'Type'],
  ...['Campaign channel', 'Replied by', 'First touch', 'Herkunft', 'Anfrage per', 'Task', 'Consent given by'],
  ...['Missing', 'Invited by', 'Required fields', 'Paid by', 'Introduced by', 'Purchased via', 'Created via'],
  ...['Ordered', 'Skills', 'Has', 'Incomplete', 'Shared by', 'Data', 'Fehlt', 'Bezahlt per'],
];

test.each(OTHERS)('does not ask about the channels under %s, which names no wish (C10)', async (header) => {
  expect(await read(header, 'Email', 'SMS', 'Phone', 'Email')).toEqual({ signedUp: 4, asks: false });
});

test('does not ask about channels beside other texts (C10)', async () => {
  expect(await read('Remarkable', 'Email', 'SMS', 'Blue shoes')).toEqual({ signedUp: 3, asks: false });
  expect(await read('Settings', '{email:1}', 'email=1', 'email:1')).toEqual({ signedUp: 3, asks: false });
  expect(await read('Device', 'Phone', 'Tablet', 'Phone')).toEqual({ signedUp: 3, asks: false });
});

test.each([
  [100, 'Phone', true],
  [101, 'Letter', false],
])('asks about a list of channels with %i characters, the last %s: %s (C10)', async (length, last, asks) => {
  const channels = 'SMS, '.repeat(19) + last;
  expect([channels.length, (await read('Contact me via', 'Email', channels)).asks]).toEqual([length, asks]);
});
