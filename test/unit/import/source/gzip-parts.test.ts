import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { everyNth } from '../../../support/sweep.ts';
import { createWorld } from '../../../support/world.ts';

// svc reads a packed file in pieces of this size.
const PIECE = 64 * 1024;
const REST = "a.csv.gz: after the gzip data come zero bytes, and then more data that svc can't read";

/** A packed list of one row that has exactly this many bytes. Its bytes are stored as they are. */
function packedList(size: number): Buffer {
  for (let length = Math.max(0, size - 200); ; length += 1) {
    const packed = gzipSync(`Email,Note\na@x.test,${'y'.repeat(length)}\n`, { level: 0 });
    if (packed.length >= size) {
      return packed;
    }
  }
}

async function dryRun(...parts: readonly Buffer[]) {
  const world = await createWorld();
  world.file('a.csv.gz', Buffer.concat(parts));
  return world.svc('migrate a.csv.gz --default-status subscribed --dry-run --json');
}

// The zeros begin inside a piece, at its end, or in the next one. Each size meets two or one of the numbers of zeros.
const ZEROS = [1, 512, PIECE - 1, PIECE, 3 * PIECE];
const SIZES = [200, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE];

test.each(SIZES)('refuses data behind zeros after %i bytes of gzip, and ignores zeros', async (size) => {
  const first = packedList(size);
  expect(first.length).toBe(size);
  const second = gzipSync('b@x.test,unsubscribed\n');
  const together = await dryRun(first, second);
  expect([together.code, together.json.rows.read]).toEqual([0, 2]);
  for (const length of everyNth(ZEROS, 3, SIZES.indexOf(size))) {
    const padded = await dryRun(first, Buffer.alloc(length));
    expect([length, padded.code, padded.json.rows.read]).toEqual([length, 0, 1]);
    for (const rest of [second, Buffer.from('x')]) {
      const { code, out, err } = await dryRun(first, Buffer.alloc(length), rest);
      expect([length, code, out, JSON.parse(err).error]).toMatchObject([length, 2, '', { code: 'input_unreadable' }]);
      expect([REST, 'a.csv.gz: the gzip data is damaged or cut off']).toContain(JSON.parse(err).error.message);
    }
  }
});
