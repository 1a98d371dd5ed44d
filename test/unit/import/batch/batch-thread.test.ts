import { on } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { sha256Hex } from '../../../../src/base/lib/hash.ts';
import {
  type BatchThreadTask,
  MAX_READY_BATCHES,
  type OpenBatches,
  receiveBatches,
} from '../../../../src/import/batch/batch-thread.ts';
import { contactTexts } from '../../../../src/import/batch/contact-text.ts';
import { createListBatch, cutTextBatches, type ListBatch } from '../../../../src/import/batch/cut-batches.ts';
import { createJsonWriter } from '../../../../src/import/batch/json-bytes.ts';
import { createListThread, type ListThread } from '../../../../src/import/batch/list-thread.ts';
import { createBatchPoster } from '../../../../src/import/batch/post-batches.ts';
import { reopenList } from '../../../../src/import/batch/reread-list.ts';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import { countedThreads, countRunningThreads } from '../../../support/counted-threads.ts';
import { everyNth } from '../../../support/sweep.ts';
import { list, numbered, plain, surveyInputs } from './surveyed-list.ts';

const SAMPLES = join(import.meta.dirname, '../../../../samples');
const { signal } = new AbortController();
const BARE: Partial<ReadingOptions> = { defaultStatus: { '*': 'subscribed' } };

function openBatches(thread: ListThread, task: BatchThreadTask): OpenBatches {
  thread.openList(task);
  return thread.batches();
}

async function openedAgain(task: BatchThreadTask): Promise<ListBatch[]> {
  const again = await reopenList(task);
  try {
    return await Array.fromAsync(cutTextBatches(contactTexts(again, { signal }), task));
  } finally {
    again.close();
  }
}

/** The batches as the worker thread reads them, from a copy of the task that it gets in a message. */
async function readInThread(task: BatchThreadTask): Promise<ListBatch[]> {
  const threads = countedThreads();
  const open = openBatches(createListThread(signal), task);
  const inOrder = await Array.fromAsync(open.inOrder);
  await open.close();
  expect(threads()).toBe(1);
  return inOrder;
}

test.each(everyNth(globSync('**/*.{csv,zip}', { cwd: SAMPLES }).sort(), 3))(
  'reads the same batches when the list is opened again: %s',
  async (name) => {
    const { task, inOrder } = await surveyInputs([join(SAMPLES, name)], BARE);
    expect(plain(await openedAgain(task))).toEqual(plain(inOrder));
  },
);

/** The batches as the code of the thread posts them, from a copy of the task. It starts no thread, which takes long. */
async function readThroughPorts(task: BatchThreadTask): Promise<ListBatch[]> {
  const { port1, port2 } = new MessageChannel();
  const running = { thread: port2 as never, messages: on(port2, 'message', { signal, close: ['close'] }) };
  const open = receiveBatches(running, { signal, close: async () => port2.close() });
  const post = await createBatchPoster(port1, structuredClone(task));
  const [inOrder] = await Promise.all([Array.fromAsync(open.inOrder), post()]);
  await open.close();
  return inOrder;
}

const DATES = 'Email,Status,Unsubscribed at,Name\n';

const LISTS: readonly (readonly [what: string, csv: string, answers: Partial<ReadingOptions>])[] = [
  [
    'the order of day and month',
    `${DATES}a@x.test,unsubscribed,03/04/2024,A\nb@x.test,unsubscribed,13/04/2024,B\n`,
    {},
  ],
  ['a status column with blanks only', 'Email,Status\na@x.test,\nb@x.test,\n', BARE],
  ['the answer for a blank status', 'Email,Status\na@x.test,\nb@x.test,active\n', { statusMap: { '': 'subscribed' } }],
  [
    'people in several rows',
    'Email,Plan,Status\na@x.test,1,active\nA@x.test,,active\nb@x.test,2,active\nb@x.test,,complained\n',
    {},
  ],
  ['rows that are rejected', 'Email,Plan\na@x.test,1\nnobody,2\nb@x.test,3,4\n', BARE],
  [
    'a second header (C9)',
    'Email,Status\na@x.test,active\nEmail,Opt-out\nb@x.test,active\n',
    { ...BARE, allowJoinedFiles: true },
  ],
  [
    'a column that is blank in the first 50 rows (C10)',
    `Email,Status,No\n${'a@x.test,active,\n'.repeat(55)}b@x.test,active,x\nc@x.test,active,\n`,
    { ...BARE, statusMap: { 'No:x': 'skip' } },
  ],
  [
    'a bounce below the first 50 rows (C10)',
    `Email,Status,Delivery status\n${'a@x.test,active,\n'.repeat(55)}b@x.test,active,bounce\nc@x.test,active,\n`,
    {},
  ],
  ['addresses that languages trim differently', 'Email\nk@x.test\n\u212a@x.test\nm@x.test\n', BARE],
];

