import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

/** The indexes of the people who are subscribed, in a list of these names with a default for all. */
async function mailed(header: string, names: readonly string[]) {
  const { contacts } = await readNames(header, names);
  return contacts.filter(({ status }) => status === undefined).map(({ email }) => Number(email.slice(1, -7)));
}

function readNames(header: string, names: readonly string[]) {
  const rows = names.map((name, at) => `p${at}@x.test,${name}`);
  return readList({ 'list.csv': csv(`Email,${header}`, ...rows) }, { defaultStatus: { '*': 'subscribed' } });
}

const PLAIN = ['Ana Ash', 'Bea Beech', 'Cy Elm', 'Di Fir', 'Flo Bay'];
const MARKS = [
  'ZZ_DO NOT USE Cy Ash',
  'XXX Di Yew',
  'DELETE Flo Bay',
  'INACTIVE Oak',
  'Jo Oak (dec.)',
  'Jo Oak (decd)',
];

test.each(MARKS)('does not subscribe a person with the name %s (C10)', async (name) => {
  for (const header of ['Name', 'Last name']) {
    expect(await mailed(header, [...PLAIN, name])).not.toContain(5);
    expect(await mailed(header, [...PLAIN, name, 'Ben Oak (unsubscribed)'])).not.toContain(5);
  }
});

test('asks the user about DELETE and REMOVE in names of a short list (C10)', async () => {
  const names = ['Ana Ash', 'DELETE Flo Bay', 'REMOVE Cy Elm', 'DELETE Di Yew'];
  const asked = (await readNames('Name', names)).finding('unknown_status');
  expect([asked?.level, asked?.total]).toEqual(['stop', 3]);
  expect(await mailed('Name', names)).toEqual([0]);
});

test.each(['delete', 'Remove'])('asks the user about %s in the last name column (C10)', async (name) => {
  const { trouble, contacts } = await readNames('Last name', [...PLAIN, name]);
  expect([trouble, contacts.some(({ email }) => email === 'p5@x.test')]).toEqual([['stop unknown_status'], false]);
});

const HARMLESS = [
  ...['Dec Byrne', 'Decker', 'ANNA BERG', 'Deleteus', 'Remo Ve', 'Delia Berg', 'Jo Oak (Dee)', 'Inace Oak'],
  ...['MC Miller', 'Max Old', 'Loesch', 'Jo (nee Dec)'],
];

test.each(HARMLESS)('does not ask the user about the name %s (C10)', async (name) => {
  expect(await mailed('Name', [...PLAIN, name])).toContain(5);
});
