import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../../src/base/os/sqlite.ts';
import type { BatchThreadTask } from '../../../../src/import/batch/batch-thread.ts';
import { contactTexts } from '../../../../src/import/batch/contact-text.ts';
import { cutTextBatches, type ListBatch } from '../../../../src/import/batch/cut-batches.ts';
import { createListThread } from '../../../../src/import/batch/list-thread.ts';
import { finalizedTablesOf } from '../../../../src/import/batch/reread-list.ts';
import type { ReadingOptions } from '../../../../src/import/mapping/reading-answers.ts';
import { openInputs } from '../../../../src/import/source/open-inputs.ts';
import { surveySources } from '../../../../src/import/survey/survey.ts';
import { openPeopleTables } from '../../../../src/runs/people/people.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { held } from '../held.ts';
import { NO_ANSWERS } from '../support.ts';

const SEED = '0123456789abcdef';
const { signal } = new AbortController();

/** A list after its survey: its batches as the main thread reads them, and the task for the worker thread. */
export async function surveyInputs(inputs: readonly string[], answers: Partial<ReadingOptions>, size = 3) {
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

/** Writes a list into a file. Returns its path. */
export function list(content: string): string {
  const path = join(tempFolder(), 'list.csv');
  writeFileSync(path, content);
  return path;
}

/** Batches as plain values, to compare. */
export const plain = (inOrder: readonly ListBatch[]) =>
  inOrder.map(({ index, rows, body }) => ({ index, rows: [...rows], body: `${body}` }));

/** A list of this many people. */
export const numbered = (count: number) =>
  `Email\n${Array.from({ length: count }, (_, at) => `p${at}@x.test\n`).join('')}`;
