import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sha256Hex } from '../../../../src/base/lib/hash.ts';
import { openDatabase } from '../../../../src/base/os/sqlite.ts';
import {
  type BatchThreadTask,
  MAX_READY_BATCHES,
  type OpenBatches,
} from '../../../../src/import/batch/batch-thread.ts';
import { contactTexts } from '../../../../src/import/batch/contact-text.ts';
import { createListBatch, cutTextBatches, type ListBatch } from '../../../../src/import/batch/cut-batches.ts';
import { createJsonWriter } from '../../../../src/import/batch/json-bytes.ts';
import { createListThread, type ListThread } from '../../../../src/import/batch/list-thread.ts';
import { finalizedTablesOf, reopenList } from '../../../../src/import/batch/reread-list.ts';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import { openInputs } from '../../../../src/import/source/open-inputs.ts';
import { surveySources } from '../../../../src/import/survey/survey.ts';
import { openPeopleTables } from '../../../../src/runs/people/people.ts';
import { countedThreads, countRunningThreads } from '../../../support/counted-threads.ts';
import { everyNth } from '../../../support/sweep.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { held } from '../held.ts';
import { NO_ANSWERS } from '../support.ts';

const SEED = '0123456789abcdef';
const SAMPLES = join(import.meta.dirname, '../../../../samples');
const { signal } = new AbortController();
const BARE: Partial<ReadingOptions> = { defaultStatus: { '*': 'subscribed' } };

/** A list after its survey: its batches as the main thread reads them, and the task for the worker thread. */
async function surveyInputs(inputs: readonly string[], answers: Partial<ReadingOptions>, size = 3) {
  const folder = tempFolder();
  const path = join(folder, 'people.db');
  const db = openDatabase(path, { create: true });
  onTestFinished(() => db.close());
  const people = openPeopleTables(db);
  const options = { ...NO_ANSWERS, ...answers };
  async function* stdin() {
    yield Buffer.from('Email\nan@x.test\nbo@x.test\n');
  }
  const { files } = await held(inputs, { cwd: folder, stdin: stdin(), folder: join(folder, 'inputs') });
  const sources = await openInputs(files);
  const reading = await surveySources(sources, options, {
    people,
    emit: () => {},
    signal,
    seed: SEED,
    listThread: createListThread(signal),
  });
  const finalized = finalizedTablesOf(reading);
  const task: BatchThreadTask = { files, people: path, options, finalized, seed: SEED, size, unchanged: undefined };
  return {
    task,
    inOrder: await Array.fromAsync(cutTextBatches(contactTexts({ survey: reading, people }, { signal }), { size })),
  };
}

function openBatches(thread: ListThread, task: BatchThreadTask): OpenBatches {
  thread.openList(task);
  return thread.batches();
}

function list(content: string): string {
  const path = join(tempFolder(), 'list.csv');
  writeFileSync(path, content);
  return path;
}

const plain = (inOrder: readonly ListBatch[]) =>
  inOrder.map(({ index, rows, body }) => ({ index, rows: [...rows], body: `${body}` }));
const numbered = (count: number) => `Email\n${Array.from({ length: count }, (_, at) => `p${at}@x.test\n`).join('')}`;

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

const DATES = 'Email,Status,Unsubscribed at,Name\n';

test.each<[string, string, Partial<ReadingOptions>]>([
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
])('reads the same batches with and without a worker thread: %s', async (_, csv, answers) => {
  const { task, inOrder } = await surveyInputs([list(csv), list('Email,Plan\nz@x.test,9\n')], answers, 1);
  expect(inOrder.length).toBeGreaterThan(0);
  expect(plain(await readInThread(task))).toEqual(plain(inOrder));
});

test('reads the copy of standard input in the worker thread', async () => {
  const { task, inOrder } = await surveyInputs(['-'], BARE);
  expect(plain(await readInThread(task))).toEqual(plain(inOrder));
  expect(inOrder[0]?.rows.length).toBe(2);
});

test('returns batches from the worker thread in order, with their rows', async () => {
  const { task, inOrder } = await surveyInputs([list(numbered(100)), join(SAMPLES, 'mailchimp-export.zip')], BARE);
  expect(inOrder.length).toBeGreaterThan(2 * MAX_READY_BATCHES);
  const open = openBatches(createListThread(signal), task);
  expect(plain(await Array.fromAsync(open.inOrder))).toEqual(plain(inOrder));
  await open.close();
});

