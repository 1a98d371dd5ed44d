import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createListThread, type ListThread, withListThread } from '../../../../src/import/batch/list-thread.ts';
import type { ByteCut } from '../../../../src/import/rows/byte-cut.ts';
import { PIECES_AHEAD } from '../../../../src/import/rows/piece-thread.ts';
import { type CutOptions, type Piece, piecesOf } from '../../../../src/import/rows/pieces.ts';
import { openInputs } from '../../../../src/import/source/open-inputs.ts';
import { fileBytes } from '../../../../src/import/source/read-file.ts';
import { surveySources } from '../../../../src/import/survey/survey.ts';
import { countedThreads } from '../../../support/counted-threads.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { held } from '../held.ts';
import { NO_ANSWERS, readList } from '../support.ts';

const OPTIONS: CutOptions = {
  encoding: 'utf-8',
  byteDelimiter: ',',
  marks: { roles: Uint8Array.of(4, 1, 3), groupsEnd: 2, seed: '0123456789abcdef' },
  hashes: true,
};

function written(content: string | Buffer): string {
  const path = join(tempFolder(), 'list.csv');
  writeFileSync(path, content);
  return path;
}

function started(signal = new AbortController().signal): ListThread {
  const thread = createListThread(signal);
  thread.startForLongList([Number.POSITIVE_INFINITY]);
  onTestFinished(async () => {
    await thread.close();
  });
  return thread;
}

/** A piece as values that stay valid. */
function copyOf({ decoded, byteCount, isLast, sha256, cut }: Piece) {
  const { text, badBytes, isClean, lines } = decoded;
  return { text, badBytes, isClean, lines: lines?.toString('latin1'), byteCount, isLast, sha256, cut: plain(cut()) };
}

function plain(cut: ByteCut | undefined) {
  return (
    cut && {
      ...cut,
      offsets: bytesOf(cut.offsets.subarray(0, 2 * (cut.starts.at(-1) as number))),
      starts: bytesOf(cut.starts),
      summaries: cut.summaries && bytesOf(cut.summaries),
    }
  );
}

/** The bytes of numbers as one text. It is compared at once, and an array takes a comparison for each number. */
function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

async function copiesOf(pieces: AsyncIterable<Piece>) {
  const copies = [];
  for await (const piece of pieces) {
    copies.push(copyOf(piece));
  }
  return copies;
}

const line = (index: number) =>
  `person${index}@example.com,"note ${index}, é",${index % 7 === 0 ? 'unsubscribed' : ''}\n`;
const lines = (count: number) => Array.from({ length: count }, (_, index) => line(index)).join('');
// More text than the thread may read ahead.
const LONG = lines(PIECES_AHEAD * 2_500);

// One thread for all lists, because a start takes longer than a list. Nothing of a list may be left for the next.
describe('a thread that reads list after list', () => {
  let thread: ListThread;
  beforeAll(() => {
    thread = createListThread(new AbortController().signal);
  });
  afterAll(() => thread.close());

  test.each<[string, string | Buffer]>([
    ['a long list', `Email,Note,Status\n${LONG}`],
    ['a list without a line ending at the end', `Email,Note,Status\n${LONG}ana@example.com,,`],
    ['a quoted cell that is longer than a piece', `Email,Note,Status\na@x.test,"${'word\n'.repeat(60_000)}",\n${LONG}`],
    ['a row that is longer than a piece', `Email,Note,Status\na@x.test,${'word '.repeat(60_000)},\n${LONG}`],
    ['a byte that is not UTF-8', Buffer.concat([Buffer.from(LONG), Buffer.of(0xe9), Buffer.from(LONG)])],
    ['a NUL', `${LONG}a\0b,,\n${LONG}`],
    ['byte order marks', `\ufeff${LONG}\ufeff${LONG}`],
    ['rows of different lengths', `${LONG}a@x.test\n${lines(9)}a@x.test,,,\n`],
    ['an empty file', ''],
  ])('cuts the same pieces in a thread as without one: %s', async (_, content) => {
    const diskPath = written(content);
    const expected = await copiesOf(piecesOf(fileBytes({ diskPath, label: 'list.csv' }), OPTIONS));
    const task = { ...OPTIONS, file: { diskPath, label: 'list.csv' } };
    expect(await copiesOf(thread.pieces(task))).toEqual(expected);
    // The thread reads a second file too, with nothing left from the first.
    expect(await copiesOf(thread.pieces(task))).toEqual(expected);
    expect(expected.at(-1)?.sha256).toHaveLength(64);
  });
});

