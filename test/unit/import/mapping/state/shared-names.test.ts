import { expect, test } from 'vitest';
import { createWorld } from '../../../../support/world.ts';
import { makeZip } from '../../make-zip.ts';
import { csv, readList } from '../../support.ts';

const mailed = ({ contacts }: Awaited<ReturnType<typeof readList>>) =>
  contacts.filter(({ status }) => status === undefined).map(({ email }) => email);

const IN_ARCHIVE = {
  'dirs.zip/active/contacts.csv': csv('Email', 'ana@x.test'),
  'dirs.zip/unsubscribed/contacts.csv': csv('Email', 'bo@x.test'),
  'dirs.zip/bounced/contacts.csv': csv('Email', 'cy@x.test'),
};

test.each([
  ['unsubscribed/contacts.csv', 'unsubscribed'],
  ['bounced/contacts.csv', 'skip'],
  ['old/contacts.csv', 'unsubscribed'],
  ['do-not-mail/contacts.csv', 'unsubscribed'],
])('refuses a name that is also the name of an opt-out list: %s (C4, C11)', async (name, state) => {
  const answers = { defaultStatus: { 'contacts.csv': 'subscribed' } };
  for (const folder of ['dirs.zip/', '']) {
    const files = {
      [`${folder}active/contacts.csv`]: csv('Email', 'ana@x.test'),
      [`${folder}${name}`]: csv('Email', 'b@x.test'),
    };
    if (folder === '' && name.startsWith('old')) {
      continue; // The name of a folder on the command line says less than that of a folder in an archive.
    }
    await expect(readList(files, answers)).rejects.toMatchObject({
      code: 'ambiguous_input',
      exit: 2,
      message: `--default-status: "contacts.csv" is the name of 2 inputs, and ${name} may be an opt-out list`,
      hint: `--default-status ${name}=${state}`,
    });
    const named = await readList(files, { defaultStatus: { 'contacts.csv': 'subscribed', [name]: state } });
    expect(mailed(named)).toEqual(['ana@x.test']);
    const denied = await readList(files, { defaultStatus: { 'contacts.csv': 'subscribed', [name]: 'subscribed' } });
    expect(mailed(denied)).toEqual(['ana@x.test', 'b@x.test']);
  }
});

test('names the archive too when two archives have the same opt-out list (C11)', async () => {
  const files = { 'x.zip/left/a.csv': csv('Email', 'a@x.test'), 'y.zip/left/a.csv': csv('Email', 'b@x.test') };
  await expect(readList(files, { defaultStatus: { 'a.csv': 'subscribed' } })).rejects.toMatchObject({
    hint: '--default-status x.zip/left/a.csv=unsubscribed --default-status y.zip/left/a.csv=unsubscribed',
  });
});

test('signs up no opt-out list when the answer names its archive (C4)', async () => {
  const list = await readList(IN_ARCHIVE, { defaultStatus: { 'dirs.zip': 'subscribed' } });
  expect([list.finding('no_status')?.level, mailed(list)]).toEqual(['stop', ['ana@x.test']]);
  const titled = await readList(
    {
      'a.zip/list.csv': csv('Email', 'a@x.test'),
      'a.zip/two.csv': `Unsubscribed contacts\n${csv('Email', 'b@x.test')}`,
    },
    { defaultStatus: { 'a.zip': 'subscribed' } },
  );
  expect([titled.finding('no_status')?.level, mailed(titled)]).toEqual(['stop', ['a@x.test']]);
});

test.each([
  ['two lists', { 'north/a.csv': csv('Email', 'a@x.test'), 'south/a.csv': csv('Email', 'b@x.test') }, 'a.csv'],
  ['an archive', { 'x.zip/a.csv': csv('Email', 'a@x.test'), 'x.zip/b.csv': csv('Email', 'b@x.test') }, 'x.zip'],
])('accepts one answer for %s when it covers no opt-out list', async (_, files, name) => {
  const list = await readList(files, { defaultStatus: { [name]: 'subscribed' } });
  expect([list.reading.findings.filter(({ level }) => level === 'stop'), mailed(list)]).toEqual([
    [],
    ['a@x.test', 'b@x.test'],
  ]);
});

test('accepts "unsubscribed" as the answer for all files of one name', async () => {
  const { contacts } = await readList(IN_ARCHIVE, { defaultStatus: { 'contacts.csv': 'unsubscribed' } });
  expect(contacts.map(({ status }) => status)).toEqual(['unsubscribed', 'unsubscribed', 'unsubscribed']);
});

test('names an archive entry with its folder in the answers that it offers', async () => {
  const { finding } = await readList({
    'dirs.zip/main/contacts.csv': csv('Email,Status', 'ana@x.test,active'),
    'dirs.zip/unsubscribed/left.csv': csv('Email', 'bo@x.test'),
  });
  expect(finding('no_status')?.hint).toBe('--default-status unsubscribed/left.csv=unsubscribed');
});

test('prefers the answer for an archive entry to that for its archive (C4)', async () => {
  const answers = {
    'dirs.zip': 'subscribed',
    'unsubscribed/contacts.csv': 'unsubscribed',
    'bounced/contacts.csv': 'skip',
  };
  const list = await readList(IN_ARCHIVE, { defaultStatus: answers });
  expect([list.finding('no_status')?.level, mailed(list)]).toEqual([undefined, ['ana@x.test']]);
});

test('prints a whole command when an answer names several files (C11)', async () => {
  const world = await createWorld();
  const list = (name: string) => ({ name, content: csv('Email', 'ana@example.com') });
  world.file('dirs.zip', makeZip(['active/contacts.csv', 'unsubscribed/contacts.csv'].map(list)));
  const line = 'migrate dirs.zip --default-status contacts.csv=subscribed --dry-run';
  const { code, err } = await world.svc(line);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining(`${line} --default-status unsubscribed/contacts.csv=unsubscribed\n`),
  ]);
});
