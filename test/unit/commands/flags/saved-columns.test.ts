import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld, type World } from '../../../support/world.ts';

const IMPORT = 'contacts import list.csv --yes --json';
const FIRST = 'Email,Status\na@example.com,subscribed\nb@example.com,left\n';

async function worldWith(list: string, more?: string): Promise<World> {
  const world = await createWorld();
  world.file('list.csv', list);
  more === undefined || world.file('more.csv', more);
  return world;
}

function savedIn(world: World): readonly string[] {
  return JSON.parse(readFileSync(join(world.folder, 'answers.json'), 'utf8')).status_map;
}

function contactsOf(world: World): readonly string[] {
  return world.emulator.admin
    .contacts()
    .map(({ email, status }) => `${email} ${status}`)
    .sort();
}

test.each(['left=subscribed', 'list.csv:left=subscribed', 'LEFT=Subscribed'])(
  'a saved answer %s signs up no person with "left" in a new column (C1)',
  async (answer) => {
    const world = await worldWith(FIRST);
    const first = await world.svc(`${IMPORT} --status-map ${answer} --save-mapping answers.json`);
    const again = await world.svc(`${IMPORT} --mapping answers.json`);
    expect([first.code, again.code], first.err + again.err).toEqual([0, 0]);

    world.file(
      'list.csv',
      'Email,Status,note\na@example.com,subscribed,\nb@example.com,left,\nc@example.com,subscribed,left\n',
    );
    const { code, err } = await world.svc(`${IMPORT} --mapping answers.json`);

    expect([code, err.includes('note')], err).toEqual([5, true]);
    expect(contactsOf(world)).toEqual(['a@example.com subscribed', 'b@example.com subscribed']);
  },
);

test.each([
  [
    'one for each column',
    'Email,Status,Note\na@x.com,left,\nb@x.com,subscribed,left\n',
    'left=subscribed',
    ['Status:left=subscribed', 'Note:left=subscribed'],
  ],
  [
    'a number without a header',
    'Email,Status,Status\na@x.com,left,subscribed\n',
    'left=subscribed',
    ['2:left=subscribed'],
  ],
  ['the input of the answer', FIRST, 'list.csv:left=subscribed', ['list.csv:Status:left=subscribed']],
  ['an answer that has a column as typed', FIRST, 'Status:left=subscribed', ['Status:left=subscribed']],
  [
    'a word that the list lacks as typed',
    FIRST,
    'gone=subscribed --status-map left=skip',
    ['gone=subscribed', 'left=skip'],
  ],
  ['skip as typed', FIRST, 'left=skip', ['left=skip']],
  ['unsubscribed as typed', FIRST, 'left=unsubscribed', ['left=unsubscribed']],
  ['suppressed as typed', FIRST, 'left=suppressed', ['left=suppressed']],
])('--save-mapping saves an answer about a word: %s', async (_, list, answer, saved) => {
  const world = await worldWith(list);
  const { code, err } = await world.svc(`${IMPORT} --dry-run --status-map ${answer} --save-mapping answers.json`);

  expect(code, err).toBe(0);
  expect(savedIn(world)).toEqual(saved);
});

test('saves a column number in an answer when two headers are equal', async () => {
  const world = await worldWith(FIRST, 'Email,Status,Status\nc@example.com,left,subscribed\n');
  const line = `contacts import list.csv more.csv --yes --dry-run --status-map left=subscribed`;
  const { code, err } = await world.svc(`${line} --save-mapping answers.json`);

  expect(code, err).toBe(0);
  expect(savedIn(world)).toEqual(['Status:left=subscribed', 'more.csv:2:left=subscribed']);
});

test('saves an answer about standard input, and warns of new columns (C1)', async () => {
  const world = await createWorld();
  const line = 'contacts import - --yes --status-map left=subscribed --save-mapping answers.json';
  const { code, err } = await world.svc(line, { stdin: FIRST });

  expect([code, err.includes('also count in a column that a later list adds')], err).toEqual([0, true]);
  expect(savedIn(world)).toEqual(['left=subscribed']);
});
