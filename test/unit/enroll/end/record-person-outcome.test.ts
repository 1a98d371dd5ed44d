import { expect, test } from 'vitest';
import { EXIT, type ExitCode, SvcError } from '../../../../src/base/lib/errors.ts';
import type { EnrollContext } from '../../../../src/enroll/records/enrollment-records.ts';
import { recordPersonOutcome, recordUnknown } from '../../../../src/enroll/send/record-person-outcome.ts';
import type { Enrollee } from '../../../../src/import/batch/reread-list.ts';
import { ENROLLMENT_OUTCOMES } from '../../../../src/wire/service-words.ts';

const ANA = { source: 0, line: 2, email: 'ana@example.com' } as Enrollee;
const SENT = { id: 7, person: ANA, earlierEntry: undefined };
const NOTHING = { replayed: false, created: 0, updated: 0, alreadySuppressed: 0, failures: [] };
const NOW = Date.UTC(2026, 2, 1);

type Outcome = Parameters<typeof recordPersonOutcome>[2];

/** Records an outcome. Returns what the journal and the ledger got, in order, and the result or the error. */
function record(outcome: object, { hasResponse = false } = {}) {
  const calls: unknown[][] = [];
  const requests = {
    find: () => ({ id: 7, state: 'doubt', ...(hasResponse && { response: NOTHING }) }),
    recordOutcome: (...parts: unknown[]) => void calls.push(['journal', ...parts]),
  };
  const journal = { header: { run: 'run_1' }, requests };
  const ledger = {
    otherAttempt: () => undefined,
    recordAsNewest: (_: string, entry: { readonly outcome: string }) => void calls.push(['ledger', entry.outcome]),
  };
  const { signal } = new AbortController();
  const context = {
    journal,
    records: { journal, ledger },
    clock: { now: () => NOW },
    signal,
  } as unknown as EnrollContext;
  try {
    return { calls, result: recordPersonOutcome(context, SENT, outcome as Outcome), error: undefined, context };
  } catch (error) {
    return { calls, result: undefined, error: error as SvcError, context };
  }
}

function accepted(word: string, replayed = false) {
  return { kind: 'accepted', value: { outcome: word }, status: 200, replayed };
}

test.each(ENROLLMENT_OUTCOMES.filter((word) => word !== 'automation_not_active'))(
  'records the outcome %s in the ledger, then in the journal (M5)',
  (word) => {
    const { calls, result } = record(accepted(word, true));
    expect(result).toEqual({ kind: 'accepted' });
    expect(calls).toEqual([
      ['ledger', word],
      ['journal', 7, 'done', { ...NOTHING, status: 200, replayed: true, word }],
    ]);
  },
);

test('records an undocumented outcome as unknown, in the journal only (O6)', () => {
  const { calls, result } = record(accepted('queued'));
  expect(result).toEqual({ kind: 'accepted' });
  expect(calls).toEqual([['journal', 7, 'doubt', { ...NOTHING, status: 200, word: 'queued' }]]);
});

test.each([
  [false, 'Publish it again in the app. Then: svc runs resume run_1'],
  [
    true,
    'The service repeats this for up to 24 hours, also if you publish it again in the app. After 2026-03-02T00:00:00.000Z: svc runs resume run_1',
  ],
])('stops when the automation is not active, replayed %s (I1)', (replayed, hint) => {
  const { calls, error } = record(accepted('automation_not_active', replayed));
  expect([error?.exit, error?.code, error?.message, error?.hint]).toEqual([
    EXIT.stopped,
    'automation_not_active',
    "the automation's published version is unusable, so no one can be enrolled",
    hint,
  ]);
  expect(calls.map(([where]) => where)).toEqual(['ledger', 'journal']);
});

/** The error of a refusal. */
const refusal = (status: number, code: string) =>
  Object.assign(new SvcError(EXIT.failed, code, `refused: ${code}`), { status });

test('does not count the refusal of a suppressed address as a failure (O7)', () => {
  const { calls, result } = record({ kind: 'refused', error: refusal(409, 'email_suppressed'), replayed: false });
  expect(result).toEqual({ kind: 'refused', countsAsFailed: false });
  expect(calls).toEqual([
    ['ledger', 'email_suppressed'],
    ['journal', 7, 'done', { ...NOTHING, status: 409, word: 'email_suppressed' }],
  ]);
});

