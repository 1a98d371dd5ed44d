import { expect, test } from 'vitest';
import { splitShellText } from '../../../../src/base/lib/text.ts';
import { csv, type ReadList, readList } from '../support.ts';
import { withFlags } from '../survey/checks/paste-hints.ts';

/** Headers of two people of one row: the addresses, and a word that names each of them. */
const PEOPLE = [
  ['Parent 1 email', 'Parent 2 email', 'Parent 1', 'Parent 2'],
  ['Parent1 Email', 'Parent2 Email', 'Parent1', 'Parent2'],
  ['Mom', 'Dad', 'Mom', "Dad's"],
  ['Mutter E-Mail', 'Vater E-Mail', 'Mutter', 'Vater'],
  ['Email 1', 'Email 2', '1', '2'],
  ['E-Mail', 'E-Mail 2', '', '2'],
  ['Email', 'Partner email', '', 'Partner'],
] as const;

function subscribers({ contacts }: ReadList): readonly string[] {
  return contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
}

test.each(PEOPLE)('opts out both people of a row with two addresses: %s, %s (C9)', async (first, second) => {
  const rows = [
    'a@x.test,b@x.test,active',
    'c@x.test,d@x.test,unsubscribed',
    'd@x.test,f@x.test,active',
    'g@x.test,c@x.test,active',
  ];
  for (const chosen of [first, second]) {
    const list = await readList(
      { 'list.csv': csv(`${first},${second},Status`, ...rows) },
      { map: [`${chosen}=email`] },
    );
    expect(subscribers(list).filter((email) => /^[cd]@/.test(email))).toEqual([]);
  }
});

const OWN = [
  ['Status', 'active'],
  ['Consent', 'yes'],
  ['Newsletter', 'yes'],
  ['Subscribed', 'TRUE'],
] as const;

test.each(PEOPLE)(
  'subscribes no person by the consent of another person: %s, %s (C11)',
  async (first, second, one, two) => {
    for (const [own, yes] of OWN) {
      const header = `${first},${one} ${own},${second},${two} ${own}`;
      const rows = [`a@x.test,,b@x.test,${yes}`, `e@x.test,${yes},f@x.test,${yes}`, `,,h@x.test,${yes}`];
      const map = [`${first}=email`];
      const list = await readList({ 'list.csv': csv(header, ...rows) }, { map });
      expect(subscribers(list)).not.toContain('a@x.test');
      expect(list.trouble).toContain('stop unknown_status');
    }
  },
);

test('asks whose status a row has when several columns hold people (C11)', async () => {
  const files = {
    'list.csv': csv('Parent 1 email,Parent 2 email,Status', 'a@x.test,b@x.test,active', 'c@x.test,d@x.test,active'),
  };
  const { reading } = await readList(files);
  const [stop] = reading.findings.filter(({ level }) => level === 'stop');
  expect([stop?.when, ...(stop?.otherwise ?? []).map(({ when }) => when)]).toEqual([
    'Only if the status of each row is that of the person in "Parent 1 email"',
    'Only if the status of each row is that of the person in "Parent 2 email"',
  ]);
  const list = await readList(files, withFlags({}, splitShellText(stop?.hint ?? '')));
  expect(subscribers(list)).toEqual(['a@x.test', 'c@x.test']);
});

test('counts a yes for the first address when no header names a person (C10)', async () => {
  const rows = ['a@x.test,b@x.test,yes,1', 'c@x.test,,yes,2', 'e@x.test,f@x.test,no,3'];
  const list = await readList(
    { 'list.csv': csv('Email,Email 2,Newsletter,Visits', ...rows) },
    { statusMap: { no: 'skip', 'Newsletter:yes': 'subscribed' } },
  );
  expect(subscribers(list)).toEqual(['a@x.test', 'c@x.test']);
});
