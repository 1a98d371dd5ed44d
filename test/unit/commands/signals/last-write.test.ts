import { expect, test } from 'vitest';
import { createInterruption } from '../../../../src/base/lib/interruption.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { createWorld, type World } from '../../../support/world.ts';

/** Presses Ctrl-C when the response to write number `nth` has come. */
const interruptedAfter = (nth: number) => stoppedAfterPost(nth, createInterruption('SIGINT'));

const PEOPLE = ['ana@example.com', 'max@example.com'];

async function worldOfTwo(): Promise<World> {
  const contacts = PEOPLE.map((email) => ({ email }));
  const world = await createWorld({ seed: { contacts, automations: [{ name: 'Welcome' }] } });
  world.file('list.csv', `email,status\n${PEOPLE.map((email) => `${email},subscribed\n`).join('')}`);
  world.requests();
  return world;
}

const posts = (world: World) => world.requests().filter(({ method }) => method === 'POST').length;

test.each(['contacts import list.csv', 'contacts import list.csv --no-verify', 'automations enroll Welcome list.csv'])(
  'a resume sends no POST when Ctrl-C came after the last write: %s (D4)',
  async (line) => {
    const quiet = await worldOfTwo();
    expect((await quiet.svc(`${line} --json --yes`)).code).toBe(0);
    const world = await worldOfTwo();
    const first = await world.svc(`${line} --json --yes`, interruptedAfter(posts(quiet)));
    expect(first).toMatchObject({ code: 130, json: { rows: { unsent: 0, unknown: 0 } } });
    expect(first.json.next).toEqual([`svc runs resume ${first.json.run}`]);
    world.requests();
    expect(await world.svc('runs resume --json')).toMatchObject({ code: 0, json: { rows: first.json.rows } });
    expect(posts(world)).toBe(0);
  },
);
