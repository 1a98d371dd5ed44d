import { expect, test } from 'vitest';
import { type CommandResult, createWorld } from '../../support/world.ts';

type Contacts = Parameters<Awaited<ReturnType<typeof createWorld>>['emulator']['admin']['addContacts']>[0];

/** Checks a list with `email` and `status` against an audience with these contacts. */
async function check(contacts: Contacts, rows: readonly string[], command = 'contacts check l.csv') {
  const world = await createWorld();
  world.emulator.admin.addContacts(contacts);
  world.file('l.csv', `email,status\n${rows.join('\n')}\n`);
  return world.svc(`${command} --json`);
}

function outcomesOf({ json }: CommandResult): string[] {
  return Object.entries<{ email: string }[]>(json.examples).flatMap(([outcome, people]) =>
    people.map(({ email }) => `${outcome} ${email}`),
  );
}

test('a check reports a person as missing beside a look-alike contact (F8, V1)', async () => {
  const contacts = [{ email: 'straße@example.com' }];
  const checked = await check(contacts, ['straße@example.com,subscribed', 'strasse@example.com,subscribed']);
  expect([checked.code, outcomesOf(checked)]).toEqual([3, ['same straße@example.com', 'missing strasse@example.com']]);
});

test('a check does not count the opt-out of a look-alike for a person (F8, V1)', async () => {
  const contacts: Contacts = [{ email: 'strasse@example.com', status: 'unsubscribed' }];
  const checked = await check(contacts, ['straße@example.com,unsubscribed']);
  expect([checked.code, outcomesOf(checked)]).toEqual([3, ['missing straße@example.com', 'extra strasse@example.com']]);
});

test('a check reports an opted-out person whose second contact gets mail (F8)', async () => {
  const contacts: Contacts = [
    { email: 'pia@bücher.example' },
    { email: 'pia@xn--bcher-kva.example', status: 'unsubscribed' },
  ];
  const checked = await check(contacts, ['pia@xn--bcher-kva.example,unsubscribed']);
  expect([checked.code, outcomesOf(checked)]).toEqual([3, ['different pia@xn--bcher-kva.example']]);
});

test('runs verify names a person whose second contact may get mail (F8, V4)', async () => {
  const world = await createWorld();
  world.emulator.admin.addContacts([{ email: 'pia@bücher.example' }, { email: 'pia@xn--bcher-kva.example' }]);
  world.file('l.csv', 'email,status\npia@xn--bcher-kva.example,unsubscribed\nana@example.com,subscribed\n');
  await world.svc('contacts import l.csv --plan paid');
  expect((await world.svc('runs verify')).code).toBe(0);
  world.emulator.admin.setStatus('pia@bücher.example', 'subscribed');
  const verified = await world.svc('runs verify --json');
  expect([verified.code, outcomesOf(verified)]).toEqual([
    3,
    ['same ana@example.com', 'different pia@xn--bcher-kva.example'],
  ]);
});

test('a check shows the second contact of a subscribed person as extra (F8)', async () => {
  const contacts = [{ email: 'pia@bücher.example' }, { email: 'pia@xn--bcher-kva.example' }];
  const checked = await check(contacts, ['pia@xn--bcher-kva.example,subscribed']);
  expect(outcomesOf(checked)).toEqual(['same pia@xn--bcher-kva.example', 'extra pia@bücher.example']);
});

test('a check finds a person whose address the service spells otherwise (V3)', async () => {
  const world = await createWorld({ variants: { address_case: 'folded' } });
  world.emulator.admin.addContacts([{ email: 'inci@example.com' }]);
  world.file('l.csv', 'email,status\nİnci@example.com,subscribed\n');
  const checked = await world.svc('contacts check l.csv --json');
  expect([checked.code, outcomesOf(checked)]).toEqual([0, ['same i\u0307nci@example.com']]);
});

test.each([
  ['ılker@example.com', 'ilker@example.com'],
  ['ilker@example.com', 'ılker@example.com'],
  ['straße@example.com', 'strasse@example.com'],
  ['γιώργος@example.com', 'γιώργοσ@example.com'],
  ['ａnna@example.com', 'anna@example.com'],
])('calls %s missing when only its look-alike %s is suppressed (F8, V1)', async (email, suppressed) => {
  const world = await createWorld({ seed: { suppressions: { bounced: [suppressed] } } });
  world.file('l.csv', `email,status\n${email},subscribed\n`);
  const checked = await world.svc('contacts check l.csv --json');
  expect([checked.code, outcomesOf(checked)], checked.err).toEqual([3, [`missing ${email}`]]);
});

test.each([
  ['pia@bücher.example', 'pia@xn--bcher-kva.example'],
  ['pia@xn--bcher-kva.example', 'pia@bücher.example'],
  ['josé@example.com', 'jose\u0301@example.com'],
])('calls %s opted out when its other spelling %s is suppressed (F8, V1)', async (email, suppressed) => {
  const world = await createWorld({ seed: { suppressions: { bounced: [suppressed] } } });
  world.file('l.csv', `email,status\n${email},subscribed\n`);
  const checked = await world.svc('contacts check l.csv --json');
  expect([checked.code, checked.json.counts], checked.err).toMatchObject([0, { opted_out: 1, missing: 0 }]);
});
