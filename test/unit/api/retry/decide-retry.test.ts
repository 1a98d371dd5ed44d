import { expect, test } from 'vitest';
import { ApiError } from '../../../../src/api/http/api-error.ts';
import type { AttemptResult } from '../../../../src/api/http/read-response.ts';
import { decideRetry, type KeyState, startKeyVersion } from '../../../../src/api/retry/decide-retry.ts';
import type { WriteRequest } from '../../../../src/api/retry/key-source.ts';
import { EXIT, SvcError } from '../../../../src/base/lib/errors.ts';

const MOMENT = { now: 500_000, tookMs: 1_000, random: 0, isAborted: false };
const META = { status: 200, replayed: false, requestId: undefined, retryAfterMs: undefined };
const REPLAYED = { ...META, replayed: true };

const NEW = startKeyVersion(0, false);
const UNKNOWN = startKeyVersion(0, true);
const IN_FLIGHT: KeyState = { ...NEW, outcome: 'in flight', inFlightSince: 400_000 };
const LAST_KEY = startKeyVersion(9, false);

const lost = new SvcError(EXIT.failed, 'no_answer', 'lost');
const fault = (more: object): AttemptResult => ({
  kind: 'fault',
  error: lost,
  meta: META,
  mayHaveReachedService: true,
  isRetryable: true,
  ...more,
});
const refused = (status: number, code: string, meta = META): AttemptResult => ({
  kind: 'refused',
  error: apiError(status, code),
  meta,
});
const success = (json: unknown, meta = META): AttemptResult => ({ kind: 'success', status: 200, json, meta });
const limited = (error: SvcError, meta = META): AttemptResult => ({ kind: 'limited', error, meta });
const storedLimit = limited(apiError(429, 'rate_limited'), REPLAYED);
const inFlight: AttemptResult = { kind: 'in_flight', error: apiError(409, 'idempotency_conflict'), meta: META };

function apiError(status: number, code: string): ApiError {
  return new ApiError({ status, code, message: '', param: undefined, requestId: undefined });
}

function requestOf(policy: WriteRequest<unknown>['policy'], atMostOnce = false): WriteRequest<unknown> {
  return {
    policy,
    atMostOnce,
    segments: [],
    body: Buffer.of(),
    keyVersion: 0,
    keyForVersion: String,
    beforeNewKey: () => {},
    firstSentAt: undefined,
    outcomeUnknown: undefined,
    beforeAttempt: undefined,
    noteSentByOtherMachine: undefined,
    isStale: undefined,
    parseResponse: (json) => json,
    isCurable: (value) => value === 'curable',
  };
}

/** The decision in words: `retry, unknown` is a repeat of the same key after an unknown outcome. */
function decisionText(policy: string, attempt: KeyState, result: AttemptResult, moment = MOMENT): string {
  const request = requestOf(policy.replace(', --at-most-once', '') as 'once', policy.includes('--at-most-once'));
  const step = decideRetry(request, attempt, result, moment);
  switch (step.kind) {
    case 'retry':
      return `${step.wait.reason}, ${step.attempt.outcome}`;
    case 'next_key':
      return `key ${step.attempt.keyVersion}, ${step.attempt.outcome}`;
    case 'accepted':
      return `accepted${step.afterLostResponse ? ' after a lost response' : step.afterConflict ? ' after a conflict' : ''}`;
    case 'refused':
      return 'refused';
    default:
      return `${step.kind}, ${step.outcomeUnknown ? 'unknown' : 'none'}${'expired' in step ? `, ${step.expired}` : ''}`;
  }
}

