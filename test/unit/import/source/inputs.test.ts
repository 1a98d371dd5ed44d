import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../../src/base/events.ts';
import { createListThread } from '../../../../src/import/batch/list-thread.ts';
import { openInputs } from '../../../../src/import/source/open-inputs.ts';
import { surveySources } from '../../../../src/import/survey/survey.ts';
import { openPeopleTables } from '../../../../src/runs/people/people.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { held } from '../held.ts';
import { NO_ANSWERS } from '../support.ts';

async function surveyFile(path: string, signal = new AbortController().signal) {
  const { files } = await held([path], { cwd: process.cwd(), folder: tempFolder() });
  const sources = await openInputs(files);
  const events: RunEvent[] = [];
  const people = openPeopleTables(new DatabaseSync(':memory:'));
  const reading = await surveySources(sources, NO_ANSWERS, {
    people,
    emit: (event) => events.push(event),
    signal,
    seed: '00',
    listThread: createListThread(signal),
  });
  return { reading, events };
}

test('reads the Mailchimp sample from its ZIP without a stop', async () => {
  const { reading } = await surveyFile('samples/mailchimp-export.zip');
  const { contacts, unsubscribed, suppressions, rows, findings } = reading;
  expect({ contacts, unsubscribed, suppressions, rows }).toEqual({
    contacts: 33,
    unsubscribed: 9,
    suppressions: { bounced: 5 },
    rows: { read: 43, rejected: 0, merged: 2, skipped: { no_consent: 3 } },
  });
  expect(findings.filter(({ level }) => level === 'stop')).toEqual([]);
  expect(reading.engagement).toEqual(['MEMBER_RATING']);
});

test('reports the hash and row count of an input, and its bytes as progress', async () => {
  const { reading, events } = await surveyFile('samples/kit.csv');
  expect(reading.inputs).toMatchObject([{ path: 'samples/kit.csv', name: 'kit.csv', platform: 'kit', rows: 6 }]);
  const bytes = readFileSync('samples/kit.csv');
  expect(reading.inputs[0]?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  const [phase] = events;
  const total = bytes.length;
  expect([phase, events.at(-1)]).toEqual([
    { type: 'phase', phase: 'survey', total, unit: 'bytes' },
    { type: 'progress', phase: 'survey', done: total, rows: 6 },
  ]);
});

test('throws the reason of the signal when it aborts the survey', async () => {
  const stopper = new AbortController();
  stopper.abort(new Error('interrupted'));
  await expect(surveyFile('samples/kit.csv', stopper.signal)).rejects.toThrow('interrupted');
});
