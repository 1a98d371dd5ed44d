import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const HEADER = 'Email,First Name,Last Name,Tags,Date Created,IP,Status';
const FILES = {
  'list.csv': csv(
    HEADER,
    'ana@x.test,Ana,B,,2020-01-01,,Active',
    'bo@x.test,Bo,B,,2020-01-01,,',
    'cy@x.test,Cy,B,,2020-01-01,,Unsubscribed',
    'di@x.test,Di,B,,2020-01-01,,Lapsed',
  ),
};
const ALL = { 'Status:': 'skip', 'Status:Lapsed': 'unsubscribed' };

const statesWith = async (statusMap: Readonly<Record<string, string>>) => {
  const { contacts, finding } = await readList(FILES, { statusMap });
  const states = contacts.map(({ email, status = 'subscribed' }) => `${email.split('@')[0]} ${status}`);
  return [finding('unknown_status')?.level, ...states];
};

test('applies --status-map answers to a status word and to blank cells (C10)', async () => {
  expect(await statesWith(ALL)).toEqual([undefined, 'ana subscribed', 'cy unsubscribed', 'di unsubscribed']);
});

test('applies a --status-map answer even to a word that svc knows (C10)', async () => {
  expect(await statesWith({ ...ALL, 'Status:Active': 'skip' })).toEqual([
    undefined,
    'cy unsubscribed',
    'di unsubscribed',
  ]);
});

test('subscribes a person with a blank status only by an answer (C4)', async () => {
  expect(await statesWith({ ...ALL, 'Status:': 'subscribed' })).toContain('bo subscribed');
  expect(await statesWith({ 'Status:Lapsed': 'skip' })).toEqual(['stop', 'ana subscribed', 'cy unsubscribed']);
});

test('offers Status:=skip, without *, when only cells are blank (C11)', async () => {
  const { finding } = await readList(FILES, { statusMap: { 'Status:Lapsed': 'skip' } });
  expect(finding('unknown_status')).toMatchObject({
    hint: '--status-map Status:=skip',
    otherwise: [{ flags: '--map Status=ignore' }],
  });
});
