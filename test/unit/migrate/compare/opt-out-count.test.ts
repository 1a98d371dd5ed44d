import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../../src/base/events.ts';
import {
  compareOptOuts,
  countOptOuts,
  missingOptOutsMessage,
  storeCountsBefore,
} from '../../../../src/migrate/compare/opt-out-count.ts';
import type { WriteContext } from '../../../../src/run-lifecycle/data/run-context.ts';

const NOTE = 'counts_before';
const AUDIENCE = { audienceId: 'aud_1', othersOptedOut: true };

type Counts = readonly [subscribed: number, unsubscribed: number, total: number];

const countsOf = ([subscribed, unsubscribed, total]: Counts) => ({ subscribed, unsubscribed, total });

/** A run whose audience now has these counts, and whose journal has counted these writes. */
function runOf(
  now: Counts,
  { note = {}, fresh = [0, 0] }: { readonly note?: object; readonly fresh?: readonly number[] } = {},
) {
  const notes = new Map<string, unknown>(Object.keys(note).length > 0 ? [[NOTE, note]] : []);
  const events: RunEvent[] = [];
  const audience = { object: 'audience', id: 'aud_1', name: 'News', created_at: '2026-01-01T00:00:00.000Z' };
  const context = {
    client: { get: () => Promise.resolve({ ...audience, contact_counts: countsOf(now) }) },
    clock: { now: () => 200_000 },
    emit: (event: RunEvent) => void events.push(event),
    journal: {
      readNote: (name: string) => notes.get(name),
      writeNote: (name: string, value: unknown) => void notes.set(name, value),
      counts: () => ({ freshCreated: fresh[0], freshUpdated: fresh[1] }),
    },
  } as unknown as WriteContext;
  return { context, notes, events };
}

test('records the audience counts before it sends the first contact (C1)', async () => {
  const first = runOf([10, 3, 15], { fresh: [1, 2] });
  await storeCountsBefore(first.context, { audienceId: 'aud_1', optOutRows: 0 });
  expect(first.notes.get(NOTE)).toStrictEqual({
    subscribed: 10,
    unsubscribed: 3,
    total: 15,
    freshCreated: 1,
    freshUpdated: 2,
  });
});

test.each<[unsubscribed: number, optOutRows: number, known: number | undefined, left: number | undefined]>([
  [3, 0, undefined, undefined],
  [4, 0, undefined, 1],
  [5, 0, 2, 2],
  [6, 0, 2, 3],
  [2, 0, undefined, undefined],
  [6, 1, undefined, undefined],
])('counts who left in the pause: %i opt-outs now, %i in the list (C1)', async (now, optOutRows, known, left) => {
  const before = {
    ...countsOf([10, 3, 15]),
    freshCreated: 1,
    freshUpdated: 2,
    ...(known !== undefined && { left: known }),
  };
  const { context, notes } = runOf([9, now, 15], { note: before, fresh: [7, 8] });
  await storeCountsBefore(context, { audienceId: 'aud_1', optOutRows });
  expect(notes.get(NOTE)).toStrictEqual(left === undefined ? before : { ...before, left });
});

test('counts the opt-outs of the audience before a batch (C1)', async () => {
  const count = await countOptOuts(runOf([10, 3, 15]).context, { ...AUDIENCE, othersOptedOut: false });
  expect(count).toStrictEqual({ before: 3, counts: countsOf([10, 3, 15]), at: 200_000, othersOptedOut: false });
});