// A thread has modules of its own. Starting one takes long, so some of the lists are read in one.
const IN_THREAD = new Set(everyNth(LISTS, 5));

test.each(LISTS.map((one) => [one[0], one] as const))(
  'reads the same batches with and without a worker thread: %s',
  async (_, one) => {
    const [, csv, answers] = one;
    const { task, inOrder } = await surveyInputs([list(csv), list('Email,Plan\nz@x.test,9\n')], answers, 1);
    expect(inOrder.length).toBeGreaterThan(0);
    expect(plain(await readThroughPorts(task))).toEqual(plain(inOrder));
    if (IN_THREAD.has(one)) {
      expect(plain(await readInThread(task))).toEqual(plain(inOrder));
    }
  },
);

test('returns the same batches when the thread has read the list before', async () => {
  const threads = countedThreads();
  const path = list(numbered(100));
  // Also from a zip archive, and from the copy of standard input.
  const { task, inOrder } = await surveyInputs([path, join(SAMPLES, 'mailchimp-export.zip'), '-'], BARE);
  expect(inOrder.length).toBeGreaterThan(2 * MAX_READY_BATCHES);
  expect(`${inOrder.at(-1)?.body}`).toContain('bo@x.test');
  const thread = createListThread(signal);
  const file = { diskPath: path, label: 'list.csv' };
  const pieces = thread.pieces({ encoding: 'utf-8', byteDelimiter: ',', hashes: false, file });
  expect(await Array.fromAsync(pieces)).not.toHaveLength(0);
  thread.openList(task);
  expect(plain(await Array.fromAsync(thread.batches().inOrder))).toEqual(plain(inOrder));
  expect(threads()).toBe(1);
  await thread.close();
});

/** How a list can be read before it is opened again in the same list thread. Returns what was read. */
const EARLIER_READINGS: readonly (readonly [
  how: string,
  batches: number,
  read: (earlier: OpenBatches) => Promise<readonly ListBatch[]>,
])[] = [
  ['was read', Number.POSITIVE_INFINITY, ({ inOrder }) => Array.fromAsync(inOrder)],
  ['was left in the middle', 4, ({ inOrder }) => leaveInTheMiddle(inOrder)],
  [
    'was left in the middle and closed',
    4,
    async ({ inOrder, close }) => {
      const read = await leaveInTheMiddle(inOrder);
      await close();
      return read;
    },
  ],
  ['was closed unread', 0, async ({ close }) => close().then(() => [])],
];

async function leaveInTheMiddle(inOrder: AsyncIterable<ListBatch>): Promise<readonly ListBatch[]> {
  const read: ListBatch[] = [];
  for await (const batch of inOrder) {
    read.push(batch);
    if (batch.index === 3) {
      break;
    }
  }
  return read;
}

// Each reading comes after all readings above it, because each of them starts a thread, which takes long.
test('returns the same batches again when the list was read before (I7)', async () => {
  const { task, inOrder } = await surveyInputs([list(numbered(100))], BARE);
  const running = countRunningThreads();
  const thread = createListThread(signal);
  onTestFinished(async () => void (await thread.close()));
  for (const [how, batches, readEarlier] of EARLIER_READINGS) {
    const read = await readEarlier(openBatches(thread, task));
    expect([how, plain(read)]).toEqual([how, plain(inOrder.slice(0, batches))]);
  }
  expect(plain(await Array.fromAsync(openBatches(thread, task).inOrder))).toEqual(plain(inOrder));
  await thread.close();
  expect(running()).toEqual({ started: 5, ended: 5 });
});