test('reports the usual error when the thread can not read the file (D7)', async () => {
  const diskPath = join(tempFolder(), 'gone.csv');
  const file = { diskPath, label: 'gone.csv' };
  await expect(copiesOf(started().pieces({ ...OPTIONS, file }))).rejects.toMatchObject({ code: 'input_unreadable' });
  const copy = { diskPath: written(LONG), label: 'list.csv', isCopy: true, size: 3 };
  await expect(copiesOf(started().pieces({ ...OPTIONS, file: copy }))).rejects.toMatchObject({ code: 'state_damaged' });
});

test('fails when the thread throws or ends before the list', async () => {
  const file = { diskPath: written(LONG), label: 'list.csv' };
  const broken = started().pieces({ ...OPTIONS, encoding: 5 as never, file });
  await expect(copiesOf(broken)).rejects.toThrow('Encoding not recognized');
  const thread = started();
  const pieces = thread.pieces({ ...OPTIONS, file });
  await pieces.next();
  await thread.close();
  await expect(copiesOf(pieces)).rejects.toThrow('ended before the list');
});

test('ends the thread when the caller stops early', async () => {
  const task = { ...OPTIONS, file: { diskPath: written(LONG), label: 'list.csv' } };
  const thread = started();
  const pieces = thread.pieces(task);
  await pieces.next();
  await pieces.return(undefined);
  expect(thread.isRunning()).toBe(false);
});

test('stops with the reason of the signal when the signal aborts', async () => {
  const controller = new AbortController();
  const pieces = started(controller.signal).pieces({
    ...OPTIONS,
    file: { diskPath: written(LONG), label: 'list.csv' },
  });
  await pieces.next();
  controller.abort(new Error('enough'));
  await expect(copiesOf(pieces)).rejects.toThrow('enough');
});

test('starts no thread when the signal was aborted before the start', () => {
  const threads = countedThreads();
  expect(() => started(AbortSignal.abort(new Error('enough')))).toThrow('enough');
  expect(threads()).toBe(0);
});

test('runs the event loop between pieces when the reader is slow', async () => {
  let sinceTurn = 0;
  const turn = () => {
    sinceTurn = 0;
    turning = setImmediate(turn);
  };
  let turning = setImmediate(turn);
  onTestFinished(() => clearImmediate(turning));
  const slowWork = Buffer.alloc(2 ** 20);
  let longest = 0;
  for await (const _ of started().pieces({
    ...OPTIONS,
    file: { diskPath: written(LONG.repeat(4)), label: 'list.csv' },
  })) {
    sinceTurn++;
    longest = Math.max(longest, sinceTurn);
    createHash('sha256').update(slowWork).digest();
  }
  expect(longest).toBeLessThanOrEqual(PIECES_AHEAD);
});

// 17 MB in few rows, with cells that the survey reads fast.
const WIDE = `${'a'.repeat(1_900)},`.repeat(5);
const LARGE = [
  `${'About,'.repeat(5)}Email,Note,Status\n`,
  ...Array.from({ length: 1_800 }, (_, index) => WIDE + line(index)),
  `${WIDE}person8@example.com,again,unsubscribed\n`,
].join('');

async function surveyOnDisk(path: string, dryRun: boolean, onBytes = () => {}) {
  const cwd = tempFolder();
  const { files } = await held([path], { cwd, folder: join(cwd, 'inputs'), dryRun });
  const { people } = await readList({ 'list.csv': 'Email\na@x.test\n' });
  const { signal } = new AbortController();
  const sources = await openInputs(files);
  return withListThread(signal, (listThread) =>
    surveySources(sources, NO_ANSWERS, { people, emit: onBytes, signal, seed: '00', listThread }),
  );
}

test('surveys a large file in a thread with the same result as without (D6)', async () => {
  const { reading } = await readList({ 'list.csv': LARGE });
  const threads = countedThreads();
  for (const dryRun of [false, true]) {
    const onDisk = await surveyOnDisk(written(LARGE), dryRun);
    expect({ ...onDisk.rows, suppressions: onDisk.suppressions }).toEqual({
      ...reading.rows,
      suppressions: reading.suppressions,
    });
    expect(onDisk.inputs.map(({ sha256, values }) => ({ sha256, values }))).toEqual(
      reading.inputs.map(({ sha256, values }) => ({ sha256, values })),
    );
    expect(threads()).toBe(dryRun ? 2 : 1);
    expect([onDisk.contacts, onDisk.list, onDisk.preview]).toEqual([reading.contacts, reading.list, reading.preview]);
  }
});

test('stops a dry run when the file changes while a thread reads it (D7)', async () => {
  const path = written(LARGE);
  let isChanged = false;
  const change = () => {
    if (!isChanged) {
      isChanged = true;
      writeFileSync(path, `${LARGE}${WIDE}late@example.com,,\n`);
    }
  };
  await expect(surveyOnDisk(path, true, change)).rejects.toMatchObject({ code: 'input_changed' });
});