describe('the counts after a batch', () => {
  const SENT = { created: 0, updated: 5, replayed: false };

  /** The message after a batch that began `age` milliseconds ago. Also the notes for the user. */
  async function messageAfter(
    now: Counts,
    {
      before = [10, 3, 18],
      sent = {},
      age = 60_000,
      others,
      othersNow = true,
      start = {},
    }: {
      readonly before?: Counts;
      readonly sent?: Partial<typeof SENT>;
      readonly age?: number;
      readonly others?: boolean;
      readonly othersNow?: boolean;
      readonly start?: object;
    } = {},
  ) {
    const { context, events } = runOf(now, { note: start });
    const counts = countsOf(before);
    const count = {
      before: counts.unsubscribed,
      counts,
      at: 200_000 - age,
      ...(others !== undefined && { othersOptedOut: others }),
    };
    const message = await missingOptOutsMessage(
      context,
      { ...AUDIENCE, othersOptedOut: othersNow },
      { count, sent: { ...SENT, ...sent } },
    );
    return [message, events.map(({ type }) => type)];
  }

  test.each<[what: string, now: Counts, more: Parameters<typeof messageAfter>[1], fewer: number | undefined]>([
    ['as many as before', [10, 3, 18], {}, undefined],
    ['more than before', [10, 4, 18], {}, undefined],
    ['one fewer', [11, 2, 18], {}, 1],
    ['two fewer', [12, 1, 18], {}, 2],
    ['one fewer, and five since the start', [11, 2, 18], { start: { unsubscribed: 7 } }, 5],
    ['one fewer, and none since the start', [11, 2, 18], { start: { unsubscribed: 1 } }, 1],
    ['one fewer, all of them read before', [11, 2, 18], { others: false }, undefined],
    ['one fewer, as recorded not all read', [11, 2, 18], { others: true, othersNow: false }, 1],
    ['one fewer, all of them read now', [11, 2, 18], { othersNow: false }, undefined],
  ])('the counts show whether opted-out people were signed up: %s (C1)', async (_, now, more, fewer) => {
    const people = fewer === 1 ? 'unsubscribed person' : 'unsubscribed people';
    expect(await messageAfter(now, more)).toEqual([
      fewer === undefined ? undefined : `the audience has at least ${fewer} ${people} fewer than before`,
      [],
    ]);
  });

  // Before the batch, five people were pending or bounced.
  test.each<[what: string, now: Counts, more: Parameters<typeof messageAfter>[1], confirmed: number]>([
    ['nobody', [10, 3, 18], {}, 0],
    ['one person', [11, 3, 18], {}, 1],
    ['two people', [12, 3, 18], {}, 2],
    ['three people', [13, 3, 18], {}, 3],
    ['two people, of whom one is new', [12, 3, 18], { sent: { created: 1 } }, 1],
    ['two people, but one was updated', [12, 3, 18], { sent: { updated: 1 } }, 1],
    ['two people, but the response was a replay', [12, 3, 18], { sent: { replayed: true } }, 0],
    ['two people, within a minute', [12, 3, 18], { age: 60_000 }, 2],
    ['two people, after more than a minute', [12, 3, 18], { age: 60_001 }, 0],
    ['two people, and the clock was set back', [12, 3, 18], { age: -60_001 }, 0],
    ['one person, after more than a minute', [11, 3, 18], { age: 60_001 }, 0],
    ['two deleted people', [10, 3, 16], {}, 0],
  ])('the counts show whether pending people were signed up: %s (C1)', async (_, now, more, confirmed) => {
    const message = `${confirmed} people of the audience were pending or bounced before the batch, and are subscribed after it`;
    expect(await messageAfter(now, more)).toEqual([
      confirmed > 1 ? message : undefined,
      confirmed === 1 ? ['note'] : [],
    ]);
  });
});

// Before the run, 10 people were subscribed and 5 opted out. This run had created 1 person and updated 2 by then.
test.each<[what: string, after: Counts, fresh: readonly number[], left: number | undefined, back: number]>([
  ['the same counts', [10, 5, 15], [1, 9], undefined, 0],
  ['one fewer opted out, one more subscribed', [11, 4, 15], [1, 9], undefined, 1],
  ['one fewer opted out, two more subscribed', [12, 4, 16], [1, 9], undefined, 1],
  ['two fewer opted out, two more subscribed', [12, 3, 15], [1, 9], undefined, 2],
  ['two fewer opted out, one more subscribed', [11, 3, 14], [1, 9], undefined, 1],
  ['two fewer opted out, and one was updated', [12, 3, 15], [1, 3], undefined, 1],
  ['two fewer opted out, and nobody was updated', [12, 3, 15], [1, 2], undefined, 0],
  ['two fewer opted out, and all subscribed are new', [12, 3, 15], [3, 9], undefined, 0],
  ['two fewer opted out, and one subscribed is new', [12, 3, 15], [2, 9], undefined, 1],
  ['fewer new people than before', [11, 4, 15], [0, 9], undefined, 1],
  ['one left in the pause, and came back', [10, 5, 15], [1, 9], 1, 1],
  ['one left in the pause', [9, 6, 15], [1, 9], 1, 0],
])('compares the opted-out people before and after the run: %s (C1, L2)', (_, after, fresh, left, back) => {
  const before = { ...countsOf([10, 5, 15]), freshCreated: 1, freshUpdated: 2, ...(left !== undefined && { left }) };
  const { context } = runOf(after, { note: before, fresh });
  const people = back === 1 ? '1 person who had opted out is' : `${back} people who had opted out are`;
  expect(compareOptOuts(context, countsOf(after))).toStrictEqual(
    back === 0
      ? {
          check: 'opt_outs',
          status: 'passed',
          message: 'the counts of the audience show that no opted-out person was signed up again',
        }
      : {
          check: 'opt_outs',
          status: 'failed',
          message: `${people} subscribed again: by this import, or on their own meanwhile`,
        },
  );
});

test('compares nothing when no counts were recorded before the run (C1)', () => {
  expect(compareOptOuts(runOf([12, 3, 15]).context, countsOf([12, 3, 15]))).toBeUndefined();
});
