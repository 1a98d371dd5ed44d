import { describe, expect, test } from 'vitest';
import { mapConcurrently, runConcurrently, splitAtLoneItems } from '../../../../src/base/lib/concurrency.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

async function* numbers(count: number, log: { read: number; closed: boolean }, failAt = -1): AsyncGenerator<number> {
  try {
    for (let n = 0; n < count; n += 1) {
      if (n === failAt) {
        throw new Error('source failed');
      }
      log.read += 1;
      yield n;
    }
  } finally {
    log.closed = true;
  }
}

/** Creates work that takes `turns` turns of the event loop, and counts the items in flight. */
function createWork(turns: (n: number) => number) {
  const seen = { now: 0, most: 0, finished: [] as number[] };
  const work = async (n: number) => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    for (let left = turns(n); left > 0; left -= 1) {
      await turn();
    }
    seen.now -= 1;
    seen.finished.push(n);
    return n;
  };
  return { seen, work };
}

describe('runConcurrently()', () => {
  test('runs at most 4 calls at once, and reads at most 9 items ahead', async () => {
    const log = { read: 0, closed: false };
    const { seen, work } = createWork((n) => 1 + (n % 3));
    const out: number[] = [];
    let ahead = 0;
    for await (const n of runConcurrently(numbers(200, log), 4, work)) {
      out.push(n);
      ahead = Math.max(ahead, log.read - out.length);
    }
    expect(out.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n));
    expect(seen.most).toBe(4);
    expect(ahead).toBeLessThanOrEqual(9);
  });

  test('reads at most a few items ahead when the consumer is slow', async () => {
    const log = { read: 0, closed: false };
    const { work } = createWork(() => 1);
    const results = runConcurrently(numbers(100, log), 3, work);
    await results.next();
    for (let n = 0; n < 20; n += 1) {
      await turn();
    }
    expect(log.read).toBeLessThanOrEqual(7);
    await results.return(undefined);
  });

  test('waits for concurrent calls in flight when the consumer stops', async () => {
    const log = { read: 0, closed: false };
    const { seen, work } = createWork((n) => (n === 0 ? 1 : 10));
    for await (const _ of runConcurrently(numbers(100, log), 4, work)) {
      break;
    }
    expect({ inFlight: seen.now, closed: log.closed, finished: seen.finished.length }).toEqual({
      inFlight: 0,
      closed: true,
      finished: log.read,
    });
  });

  test('waits for concurrent calls in flight when the source fails', async () => {
    const log = { read: 0, closed: false };
    const { seen, work } = createWork(() => 10);
    const run = async () => {
      for await (const _ of runConcurrently(numbers(100, log, 3), 5, work)) {
        // Results that came before the failure do not matter here.
      }
    };
    await expect(run()).rejects.toThrow('source failed');
    expect({ inFlight: seen.now, finished: seen.finished }).toEqual({ inFlight: 0, finished: [0, 1, 2] });
  });

  test('reads no more items and waits for the other calls when a call fails', async () => {
    const log = { read: 0, closed: false };
    const { seen, work } = createWork(() => 5);
    const run = async () => {
      for await (const _ of runConcurrently(numbers(100, log), 4, async (n) => {
        if (n === 2) {
          throw new Error('call failed');
        }
        return work(n);
      })) {
        // The results do not matter.
      }
    };
    await expect(run()).rejects.toThrow('call failed');
    expect({ inFlight: seen.now, closed: log.closed, read: log.read <= 5 }).toEqual({
      inFlight: 0,
      closed: true,
      read: true,
    });
  });

  test('returns a result before the source gives its next item', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* slow() {
      yield 1;
      await released;
      yield 2;
    }
    const results = runConcurrently(slow(), 4, async (n: number) => n);
    expect(await results.next()).toEqual({ done: false, value: 1 });
    release();
    expect(await results.next()).toEqual({ done: false, value: 2 });
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });
});

describe('splitAtLoneItems()', () => {
  const isSecond = (n: number) => n % 2 === 1;

  test.each([
    [0, () => false, []],
    [3, () => false, ['0,1,2']],
    [3, () => true, ['', 'alone 0', '', 'alone 1', '', 'alone 2']],
    [5, isSecond, ['0', 'alone 1', '2', 'alone 3', '4']],
  ])('splits %i items into groups in order, with each marked item alone', async (count, goesAlone, expected) => {
    const log = { read: 0, closed: false };
    const parts: string[] = [];
    for await (const part of splitAtLoneItems(numbers(count, log), goesAlone)) {
      parts.push(part.kind === 'alone' ? `alone ${part.item}` : (await Array.fromAsync(part.items)).join(','));
    }
    expect(parts).toEqual(expected);
    expect(log.closed).toBe(true);
  });

  test('closes the source when the consumer of the groups stops', async () => {
    const log = { read: 0, closed: false };
    for await (const _ of splitAtLoneItems(numbers(9, log), isSecond)) {
      break;
    }
    expect(log).toEqual({ read: 1, closed: true });
  });
});

describe('mapConcurrently()', () => {
  test('returns results in the order of the items, at most 4 calls at once', async () => {
    const { seen, work } = createWork((n) => 1 + ((7 * n) % 5));
    const items = Array.from({ length: 40 }, (_, n) => n);
    expect(await mapConcurrently(items, 4, work)).toEqual(items);
    expect(seen.most).toBe(4);
    expect(seen.finished).not.toEqual(items);
  });

  test('waits for the calls in flight when one fails', async () => {
    const { seen, work } = createWork((n) => 1 + n);
    const failing = (n: number) => (n === 0 ? Promise.reject(new Error('no')) : work(n));
    await expect(mapConcurrently([0, 1, 2, 3, 4, 5], 3, failing)).rejects.toThrow('no');
    expect(seen.now).toBe(0);
    expect(seen.finished.length).toBeLessThan(5);
  });
});