test.each([
  ['a success', 'once', NEW, success({}), 'accepted'],
  ['a success after an unknown outcome', 'once', UNKNOWN, success({}), 'accepted after a lost response'],
  ['a success after the key was in flight elsewhere', 'once', IN_FLIGHT, success({}), 'accepted after a conflict'],
  ['a success without its fields (O4)', 'once', NEW, success(undefined), 'retry, unknown'],
  ['a replay whose cause may be fixed (I1)', 'once', NEW, success('curable', REPLAYED), 'key 1, none'],
  [
    'a replay whose cause may be fixed, after an unknown outcome (I2)',
    'once',
    UNKNOWN,
    success('curable', REPLAYED),
    'accepted after a lost response',
  ],
  [
    'a replay whose cause may be fixed, after a key in flight (I2)',
    'once',
    IN_FLIGHT,
    success('curable', REPLAYED),
    'accepted after a conflict',
  ],
  ['a replay whose cause may be fixed, with the last key', 'once', LAST_KEY, success('curable', REPLAYED), 'accepted'],
  ['a refusal', 'once', NEW, refused(422, 'invalid_request'), 'refused'],
  [
    'a fresh refusal after an unknown outcome (I4)',
    'once',
    UNKNOWN,
    refused(422, 'invalid_request'),
    'gave_up, unknown',
  ],
  [
    'a fresh refusal of an email after an unknown outcome (I4)',
    'email',
    UNKNOWN,
    refused(403, 'plan_limit_reached'),
    'gave_up, unknown',
  ],
  ['a fresh refusal after an unknown outcome', 'repeatable', UNKNOWN, refused(422, 'invalid_request'), 'refused'],
  [
    'a refused API key after an unknown outcome (I2)',
    'repeatable',
    UNKNOWN,
    refused(401, 'unauthorized'),
    'gave_up, unknown',
  ],
  ['a replayed refusal that can be fixed (I1)', 'once', NEW, refused(404, 'not_found', REPLAYED), 'key 1, none'],
  ['a replayed refusal after an unknown outcome (I2)', 'once', UNKNOWN, refused(404, 'not_found', REPLAYED), 'refused'],
  [
    'a replayed refusal after the key was in flight',
    'once',
    IN_FLIGHT,
    refused(404, 'not_found', REPLAYED),
    'key 1, none',
  ],
  ['a replayed refusal with the last key', 'once', LAST_KEY, refused(404, 'not_found', REPLAYED), 'refused'],
  ['a replayed refusal that cannot be fixed', 'once', NEW, refused(422, 'invalid_request', REPLAYED), 'refused'],
  ['no connection', 'once', NEW, fault({ mayHaveReachedService: false }), 'retry, none'],
  ['a lost response', 'once', NEW, fault({}), 'retry, unknown'],
  ['a lost response of a write that may not be repeated', 'once, --at-most-once', NEW, fault({}), 'gave_up, unknown'],
  [
    'no connection for a write that may not be repeated',
    'once, --at-most-once',
    NEW,
    fault({ mayHaveReachedService: false }),
    'retry, none',
  ],
  ['a redirect', 'once', NEW, fault({ isRetryable: false }), 'gave_up, unknown'],
  ['a replayed 500 (I2)', 'once', NEW, fault({ meta: { ...REPLAYED, status: 500 } }), 'gave_up, unknown, stored'],
  [
    'a replayed 500 of a repeatable write',
    'repeatable',
    NEW,
    fault({ meta: { ...REPLAYED, status: 500 } }),
    'key 1, unknown',
  ],
  ['the sixth failure (P6)', 'once', { ...NEW, failures: 5 }, fault({ mayHaveReachedService: false }), 'gave_up, none'],
  ['a failure after the time for repeats (P6)', 'once', { ...NEW, spentMs: 270_000 }, fault({}), 'gave_up, unknown'],
  ['a key in flight elsewhere (I3)', 'once', NEW, inFlight, 'in_flight_elsewhere, in flight'],
  ['a key in flight elsewhere after an unknown outcome', 'once', UNKNOWN, inFlight, 'in_flight_elsewhere, unknown'],
  [
    'a key in flight elsewhere for seven minutes (I3)',
    'once',
    { ...IN_FLIGHT, inFlightSince: 80_000 },
    inFlight,
    'gave_up, unknown',
  ],
  [
    'a key in flight elsewhere for a write that may not be repeated',
    'once, --at-most-once',
    NEW,
    inFlight,
    'gave_up, unknown',
  ],
  ['a 429 of the service', 'once', NEW, limited(apiError(429, 'rate_limited')), 'rate_limit, none'],
  ['a 429 of something between, such as a proxy', 'once', NEW, limited(lost), 'rate_limit, unknown'],
  [
    'a 429 of a proxy for a write that may not be repeated',
    'once, --at-most-once',
    NEW,
    limited(lost),
    'gave_up, unknown',
  ],
  ['a replayed 429 (I1)', 'once', NEW, storedLimit, 'key 1, none'],
  ['a replayed 429 after the key was in flight (I1)', 'once', IN_FLIGHT, storedLimit, 'key 1, none'],
  ['a replayed 429 after an unknown outcome (I2)', 'once', UNKNOWN, storedLimit, 'gave_up, unknown, stored'],
  ['a replayed 429 of a repeatable write', 'repeatable', UNKNOWN, storedLimit, 'key 1, unknown'],
  ['a replayed 429 with the last key', 'once', LAST_KEY, storedLimit, 'gave_up, none, stored'],
  ['a replayed 429 of a proxy', 'once', NEW, limited(lost, REPLAYED), 'rate_limit, unknown'],
] as const)('decides "$4" after $0, policy $1', (_, policy, attempt, result, expected) => {
  expect(decisionText(policy, attempt, result)).toBe(expected);
});

test('takes no new idempotency key when the run is interrupted (D4)', () => {
  const result = refused(404, 'not_found', REPLAYED);

  expect(decisionText('once', NEW, result, { ...MOMENT, isAborted: true })).toBe('interrupted, none');
});

test('adds each attempt and its wait to the totals of the request (P6)', () => {
  const step = decideRetry(requestOf('once'), { ...NEW, attempts: 2, failures: 1, spentMs: 5_000 }, fault({}), MOMENT);

  expect(step).toMatchObject({ attempt: { attempts: 3, failures: 2, spentMs: 6_250 }, wait: { ms: 250 } });
});

// The attempts of a repeatable write may take 15 minutes together, so after 10 minutes and this attempt 299 s are left.
const lastStep = (retryAfterMs: number) => {
  const before = { ...NEW, failures: 9, spentMs: 600_000 };
  return decideRetry(requestOf('repeatable'), before, fault({ meta: { ...META, retryAfterMs } }), MOMENT);
};

test('reports Retry-After when it is longer than the time left (P6)', () => {
  expect(lastStep(299_001)).toMatchObject({ kind: 'gave_up', retryAfterMs: 299_001 });
});

test('reports no Retry-After when it fits into the time left (P6)', () => {
  const step = lastStep(299_000);
  expect([step.kind, 'retryAfterMs' in step]).toEqual(['gave_up', false]);
});

test.each([
  ['fresh', NEW, META, undefined],
  ['fresh, after an unknown outcome', UNKNOWN, META, true],
  ['fresh, after the key was in flight', IN_FLIGHT, META, true],
  ['replayed, after an unknown outcome', UNKNOWN, REPLAYED, true],
  ['replayed, after the key was in flight', { ...LAST_KEY, outcome: 'in flight' }, REPLAYED, true],
] as const)('says whether a refused request may have had an effect: %s (I2)', (_, attempt, meta, expected) => {
  const step = decideRetry(requestOf('repeatable'), attempt, refused(403, 'plan_limit_reached', meta), MOMENT);
  expect(step).toMatchObject({ kind: 'refused' });
  expect(step.kind === 'refused' && step.mayHaveEffect).toBe(expected);
});