test('returns the same batches when the thread has read the list before', async () => {
  const threads = countedThreads();
  const path = list(numbered(100));
  const { task, inOrder } = await surveyInputs([path], BARE);
  const thread = createListThread(signal);
  const file = { diskPath: path, label: 'list.csv' };
  const pieces = thread.pieces({ encoding: 'utf-8', byteDelimiter: ',', hashes: false, file });
  expect(await Array.fromAsync(pieces)).not.toHaveLength(0);
  thread.openList(task);
  expect(plain(await Array.fromAsync(thread.batches().inOrder))).toEqual(plain(inOrder));
  expect(threads()).toBe(1);
  await thread.close();
});

/** How the reading of a list ends before the list is opened again in the same list thread. */
const EARLIER_READINGS: Readonly<Record<string, (first: OpenBatches) => Promise<unknown>>> = {
  'was read': ({ inOrder }) => Array.fromAsync(inOrder),
  'was left in the middle': ({ inOrder }) => leaveInTheMiddle(inOrder),
  'was left in the middle and closed': async ({ inOrder, close }) => {
    await leaveInTheMiddle(inOrder);
    await close();
  },
  'is still being read': ({ inOrder }) => inOrder[Symbol.asyncIterator]().next(),
  'was closed unread': ({ close }) => close(),
};

async function leaveInTheMiddle(inOrder: AsyncIterable<ListBatch>): Promise<void> {
  for await (const { index } of inOrder) {
    if (index === 3) {
      return;
    }
  }
}

test.each(Object.entries(EARLIER_READINGS))(
  'returns the same batches again when the list %s (I7)',
  async (_, readFirst) => {
    const { task, inOrder } = await surveyInputs([list(numbered(100))], BARE);
    const thread = createListThread(signal);
    onTestFinished(async () => void (await thread.close()));
    await readFirst(openBatches(thread, task));
    expect(plain(await Array.fromAsync(openBatches(thread, task).inOrder))).toEqual(plain(inOrder));
  },
);

test('gives two readers of one list the same batches at the same time (I7)', async () => {
  const { task, inOrder } = await surveyInputs([list(numbered(100))], BARE);
  const thread = createListThread(signal);
  onTestFinished(async () => void (await thread.close()));
  const [first, second] = [openBatches(thread, task), openBatches(thread, task)];
  const read = await Promise.all([first, second].map((open) => Array.fromAsync(open.inOrder)));
  expect(read.map(plain)).toEqual([plain(inOrder), plain(inOrder)]);
});

test.each(['the list thread', 'each reading'])('ends all threads when %s is closed', async (closed) => {
  const { task } = await surveyInputs([list(numbered(100))], BARE);
  const running = countRunningThreads();
  const thread = createListThread(signal);
  const opened = [openBatches(thread, task), openBatches(thread, task)];
  await Promise.all(opened.map(({ inOrder }) => inOrder[Symbol.asyncIterator]().next()));
  await (closed === 'the list thread' ? thread.close() : Promise.all(opened.map(({ close }) => close())));
  expect(running()).toEqual({ started: 2, ended: 2 });
});

test('returns the same batches when they reuse the memory of sent batches', async () => {
  const { task, inOrder } = await surveyInputs([list(numbered(200))], BARE);
  const open = openBatches(createListThread(signal), task);
  const read: ListBatch[] = [];
  for await (const batch of open.inOrder) {
    read.push(createListBatch(batch.index, batch.rowNumbers, Buffer.from(batch.body)));
    open.reuse(batch);
    expect(batch.body).toHaveLength(0);
  }
  expect(plain(read)).toEqual(plain(inOrder));
  await open.close();
});

test('gives each batch the hash of its own bytes when memory is reused (I11)', async () => {
  const { task } = await surveyInputs([list(numbered(200))], BARE);
  const open = openBatches(createListThread(signal), task);
  for await (const batch of open.inOrder) {
    // Other memory with the same bytes has no recorded hash.
    expect(sha256Hex(batch.body)).toBe(sha256Hex(Buffer.from(batch.body)));
    open.reuse(batch);
  }
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
