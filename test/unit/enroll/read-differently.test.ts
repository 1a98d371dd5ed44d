import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { stoppedAfterPost } from '../../support/after-post.ts';
import { type AutomationWorld, addresses, bare, createAutomationWorld } from './support.ts';

const PEOPLE = addresses(6);

/** Swaps the records of two requests of a run, as if another version of svc had numbered the rows. */
function exchangeRequests({ folder }: AutomationWorld, run: string): void {
  const db = new DatabaseSync(join(folder, 'state', 'svc', 'runs', run, 'run.db'));
  const [first, second] = db.prepare("SELECT id, name FROM units WHERE kind = 'enrollment' ORDER BY id").all();
  const rename = db.prepare('UPDATE units SET name = ? WHERE id = ?');
  rename.run('?', first!.id!);
  rename.run(first!.name!, second!.id!);
  rename.run(second!.name!, first!.id!);
  db.close();
}

test.each([
  ['without --reenroll', []],
  ['with --reenroll', ['--reenroll']],
] as const)('sends nothing when a resume %s finds other people in its rows (D1, I9)', async (_, flags) => {
  const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
  const words = ['--concurrency', '1', ...flags];
  const { json: stopped } = await world.enroll(bare(PEOPLE), words, stoppedAfterPost(3));
  exchangeRequests(world, stopped.run);

  const resumed = await world.svc(`runs resume ${stopped.run} --json`);
  const again = await world.enroll(bare(PEOPLE), words);

  for (const { code, json } of [resumed, again]) {
    expect([code, json.run, json.error.code]).toEqual([7, stopped.run, 'read_differently']);
    expect(json.error.hint).toBe('Continue it with the version of svc that began it.');
  }
  expect(world.enrolled()).toEqual(PEOPLE.slice(0, 3));
});