test('records a 400 as the failure of this person, and continues (O7)', () => {
  const { calls, result } = record({ kind: 'refused', error: refusal(400, 'invalid_email'), replayed: true });
  expect(result).toEqual({ kind: 'refused', countsAsFailed: true });
  const failures = [{ source: 0, line: 2, code: 'invalid_email', detail: 'refused: invalid_email' }];
  expect(calls).toEqual([
    ['ledger', 'unsent'],
    ['journal', 7, 'done', { ...NOTHING, status: 400, replayed: true, failures }],
  ]);
});

test.each([401, 403, 404, 409, 422])('stops when the service refuses an enrollment with %i (O7)', (status) => {
  const error = refusal(status, 'forbidden');
  const recorded = record({ kind: 'refused', error, replayed: false });
  expect(recorded.error).toBe(error);
  expect(recorded.calls).toEqual([
    ['ledger', 'unsent'],
    ['journal', 7, 'refused', { ...NOTHING, status, word: 'forbidden' }],
  ]);
});

const UNKNOWN = ['journal', 7, 'doubt', { ...NOTHING, status: 0, word: 'unknown' }];
const OPEN = ['journal', 7, 'doubt', undefined];
const WITHOUT_EFFECT = [
  ['ledger', 'unsent'],
  ['journal', 7, 'refused', undefined],
];

test.each<
  [what: string, exit: ExitCode, code: string, outcomeUnknown: boolean, goesOn: boolean, calls: readonly unknown[]]
>([
  ['a lost response', EXIT.failed, 'no_answer', true, true, [UNKNOWN]],
  ['a failed connection', EXIT.failed, 'no_answer', false, false, WITHOUT_EFFECT],
  ['a lost response, then a wrong key', EXIT.auth, 'unauthorized', true, false, [OPEN]],
  ['a lost response, then too many retries', EXIT.failed, 'too_many_retries', true, false, [OPEN]],
])(
  'continues after a lost response without a later failure: %s (I2, P6)',
  (_, exit, code, outcomeUnknown, goesOn, calls) => {
    const cause = new SvcError(exit, code, 'gone');
    const recorded = record({ kind: 'gave_up', cause, outcomeUnknown });
    expect(recorded.calls).toEqual(calls);
    expect([recorded.result, recorded.error]).toEqual(
      goesOn ? [{ kind: 'unknown', cause }, undefined] : [undefined, cause],
    );
  },
);

test.each([
  [true, [OPEN]],
  [false, WITHOUT_EFFECT],
])('stops when the service asks for a long wait, outcome unknown: %s (P4)', (outcomeUnknown, calls) => {
  const cause = new SvcError(EXIT.failed, 'rate_limited', 'too many requests');
  const recorded = record({ kind: 'gave_up', cause, outcomeUnknown, retryAfterMs: 3_600_000 });
  const { exit, code, message, hint } = recorded.error as SvcError;
  expect({ exit, code, message, hint }).toEqual({
    exit: EXIT.later,
    code: 'later',
    message:
      'the service asks svc to wait until 2026-03-01T01:00:00.000Z, longer than svc repeats an enrollment: too many requests',
    hint: 'After 2026-03-01T01:00:00.000Z: svc runs resume run_1',
  });
  expect([recorded.error?.cause, recorded.calls]).toEqual([cause, calls]);
});

test.each([
  [true, false, [OPEN]],
  [true, true, []],
  [false, true, WITHOUT_EFFECT],
  [false, false, WITHOUT_EFFECT],
])('exits with 75 when a request must wait: unknown %s, has response %s (I4)', (outcomeUnknown, hasResponse, calls) => {
  const later = { kind: 'later', resumeAt: NOW, outcomeUnknown };
  const recorded = record(later, { hasResponse });
  expect([recorded.error?.exit, recorded.error?.code, recorded.calls]).toEqual([EXIT.later, 'later', calls]);
});

test('records an outcome as unknown when only the user can resolve it (O6)', () => {
  const { context, calls } = record(accepted('queued'));
  recordUnknown(context, 7);
  recordUnknown(context, undefined);
  expect(calls.slice(1)).toEqual([UNKNOWN]);
});
