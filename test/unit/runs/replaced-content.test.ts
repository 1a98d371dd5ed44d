import { expect, test } from 'vitest';
import { isContentReplaced } from '../../../src/runs/find/same-audience.ts';
import type { RunSummary } from '../../../src/runs/find/summarize-run.ts';
import type { RunHeader } from '../../../src/runs/store/run-header.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 2, 10);

interface Wrote {
  readonly list: string;
  readonly hoursAgo?: number;
  readonly audience?: string | undefined;
  readonly origin?: string;
  readonly hasSent?: boolean;
  readonly run?: string;
  readonly command?: string;
  readonly options?: object;
  readonly reading?: object;
}

function headerOf({
  list,
  audience = 'aud_1',
  origin = 'https://a.test',
  run = 'run_x',
  command = 'migrate',
  options,
  reading,
}: Wrote): RunHeader {
  return {
    ...{ run, origin, command, inputs: [{ sha256: list }], destination: { kind: 'audience', id: audience } },
    options: {
      explicitStatus: false,
      batchSize: 1000,
      reading: { map: [], savedColumns: [1], ...reading },
      ...options,
    },
  } as unknown as RunHeader;
}

/** A run of this machine that sent a list. */
function runOf(wrote: Wrote): RunSummary {
  const { hoursAgo = 1, hasSent = true } = wrote;
  const header = headerOf(wrote);
  return {
    run: header.run,
    origin: header.origin,
    header,
    hasSent,
    lastSentAt: NOW - hoursAgo * HOUR,
  } as unknown as RunSummary;
}

const A = { list: 'a' };
const B = { list: 'b' };

test.each<[what: string, runs: readonly Wrote[], isReplaced: boolean]>([
  ['no run', [], false],
  ['the same list', [A], false],
  ['another list', [B], false],
  ['the same list twice', [A, A], false],
  ['another list twice', [B, B], false],
  ['another list, and the same one before', [B, A], true],
  ['the same list, and another one before', [A, B], false],
  ['another list, and a third one before', [B, { list: 'c' }], true],
  ['another list to another audience', [{ ...B, audience: 'aud_2' }, A], false],
  ['the same list to another audience', [B, { ...A, audience: 'aud_2' }], false],
  ['another list to another service', [{ ...B, origin: 'https://b.test' }, A], false],
  ['another list that was not sent', [{ ...B, hasSent: false }, A], false],
  ['this run itself', [{ ...B, run: 'run_new' }, A], false],
  ['the same list less than two days ago', [B, { ...A, hoursAgo: 47.999 }], true],
  ['the same list two days ago', [B, { ...A, hoursAgo: 48 }], false],
  ['the same list, by another command', [{ ...A, command: 'contacts import' }, A], true],
  ['the same list, with other answers', [{ ...A, reading: { map: ['a=b'] } }, A], true],
  ['the same list, with --explicit-status', [{ ...A, options: { explicitStatus: true } }, A], true],
  ['the same list, in other batches', [{ ...A, options: { batchSize: 10 } }, A], true],
  ['the same list, with other saved columns', [{ ...A, reading: { savedColumns: [2] } }, A], false],
])('earlier lists decide whether a run needs new idempotency keys: %s (I7)', (_, runs, isReplaced) => {
  const header = headerOf({ ...A, run: 'run_new' });
  expect(isContentReplaced(runs.map(runOf), header, NOW)).toBe(isReplaced);
});

test('an automation or a first list needs no new idempotency keys (I7)', () => {
  const never = runs([{ ...B }, A]).map((run) => ({ ...run, lastSentAt: undefined }));
  expect(isContentReplaced(never, headerOf({ ...A, run: 'run_new' }), NOW)).toBe(false);
  const automation = { ...headerOf({ ...A, run: 'run_new' }), destination: { kind: 'automation', id: 'aut_1' } };
  expect(isContentReplaced(runs([B, A]), automation as unknown as RunHeader, NOW)).toBe(false);
});

function runs(all: readonly Wrote[]): RunSummary[] {
  return all.map(runOf);
}
