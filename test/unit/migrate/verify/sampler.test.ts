import { expect, test } from 'vitest';
import type { ContactItem, ListBatch } from '../../../../src/import/batch/cut-batches.ts';
import { createSampler } from '../../../../src/migrate/verify/sampler.ts';
import { stoppedAfterPost } from '../../../support/after-post.ts';
import { csv } from '../../../support/lists.ts';
import { createWorld, type World } from '../../../support/world.ts';

/** Batches of a list. Every `nth` person opts out. `parsed` names the batches whose people were parsed. */
function batchesOf(total: number, size: number, nth = Number.POSITIVE_INFINITY) {
  const parsed: number[] = [];
  const people = Array.from({ length: total }, (_, at) => ({
    contact: { email: `p${at}@example.com`, ...((at + 1) % nth === 0 && { status: 'unsubscribed' }) },
  })) as unknown as ContactItem[];
  const batches = Array.from({ length: Math.ceil(total / size) }, (_, index) => {
    const items = people.slice(index * size, (index + 1) * size);
    return {
      ...{ index, rows: items, rowNumbers: new Int32Array(), body: Buffer.from(JSON.stringify(items)) },
      get items() {
        parsed.push(index);
        return items;
      },
    } as unknown as ListBatch;
  });
  return { batches, parsed };
}

function sampleOf(
  total: number,
  batchSize: number,
  { size, nth, optOuts }: { size: number; nth?: number; optOuts?: number },
) {
  const { batches, parsed } = batchesOf(total, batchSize, nth);
  const sampler = createSampler(total, size, optOuts);
  batches.forEach((batch) => void sampler.collect(batch));
  const numbers = sampler.items.map(({ contact }) => Number(/\d+/.exec(contact.email)?.[0]));
  return { numbers, parsed: [...new Set(parsed)] };
}

test.each([
  [10, 4, 0, []],
  [10, 4, 1, [0]],
  [10, 4, 3, [0, 3, 6]],
  [10, 3, 5, [0, 2, 4, 6, 8]],
  [10, 10, 10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [3, 2, 10, [0, 1, 2]],
  [7, 2, 4, [0, 1, 3, 5]],
  [0, 2, 3, []],
])('for %i people in batches of %i, reads back a sample of %i (V3)', (total, batch, size, numbers) => {
  expect(sampleOf(total, batch, { size }).numbers).toEqual(numbers);
});

test('reads back every opted-out person when they are at most twenty (V3)', () => {
  const { numbers } = sampleOf(200, 10, { size: 20, nth: 10, optOuts: 20 });
  expect(numbers.filter((number) => number % 10 === 9)).toHaveLength(20);
});

test.each([
  [21, 20],
  [100, 20],
])('reads back at most twenty of %i opted-out people, across the list (V3)', (optOuts, most) => {
  const { numbers } = sampleOf(optOuts * 10, 10, { size: 50, nth: 10, optOuts });
  const found = numbers.filter((number) => number % 10 === 9);
  expect(found.length).toBeLessThanOrEqual(most);
  expect(found.length).toBeGreaterThan(most / 2);
  expect(Math.max(...found)).toBeGreaterThan(optOuts * 5);
});

test('parses only the batches whose people it reads back (V3)', () => {
  expect(sampleOf(100, 10, { size: 2 }).parsed).toEqual([0, 5]);
  expect(sampleOf(100, 10, { size: 2, nth: 100, optOuts: 1 })).toEqual({ numbers: [0, 50, 99], parsed: [0, 5, 9] });
});

// The canary and the first batch are sent before the stop, so the resume sends other people.
test('a resumed run reads back the same people as a run without a stop (V3)', async () => {
  const text = csv('email,status', 2_500, (index) => `p${index}@example.com,subscribed`);
  const line = 'migrate list.csv --plan paid --verify-sample 20 --json';
  const [undisturbed, stopped] = [await createWorld(), await createWorld()];
  [undisturbed, stopped].forEach((world) => void world.file('list.csv', text));
  await undisturbed.svc(line);
  await stopped.svc(line, stoppedAfterPost(2));
  expect((await stopped.svc('runs resume --json')).code).toBe(0);
  const [expected, read] = [undisturbed, stopped].map(peopleReadAtEnd);
  expect([expected?.length, read]).toEqual([20, expected]);
});

/** The people whom svc looked up after the last batch. */
function peopleReadAtEnd(world: World): readonly string[] {
  const requests = world.requests();
  const end = requests.slice(requests.findLastIndex(({ method }) => method === 'POST'));
  return end.flatMap(({ path }) => /\/contacts\/(p\d+)/.exec(path)?.[1] ?? []);
}

test('chooses the same people to read back when it samples a list again (V3)', () => {
  const options = { size: 30, nth: 3, optOuts: 100 };
  expect(sampleOf(300, 7, options)).toEqual(sampleOf(300, 7, options));
});