test('gives two readers of one list the same batches at the same time (I7)', async () => {
  const { task, inOrder } = await surveyInputs([list(numbered(100))], BARE);
  const running = countRunningThreads();
  const thread = createListThread(signal);
  onTestFinished(async () => void (await thread.close()));
  const opened = [openBatches(thread, task), openBatches(thread, task)];
  const read = await Promise.all(opened.map((open) => Array.fromAsync(open.inOrder)));
  expect(read.map(plain)).toEqual([plain(inOrder), plain(inOrder)]);
  await opened[0]?.close();
  expect(running()).toEqual({ started: 2, ended: 1 });
  await opened[1]?.close();
  expect(running()).toEqual({ started: 2, ended: 2 });
});

test('ends the thread of a reading that is closed in the middle', async () => {
  const { task } = await surveyInputs([list(numbered(100))], BARE);
  const running = countRunningThreads();
  const thread = createListThread(signal);
  onTestFinished(async () => void (await thread.close()));
  const open = openBatches(thread, task);
  await open.inOrder[Symbol.asyncIterator]().next();
  await open.close();
  expect(running()).toEqual({ started: 1, ended: 1 });
});

test('gives each batch the hash of its own bytes when memory is reused (I11)', async () => {
  const { task, inOrder } = await surveyInputs([list(numbered(200))], BARE);
  const open = openBatches(createListThread(signal), task);
  const read: ListBatch[] = [];
  for await (const batch of open.inOrder) {
    // Other memory with the same bytes has no recorded hash.
    expect(sha256Hex(batch.body)).toBe(sha256Hex(Buffer.from(batch.body)));
    read.push(createListBatch(batch.index, batch.rowNumbers, Buffer.from(batch.body)));
    open.reuse(batch);
    expect(batch.body).toHaveLength(0);
  }
  expect(plain(read)).toEqual(plain(inOrder));
  await open.close();
});

test('writes a body into reusable memory when it has room for the body', () => {
  const writer = createJsonWriter();
  const bodyIn = (reusable: ArrayBuffer[]) => {
    writer.writeString('Zed Roy');
    return writer.take(reusable);
  };
  const [large, small] = [new ArrayBuffer(100), new ArrayBuffer(8)];
  expect(bodyIn([large]).buffer).toBe(large);
  expect(bodyIn([small]).buffer).not.toBe(small);
  for (const reusable of [[large], [small], []]) {
    expect(bodyIn(reusable).toString()).toBe('"Zed Roy"');
    expect(reusable).toEqual([]);
  }
});

test('fails when the worker thread cannot open the list', async () => {
  const { task } = await surveyInputs([list(numbered(9))], BARE);
  const open = openBatches(createListThread(signal), {
    ...task,
    files: [{ path: 'gone.csv', diskPath: '/gone.csv', isCopy: true }],
  });
  await expect(Array.fromAsync(open.inOrder)).rejects.toMatchObject({ code: 'state_damaged', exit: 1 });
  await open.close();
});

test('fails, instead of ending the list, when the worker thread throws', async () => {
  const { task } = await surveyInputs([list(numbered(9))], BARE);
  const open = openBatches(createListThread(signal), { ...task, size: Number.NaN, options: undefined as never });
  await expect(Array.fromAsync(open.inOrder)).rejects.toThrow(TypeError);
  await open.close();
});

test('fails, instead of ending the list, when the worker thread is killed', async () => {
  const { task } = await surveyInputs([list(numbered(100))], BARE);
  const open = openBatches(createListThread(signal), task);
  const inOrder = open.inOrder[Symbol.asyncIterator]();
  await inOrder.next();
  await open.close();
  const rest = async () => {
    while (!(await inOrder.next()).done) {
      // Batches that the worker sent before its end may still arrive.
    }
  };
  await expect(rest()).rejects.toThrow('ended before the list');
});

test('fails with the reason of the abort when the signal aborts', async () => {
  const { task } = await surveyInputs([list(numbered(100))], BARE);
  const stop = new AbortController();
  const open = openBatches(createListThread(stop.signal), task);
  const inOrder = open.inOrder[Symbol.asyncIterator]();
  await inOrder.next();
  stop.abort(new Error('enough'));
  await expect(inOrder.next()).rejects.toThrow('enough');
  await open.close();
});

test('starts no worker thread when the signal was aborted before', async () => {
  const { task } = await surveyInputs([list(numbered(9))], BARE);
  const threads = countedThreads();
  expect(() => openBatches(createListThread(AbortSignal.abort(new Error('enough'))), task)).toThrow('enough');
  expect(threads()).toBe(0);
});
