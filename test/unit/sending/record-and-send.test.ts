import { describe, expect, test } from 'vitest';
import type { KeySource, WriteOutcome } from '../../../src/api/retry/key-source.ts';
import { EXIT, SvcError } from '../../../src/base/lib/errors.ts';
import { createInterruption } from '../../../src/base/lib/interruption.ts';
import type { Journal } from '../../../src/runs/store/journal.ts';
import type { RecordedRequest, RequestState } from '../../../src/runs/store/recorded-request.ts';
import {
  countsAsFailed,
  joinSendResults,
  lacksResponseUnder,
  NOTHING_SENT,
  noResponseError,
  type RecordableRequest,
  recordAndSend,
  recordOutcome,
  recordWithoutResponse,
  rowsToRecord,
  sendResultOf,
} from '../../../src/sending/record-and-send.ts';

const ROWS = [2, 3, 5].map((line) => ({ input: 0, line })) as unknown as RecordableRequest<unknown>['rows'];
const INTENT = { key: 'key-1', keyVersion: 1, firstSentAt: 1_000 };

/** A journal that only notes what is recorded. */
function journalOf() {
  const calls: unknown[][] = [];
  const requests = {
    recordIntent: (intent: unknown) => calls.push(['recordIntent', intent]) + 6,
    replaceKey: (...parts: unknown[]) => calls.push(['replaceKey', ...parts]),
    recordOutcome: (...parts: unknown[]) => calls.push(['recordOutcome', ...parts]),
  };
  return { calls, journal: { requests } as unknown as Journal };
}

function earlierRequest(state: RequestState, keyVersion = 4): RecordedRequest {
  return {
    ...{ id: 31, kind: 'contacts', name: '7', key: `key-${keyVersion}`, rows: 3 },
    keyVersion,
    firstSentAt: 500,
    state,
    response: undefined,
  };
}

/** Sends a request whose attempts do what `act` says. Returns what was recorded, and the source of its keys. */
async function send(
  earlier?: RecordedRequest,
  more: Partial<RecordableRequest<string>> = {},
  act?: (keys: KeySource) => void,
) {
  const { calls, journal } = journalOf();
  const { signal } = new AbortController();
  let seen: { keySource: KeySource; signal: AbortSignal } | undefined;
  const outcome: WriteOutcome<string> = { kind: 'accepted', value: 'ok' } as WriteOutcome<string>;
  const result = await recordAndSend<string>(
    { journal, signal },
    {
      ...{ kind: 'contacts', name: '7.0', rows: ROWS, keyForVersion: (version) => `key-${version}` },
      post: (options) => {
        seen = options as typeof seen;
        act?.(options.keySource);
        return Promise.resolve(outcome);
      },
      ...more,
    },
    earlier,
  );
  expect(result.outcome).toBe(outcome);
  expect(seen?.signal).toBe(signal);
  return { calls, id: result.id, keys: seen?.keySource as KeySource };
}

describe('a request that the journal records', () => {
  test('records the key of a request once, before the key is used (I2, I9)', async () => {
    const { calls, id, keys } = await send(undefined, {}, ({ beforeNewKey }) => {
      beforeNewKey(INTENT);
      beforeNewKey({ ...INTENT, key: 'key-2', keyVersion: 2 });
    });
    expect(id).toBe(7);
    expect(calls).toEqual([
      ['recordIntent', { kind: 'contacts', name: '7.0', rows: 3, ...INTENT }],
      ['replaceKey', 7, { ...INTENT, key: 'key-2', keyVersion: 2 }],
    ]);
    expect([keys.keyVersion, keys.firstSentAt, keys.outcomeUnknown, keys.keyForVersion(3)]).toEqual([
      0,
      undefined,
      false,
      'key-3',
    ]);
    expect([keys.noteSentByOtherMachine, keys.beforeAttempt, keys.isStale]).toEqual([undefined, undefined, undefined]);
  });

  test.each<[state: RequestState, isUnknown: boolean]>([
    ['pending', true],
    ['doubt', true],
    ['done', false],
    ['refused', false],
  ])('continues an earlier request in the state %s, outcome unknown: %s (I2)', async (state, isUnknown) => {
    const { calls, id, keys } = await send(earlierRequest(state), {}, ({ beforeNewKey }) => void beforeNewKey(INTENT));
    expect([id, keys.keyVersion, keys.firstSentAt, keys.outcomeUnknown]).toEqual([31, 4, 500, isUnknown]);
    expect(calls).toEqual([['replaceKey', 31, INTENT]]);
  });

  test('passes hooks on, and returns no request number when nothing was sent', async () => {
    const ids: unknown[] = [];
    const beforeAttempt = () => Promise.resolve();
    const isStale = () => true;
    const more = { beforeAttempt, isStale, noteSentElsewhere: (id: number | undefined) => void ids.push(id) };
    const { id, keys } = await send(undefined, more, (source) => {
      source.noteSentByOtherMachine?.();
      source.beforeNewKey(INTENT);
      source.noteSentByOtherMachine?.();
    });
    expect([id, ids, keys.beforeAttempt, keys.isStale]).toEqual([7, [undefined, 7], beforeAttempt, isStale]);
    expect((await send()).id).toBeUndefined();
  });

  test('counts each row only in the request that records its outcome (L5)', async () => {
    const isCounted = ({ line }: { readonly line: number }) => line > 2;
    const { calls } = await send(undefined, { isCounted }, ({ beforeNewKey }) => void beforeNewKey(INTENT));
    expect(calls).toMatchObject([['recordIntent', { rows: 2 }]]);
    expect(rowsToRecord({ rows: ROWS })).toBe(ROWS);
    expect(rowsToRecord({ rows: ROWS, isCounted })).toEqual(Array.from(ROWS).slice(1));
  });

  test.each<[state: RequestState | undefined, version: number, lacksResponse: boolean]>([
    [undefined, 4, false],
    ['pending', 4, true],
    ['doubt', 4, true],
    ['pending', 5, false],
    ['doubt', 5, false],
    ['done', 4, false],
    ['refused', 4, false],
  ])('says whether a key lacks a response: state %s, key version %i: %s (I2)', (state, version, lacksResponse) => {
    const earlier = state && { ...earlierRequest(state), keyVersion: version };
    expect(lacksResponseUnder(earlier, (other) => `key-${other}`)).toBe(lacksResponse);
  });
});

