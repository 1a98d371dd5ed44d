import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { ENROLLMENT_OUTCOMES } from '../../../../src/wire/service-words.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { type AutomationWorld, addresses, bare, counts, createAutomationWorld } from '../support.ts';

const NIGHT = 25 * 3_600_000;
const PEOPLE = addresses(2);

/** A service that enrolls people and responds with another word. */
async function createWordWorld(outcome: string, times: number): Promise<AutomationWorld> {
  const world = await createAutomationWorld(PEOPLE, { reentry: 'always' });
  const match = { route: 'POST /v1/automations/*/enroll' };
  const body = { object: 'enrollment_result', outcome };
  world.emulator.admin.addFault({ kind: 'answer', status: 200, body, when: 'after', times, match });
  return world;
}

function changeDatabase(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

// svc uses some of these words in its records, but the service does not send them.
const WORDS = ['waiting', 'ENROLLED', 'unknown', 'unsent', 'not_enrolled', 'resolved', 'failed', 'read'];

test.each(WORDS)('enrolls each person once in 3 runs when the service says "%s" (O6, M5)', async (word) => {
  const world = await createWordWorld(word, 9);
  const codes: number[] = [];
  for (let night = 0; night < 3; night += 1) {
    codes.push((await world.enroll(bare(PEOPLE), night === 1 ? ['--concurrency', '1'] : [])).code);
    await world.clock.advance(NIGHT);
  }
  expect(world.enrolled()).toEqual(PEOPLE);
  expect(codes).toEqual([3, 0, 0]);
});

test('names an unrecognized outcome, and lets the user resolve it (O6)', async () => {
  const world = await createWordWorld('waiting', 1);
  const { code, json } = await world.enroll(bare(PEOPLE), ['--concurrency', '1']);
  expect([code, counts(json.rows), json.next]).toEqual([
    3,
    { read: 2, enrolled: 1, unknown: 1 },
    [
      `The service responded with an outcome that svc does not know: "waiting". Look in the app whether the people of ${json.files.unknown} were enrolled. Then: svc runs resolve ${json.run}`,
    ],
  ]);
  expect(readFileSync(json.files.unknown, 'utf8')).toBe('line,email,outcome\n2,person0@example.com,unknown\n');

  await world.svc(['runs', 'resolve', json.run, '--all', 'enrolled']);
  const { rows, status, next } = (await world.svc(['runs', 'show', json.run, '--json'])).json;
  expect([counts(rows), status, next]).toEqual([{ read: 2, enrolled: 2 }, 'completed', []]);
});

test('enrolls a person whom the user resolved as not enrolled (O6)', async () => {
  const world = await createWordWorld('waiting', 1);
  const { json } = await world.enroll(bare(PEOPLE), ['--concurrency', '1']);
  await world.svc(['runs', 'resolve', json.run, '--all', 'not-enrolled']);
  await world.clock.advance(NIGHT);
  expect(counts((await world.enroll(bare(PEOPLE))).json.rows)).toEqual({ read: 2, enrolled: 1, skipped: 1 });
});

test('skips people when an old ledger has an unrecognized outcome (O6, M5)', async () => {
  const world = await createWordWorld('already_enrolled', 2);
  await world.enroll(bare(PEOPLE));
  const folder = join(world.folder, 'state', 'svc', 'ledgers');
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.db'));
  changeDatabase(join(folder, name), "UPDATE entries SET outcome = 'waiting'");
  await world.clock.advance(NIGHT);
  expect(counts((await world.enroll(bare(PEOPLE))).json.rows)).toEqual({ read: 2, skipped: 2 });
});

test('exits with 3 when an old journal has an unrecognized outcome (O6)', async () => {
  const world = await createAutomationWorld(PEOPLE);
  const { json } = await world.enroll(bare(PEOPLE), ['--concurrency', '1'], stoppedAfterPost(1));
  changeDatabase(
    join(world.folder, 'state', 'svc', 'runs', json.run, 'run.db'),
    "UPDATE units SET answer = json_set(answer, '$.word', 'waiting') WHERE state = 'done'",
  );
  const resumed = await world.svc('runs resume --json');
  expect([resumed.code, counts(resumed.json.rows)]).toEqual([3, { read: 2, enrolled: 1, waiting: 1 }]);
});

test('enrolls a person again only when a known outcome had no effect (O6, M5)', async () => {
  const repeated: string[] = [];
  for (const word of ENROLLMENT_OUTCOMES.filter((outcome) => outcome !== 'automation_not_active')) {
    const world = await createWordWorld(word, 2);
    await world.enroll(bare(PEOPLE));
    await world.clock.advance(NIGHT);
    world.asked();
    await world.enroll(bare(PEOPLE));
    repeated.push(...(world.asked().length > 0 ? [word] : []));
  }
  const lasting = ['enrolled', 'already_enrolled'];
  expect(repeated).toEqual(ENROLLMENT_OUTCOMES.slice(0, -1).filter((word) => !lasting.includes(word)));
});
