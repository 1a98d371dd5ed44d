import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { pasteHints } from '../../survey/checks/paste-hints.ts';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

/** Headers of Dynamics with the two values that it writes below them. */
const ALLOWED: readonly (readonly [header: string, refused: string, allowed: string])[] = [
  ['Do not allow Emails', 'Do Not Allow', 'Allow'],
  ['Do not allow Bulk Emails', 'Do Not Allow', 'Allow'],
  ['E-Mails nicht zulassen', 'Nicht zulassen', 'Zulassen'],
  ['Massen-E-Mails nicht zulassen', 'Nicht zulassen', 'Zulassen'],
  ['E-mail niet toestaan', 'Niet toestaan', 'Toestaan'],
  ['Ne pas autoriser les courriers électroniques', 'Ne pas autoriser', 'Autoriser'],
  ['No permitir correo electrónico', 'No permitir', 'Permitir'],
  ['Não Permitir Emails', 'Não Permitir', 'Permitir'],
  ['Nie zezwalaj na masowe wiadomości e-mail', 'Nie zezwalaj', 'Zezwalaj'],
  ['Tillad ikke e-mails', 'Tillad ikke', 'Tillad'],
  ['Tillåt inte e-post', 'Tillåt inte', 'Tillåt'],
  ['E-Mail zulassen', 'Nicht zulassen', 'Zulassen'],
  ['E-mails toestaan', 'Niet toestaan', 'Toestaan'],
  ['Älä salli sähköposteja', 'Älä salli', 'Salli'],
  ['Salli sähköposti', 'Älä salli', 'Salli'],
  ['Älä salli joukkosähköposteja', 'Älä salli', 'Salli'],
  ['Marketingmaterial senden', 'Nicht senden', 'Senden'],
];

test.each(ALLOWED)(
  'reads the cell under %s together with the verb in the header (C10)',
  async (header, refused, allowed) => {
    const files = {
      'list.csv': csv(`Email,${header},Status`, `a@x.test,${allowed},Active`, `b@x.test,${refused},Active`),
    };
    const { contacts } = await readList(files);
    expect(contacts.filter(({ status }) => status === undefined).map(({ email }) => email)).toEqual(['a@x.test']);
    const pasted = (await pasteHints(files))?.contacts ?? [];
    expect(pasted.filter(({ status }) => status === undefined).map(({ email }) => email)).toEqual(['a@x.test']);
  },
);

// svc knows these headers only together with the cells below them.
test.each([
  ['E-Mail versenden', 'Versenden', 'Nicht versenden'],
  ['Mailings nicht versenden', 'Versenden', 'Nicht versenden'],
  ['Werbemails bekommen', 'Bekommen', 'Nicht bekommen'],
  ['Weiterleiten per Mail', 'Weiterleiten', 'Nicht weiterleiten'],
])('asks about cells that repeat the verb of the header %s: %s, %s (C10)', async (header, yes, no) => {
  const { contacts, trouble } = await readList({
    'list.csv': csv(`Email,${header},Status`, `a@x.test,${yes},Active`, `b@x.test,${no},Active`),
  });
  expect(trouble).toContain('stop unknown_status');
  expect(contacts.map(({ email }) => email)).not.toContain('b@x.test');
});

test.each([
  ['E-Mail versenden', 'Versenden', 'Nicht versenden'],
  ['Werbemails bekommen', 'Bekommen', 'Nicht bekommen'],
])('reads the verb of the header %s alone as a yes: %s, beside %s (C10)', (header, yes, no) => {
  expect(meaningOf(tableOf([header], { rows: [[yes], [no]] }), yes)).toBe('agrees');
});

test.each([
  ['Unsubscribed from newsletter', 'newsletter'],
  ['Newsletter Vienna', 'Vienna'],
  ['No-nonsense newsletter', 'No-nonsense newsletter'],
])('signs up no person when a cell under %s repeats the header: %s (C10)', async (header, cell) => {
  const { contacts } = await readList({ 'list.csv': csv(`Email,${header}`, `a@x.test,${cell}`, 'b@x.test,') });
  expect(contacts.filter(({ status }) => status === undefined)).toEqual([]);
});

/** Cells that can name what the person refuses or wants. */
const NAMED: readonly (readonly [header: string, cell: string])[] = [
  ['Do not email or call', 'Email'],
  ['No email/phone contact', 'Email'],
  ['Newsletter nicht senden', 'Newsletter'],
  ['Do not contact', 'Contact'],
  ['Do not mail', 'Mail'],
  ['Do not send newsletter', 'Send'],
  ['No marketing emails', 'Marketing'],
  ['Never email again', 'email'],
  ['Not interested in newsletter', 'newsletter'],
  ['Do not email or call', 'Do not call'],
  ['Consent (email, phone, post)', 'No phone'],
  ['Newsletter weekly or monthly', 'not weekly'],
  ['Consent required', 'not required'],
  ['Marketing consent email phone', 'phone'],
];

test.each(NAMED)('asks about a cell under "%s" that says only "%s" (C10)', async (header, cell) => {
  const files = {
    'list.csv': csv(`Email,Status,"${header}"`, `a@x.test,active,${cell}`, 'b@x.test,active,', 'c@x.test,active,'),
  };
  expect((await readList(files)).trouble).toContain('stop unknown_status');
  const pasted = (await pasteHints(files))?.contacts ?? [];
  expect(pasted.map(({ email }) => email)).toEqual(['b@x.test', 'c@x.test']);
});

test('asks nothing about "Active" under the header Status Reason (C10)', async () => {
  const { contacts, trouble } = await readList({
    'list.csv': csv('Email,Status,Status Reason', 'a@x.test,Active,Active', 'b@x.test,unsubscribed,left'),
  });
  expect([contacts[0]?.email, contacts[0]?.status, trouble]).toEqual(['a@x.test', undefined, []]);
});

// Headers that say that a record is no longer used.
const OUT_OF_USE =
  'Inactive|Inaktiv|Inactif|Archived|Suspended|Disabled|Deactivated|Lapsed|Dormant|Muted|Paused|Deleted';

test.each(OUT_OF_USE.split('|'))('skips a person when the cell under %s repeats the header (C10)', async (header) => {
  const ticks = [header, header.toUpperCase(), `[x] ${header}`, `is ${header.toLowerCase()}`];
  const rows = ticks.map((tick, index) => `p${index}@x.test,active,${tick}`);
  const { contacts } = await readList({ 'list.csv': csv(`Email,Status,${header}`, ...rows, 'b@x.test,active,') });
  expect(contacts.map(({ email }) => email)).toEqual(['b@x.test']);
});
