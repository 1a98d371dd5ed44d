import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const ROWS = csv('Email,Status', 'ana@x.test,active', 'bo@x.test,active');

test.each([
  ['Filter: Unsubscribed = Yes', 'unsubscribed'],
  ['Unsubscribed contacts - exported 2024-02-03', 'unsubscribed'],
  ['All unsubscribed contacts', 'unsubscribed'],
  ['Opted-out subscribers', 'unsubscribed'],
  ['Status: Unsubscribed', 'unsubscribed'],
  ['Abgemeldete Empfänger', 'unsubscribed'],
  ['Désinscrits', 'unsubscribed'],
  ['Report: Hard bounces', 'skip'],
  ['Segment: Do not email', 'skip'],
  ['Spam complaints', 'skip'],
])('asks about rows that say subscribed below the title "%s" (C4, C10)', async (title, first) => {
  const files = { 'list.csv': `${title}\n\n${ROWS}` };
  for (const answers of [{}, { defaultStatus: { '*': 'subscribed' } }]) {
    const { contacts, finding } = await readList(files, answers);
    expect([contacts, finding('no_status')]).toMatchObject([
      [],
      {
        level: 'stop',
        message: expect.stringMatching(/2 rows of list.csv say subscribed .*, and its title says that these people/),
        hint: `--default-status list.csv=${first}`,
      },
    ]);
  }
  const denied = await readList(files, { defaultStatus: { 'list.csv': 'subscribed' } });
  expect([denied.contacts.length, denied.finding('no_status')]).toEqual([2, undefined]);
});

test.each([
  ...[
    'Contacts of 2024',
    'Unsubscribed: 3',
    'Bounce: 0.4 %',
    'Filter: Unsubscribed = No',
    'Subscribers and unsubscribers',
  ],
  ...['To unsubscribe from this report click here', 'Active, unsubscribed', 'Filter: status is not bounced'],
  ...[
    'Everybody except unsubscribed',
    'Newsletter without bounces',
    'Aktive und Abgemeldete',
    'All duplicates removed',
  ],
])('asks nothing about subscribed rows below the title "%s" (C10)', async (title) => {
  const { contacts, finding } = await readList({ 'list.csv': `"${title}"\n\n${ROWS}` });
  expect([contacts.length, finding('no_status')]).toEqual([2, undefined]);
});