const NO_EFFECT = {
  replayed: false,
  created: 0,
  updated: 0,
  alreadySuppressed: 0,
  failures: [],
  status: 0,
  hadNoEffect: true,
};

test.each<[unknown: boolean, hadNoEffect: boolean | undefined, recorded: unknown[]]>([
  [true, undefined, ['recordOutcome', 7, 'doubt', undefined]],
  [true, true, ['recordOutcome', 7, 'doubt', undefined]],
  [false, undefined, ['recordOutcome', 7, 'refused', undefined]],
  [false, true, ['recordOutcome', 7, 'refused', NO_EFFECT]],
])('records a missing response: unknown is %s, hadNoEffect is %s (I2)', (unknown, hadNoEffect, recorded) => {
  const { calls, journal } = journalOf();
  recordWithoutResponse({ journal }, 7, unknown, hadNoEffect);
  recordWithoutResponse({ journal }, undefined, unknown, hadNoEffect);
  expect(calls).toEqual([recorded]);
});

test('records the outcome of a request that was sent, and of no other', () => {
  const { calls, journal } = journalOf();
  const response = { ...NO_EFFECT, status: 200 };
  recordOutcome({ journal }, 0, { state: 'done', response });
  recordOutcome({ journal }, undefined, { state: 'done', response });
  expect(calls).toEqual([['recordOutcome', 0, 'done', response]]);
});

test('names the error that stops the run after a request without a response', () => {
  const cause = new SvcError(EXIT.failed, 'no_answer', 'gone');
  const stop = new AbortController();
  stop.abort(createInterruption('SIGTERM'));
  const errorAfter = (outcome: object) =>
    noResponseError(outcome as Parameters<typeof noResponseError>[0], stop.signal);
  expect(errorAfter({ kind: 'gave_up', cause })).toBe(cause);
  const later = errorAfter({ kind: 'later', resumeAt: Date.UTC(2026, 2, 1, 10) });
  expect([later.exit, later.code, later.message]).toEqual([
    EXIT.later,
    'later',
    'the wait for the rate limit is longer than --max-wait allows; continue after 2026-03-01T10:00:00.000Z',
  ]);
  expect(errorAfter({ kind: 'interrupted' })).toMatchObject({ exit: EXIT.terminated, code: 'interrupted' });
});

test.each([
  ['email_suppressed', false],
  ['contact_already_exists', false],
  ['invalid_email', true],
  ['', true],
])('says whether a row that was refused with %j counts as failed: %s (O7)', (code, isFailed) => {
  expect(countsAsFailed(code)).toBe(isFailed);
});

describe('the result of a batch', () => {
  const failures = ['email_suppressed', 'invalid_email', 'contact_already_exists'].map((code) => ({
    input: 0,
    line: 2,
    code,
  }));
  const response = { replayed: false, created: 3, updated: 4, alreadySuppressed: 0, failures } as unknown as Parameters<
    typeof sendResultOf
  >[0];

  test.each([
    [{}, { failed: 1, unsent: 0, created: 3, updated: 4, replayed: false, afterLostResponse: false }],
    [{ ours: true }, { failed: 1, unsent: 0, created: 3, updated: 4, replayed: false, afterLostResponse: true }],
    [{ replayed: true }, { failed: 1, unsent: 0, created: 0, updated: 0, replayed: true, afterLostResponse: false }],
  ])('counts the writes of a response when it is not a replay: %j (I7)', (more, result) => {
    expect(sendResultOf({ ...response, ...more })).toStrictEqual(result);
  });

  test('the result of a bisected batch is the sum of its halves (L5)', () => {
    const a = { failed: 1, unsent: 2, created: 3, updated: 4, replayed: false, afterLostResponse: true };
    const b = { failed: 10, unsent: 20, created: 30, updated: 40, replayed: true, afterLostResponse: false };
    const sum = { failed: 11, unsent: 22, created: 33, updated: 44, replayed: true, afterLostResponse: true };
    expect([joinSendResults(a, b), joinSendResults(b, a)]).toStrictEqual([sum, sum]);
    expect([joinSendResults(NOTHING_SENT, a), joinSendResults(NOTHING_SENT, b)]).toStrictEqual([a, b]);
    expect(NOTHING_SENT).toStrictEqual({
      failed: 0,
      unsent: 0,
      created: 0,
      updated: 0,
      replayed: false,
      afterLostResponse: false,
    });
  });
});
