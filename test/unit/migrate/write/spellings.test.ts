import { describe, expect, test } from 'vitest';
import { openContactLedger } from '../../../../src/ledgers/open-contact-ledger.ts';
import { numberedNames, rowsOf, runNight } from '../../../support/nights.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { createWorld, type World } from '../../../support/world.ts';

const UNICODE = 'anna@bücher.example';
const PUNYCODE = 'anna@xn--bcher-kva.example';
const BOTH = [
  [UNICODE, PUNYCODE],
  [PUNYCODE, UNICODE],
] as const;

describe.each(BOTH)('a person whose domain is spelled in two ways: %s and %s', (one, other) => {
  test('writes a person with two spellings once, under the first address (F8)', async () => {
    const world = await createWorld();
    const { json } = await migrate(world, [`${one},subscribed`, `${other.toUpperCase()},subscribed`]);
    expect([json.rows.created, json.rows.merged, statusesOf(world)]).toEqual([1, 1, { [one]: 'subscribed' }]);
  });

  test('writes a person once when one row names both spellings (F8)', async () => {
    const world = await createWorld();
    world.file('list.csv', `email,second,status\n${one},${other},unsubscribed\n`);
    const { json } = await world.svc('migrate list.csv --map email=email --map second=email --plan paid --json');
    expect([json.rows.created, statusesOf(world)]).toEqual([1, { [one]: 'unsubscribed' }]);
  });

  test('signs a person up under neither spelling when one opted out (F8, C7)', async () => {
    const world = await createWorld();
    await migrate(world, [`${one},subscribed`, `${other},unsubscribed`]);
    expect(statusesOf(world)).toEqual({ [one]: 'unsubscribed' });
  });

  test.each(['', '--explicit-status'])(
    'keeps a person opted out under the other spelling, flags "%s" (F8, C1)',
    async (flags) => {
      const world = await createWorld();
      world.emulator.admin.addContacts([{ email: other, status: 'unsubscribed' }, { email: 'ben@example.com' }]);
      const rows = [`${one},subscribed`, 'ben@example.com,subscribed', 'cyd@example.com,subscribed'];
      const { code } = await migrate(world, rows, flags);
      expect([code, statusesOf(world)]).toEqual([0, { [other]: 'unsubscribed' }]);
    },
  );

  test('changes no contact when the audience has a person twice (F8, C1)', async () => {
    const world = await createWorld();
    world.emulator.admin.addContacts([{ email: other, status: 'unsubscribed' }, { email: one }]);
    const rows = [`${one},subscribed`, 'ben@example.com,subscribed', 'cyd@example.com,subscribed'];
    const { code } = await migrate(world, rows);
    expect([code, statusesOf(world)]).toEqual([0, { [other]: 'unsubscribed', [one]: 'subscribed' }]);
  });

  test('keeps both statuses of a person when a canary response is lost (F8, C1)', async () => {
    const world = await createWorld();
    const { admin } = world.emulator;
    admin.addContacts([{ email: other, status: 'unsubscribed' }, { email: one }]);
    admin.addContacts(numberedNames(600).map((name) => ({ email: `${name}@example.com` })));
    // The canary is a replay after a lost response, which proves nothing. So the batch goes alone.
    admin.addFault({ kind: 'reset', when: 'after', times: 1, match: { route: 'POST *contacts/batch' } });
    const names = numberedNames(600).map((name) => `${name}@example.com,subscribed`);
    const { code } = await migrate(world, [...names.slice(0, 450), `${one},subscribed`, ...names.slice(450)]);
    const { [one]: its, [other]: others } = statusesOf(world);
    expect([code, its, others]).toEqual([0, 'subscribed', 'unsubscribed']);
  });

  test('opts a person out under the address that the audience has (F8)', async () => {
    const world = await createWorld();
    world.emulator.admin.addContacts([{ email: other }]);
    const { code } = await migrate(world, [`${one},unsubscribed`, 'ben@example.com,subscribed']);
    expect([code, statusesOf(world)]).toEqual([0, { [other]: 'unsubscribed' }]);
  });

  test('keeps opt-outs when many people have a domain with two spellings (F8)', async () => {
    const world = await createWorld();
    const domain = other.slice(other.indexOf('@'));
    const people = numberedNames(40).map((name) => `${name}${domain}`);
    world.emulator.admin.addContacts(people.map((email) => ({ email, status: 'unsubscribed' })));
    const own = one.slice(one.indexOf('@'));
    const { code } = await migrate(
      world,
      numberedNames(40).map((name) => `${name}${own},subscribed`),
    );
    expect([code, [...new Set(Object.values(statusesOf(world)))], Object.keys(statusesOf(world)).length]).toEqual([
      0,
      ['unsubscribed'],
      40,
    ]);
  });

  test('treats two spellings as one person with --only-changed, --gone (F8, G6)', async () => {
    const world = await createWorld();
    await runNight(world, [...rowsOf(numberedNames(30)), `${one},Anna,Lisbon`]);
    const renamed = [...rowsOf(numberedNames(30)), `${other},Anna,Oslo`];
    const { json, code } = await runNight(world, renamed, { flags: '--gone unsubscribe' });
    expect([code, json.gone.missing, statusesOf(world)]).toEqual([0, 0, { [one]: 'subscribed' }]);
    const left = await runNight(world, rowsOf(numberedNames(30)), { flags: '--gone unsubscribe' });
    expect([left.json.gone.missing, statusesOf(world)]).toEqual([1, { [one]: 'unsubscribed' }]);
  });

  test('keeps one entry in the contact ledger for two spellings (F8)', () => {
    const place = { stateFolder: tempFolder(), origin: 'https://mail.example.test', audienceId: 'aud_1' };
    const ledger = openContactLedger(place, (length) => 'a'.repeat(length));
    ledger.forgetContent([one, other], 1);
    expect([...ledger.counts()]).toEqual([[1, 1]]);
    ledger.close();
  });
});

/** Imports a list of addresses and statuses. */
function migrate(world: World, rows: readonly string[], flags = '') {
  world.file('list.csv', `email,status\n${rows.join('\n')}\n`);
  return world.svc(`migrate list.csv --plan paid --json ${flags}`);
}

/** The status of each contact whose domain has two spellings. */
function statusesOf(world: World): Record<string, string> {
  const all = [
    UNICODE,
    PUNYCODE,
    ...numberedNames(40).flatMap((name) => [UNICODE, PUNYCODE].map((email) => email.replace('anna', name))),
  ];
  return Object.fromEntries(
    all.flatMap((email) => {
      const contact = world.emulator.admin.contact(email);
      return contact ? [[email, contact.status]] : [];
    }),
  );
}
