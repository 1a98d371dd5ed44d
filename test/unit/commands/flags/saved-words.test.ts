import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld, type World } from '../../../support/world.ts';

const NOTES = ['returned', 'deleted', 'gone', 'left July', 'old', 'no longer here', 'Austritt', 'moved away', '*'];
const NEW_NOTES = ['gone away', 'deceased', '†', 'Art. 21 DSGVO'];

function listOf(notes: readonly string[]): string {
  const rows = notes.map((note, index) => `a${index}@example.com,subscribed,${note}`);
  return `${['Email,Status,Note', ...rows].join('\n')}\n`;
}

async function worldWith(notes: readonly string[]): Promise<World> {
  const world = await createWorld();
  world.file('list.csv', listOf(notes));
  return world;
}

function savedIn(world: World): readonly string[] {
  return JSON.parse(readFileSync(join(world.folder, 'answers.json'), 'utf8')).status_map;
}

const SIGN_UP = 'contacts import list.csv --yes';

test('asks about a new word although `Note:*` has a saved answer (C1, C11)', async () => {
  const world = await worldWith(NOTES);
  const saved = await world.svc(`${SIGN_UP} --status-map Note:*=subscribed --save-mapping answers.json`);
  const again = await world.svc(`${SIGN_UP} --mapping answers.json`);

  expect([saved.code, again.code], saved.err + again.err).toEqual([0, 0]);
  expect(savedIn(world)).toContain('Note:left July=subscribed');
  for (const note of NEW_NOTES) {
    world.file('list.csv', listOf([...NOTES, note]));
    const { code, err } = await world.svc(`${SIGN_UP} --mapping answers.json`);

    expect([code, err.includes(note)], err).toEqual([5, true]);
  }
});

test.each(['Note:*', '*', 'list.csv:Note:*', 'note:*'])(
  'asks about a note although a mapping file answers %s (C1)',
  async (word) => {
    const world = await worldWith(['', 'gone away', 'call at noon']);
    world.file('answers.json', JSON.stringify({ status_map: [`${word}=subscribed`] }));
    const { code, err } = await world.svc(`${SIGN_UP} --mapping answers.json`);
    const typed = await world.svc(`${SIGN_UP} --mapping answers.json --status-map ${word}=subscribed`);

    expect([code, err.includes('"gone away" (1)')], err).toEqual([5, true]);
    expect(typed.code, typed.err).toBe(0);
  },
);

test('with saved `Status:*`, asks only about values that may be opt-outs (C1)', async () => {
  const world = await createWorld();
  world.file('list.csv', 'Email,Status\na@example.com,Gold\nb@example.com,left July\nc@example.com,subscribed\n');
  world.file('answers.json', '{"status_map":["Status:*=subscribed"]}');
  const { err } = await world.svc(`${SIGN_UP} --mapping answers.json`);

  expect(err).toContain('"left July" (1)');
  expect(err).not.toContain('Gold');
});

test('offers a flag for each of 5 words, but one flag for all when there are 6', async () => {
  const flagsFor = async (notes: readonly string[]) => {
    const world = await worldWith(notes);
    const { err } = await world.svc(SIGN_UP);
    return err.replaceAll(/\\\n\s*/g, '').match(/--status-map '?Note:[^=]*=subscribed/g);
  };

  const five = ['returned', 'deleted', 'gone', 'resigned', 'Austritt'];
  expect(await flagsFor(five)).toEqual(five.map((word) => `--status-map Note:${word}=subscribed`));
  expect(await flagsFor([...five, 'moved away'])).toEqual(["--status-map 'Note:*=subscribed"]);
  expect(await flagsFor(NOTES)).toEqual(["--status-map 'Note:*=subscribed"]);
});

test('saves no words of a list from a pipe, and says so (C1)', async () => {
  const world = await createWorld();
  const line = 'contacts import - --yes --status-map Note:*=subscribed --save-mapping answers.json';
  const { code, err } = await world.svc(line, { stdin: listOf(NOTES) });

  expect([code, err.includes('svc asks about these words again')], err).toEqual([0, true]);
  expect(savedIn(world)).toEqual(['Note:*=subscribed']);
});
