import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../../src/base/events.ts';
import type { Finding } from '../../../../src/base/finding.ts';
import type { ContactItem, ListBatch } from '../../../../src/import/batch/cut-batches.ts';
import { failureLimitText, failuresFinding, refuseTooManyFailures } from '../../../../src/migrate/checks/failures.ts';
import { estimateSeconds } from '../../../../src/migrate/draft/plan.ts';
import { createSampler } from '../../../../src/migrate/verify/sampler.ts';
import type { FailureLimit } from '../../../../src/run-lifecycle/data/run-options.ts';
import { type RecordedWait, recordWaits } from '../../../../src/run-lifecycle/data/timeline.ts';
import { otherAnswers } from '../../../../src/run-lifecycle/stops/commands-for-stops.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const ROWS: FailureLimit = { kind: 'rows', rows: 5 };
const PERCENT: FailureLimit = { kind: 'percent', percent: 2 };
const LIMITS = { '5': ROWS, '2%': PERCENT };

describe('--max-failures', () => {
  test.each([
    ['5', 5, 9, true],
    ['5', 6, 9, false],
    ['2%', 20, 1_000, true],
    ['2%', 21, 1_000, false],
    ['2%', 999, 999, true],
    ['2%', 1_000, 1_000, false],
  ] as const)('--max-failures %s: %i rejected of %i rows are allowed: %s', (flag, bad, read, isAllowed) => {
    const limit = LIMITS[flag];
    const refuse = () => refuseTooManyFailures(limit, bad, read);
    const survey = {
      rows: { rejected: bad, read },
      rejections: [{ reason: 'missing_email', total: bad, examples: [] }],
    };
    const finding = failuresFinding({ survey, options: { maxFailures: limit } } as never);
    const { level, message, hint, total } = finding;
    expect([level, hint, total]).toEqual(isAllowed ? ['warn', undefined, bad] : ['stop', `--max-failures ${bad}`, bad]);
    expect(message.endsWith(`; the limit is ${failureLimitText(limit)}`)).toBe(!isAllowed);
    isAllowed ? refuse() : expect(refuse).toThrow('rejected or failed; the limit is');
  });

  test('the error of --max-failures gives the limit and the failed rows', () => {
    expect([failureLimitText(ROWS), failureLimitText({ kind: 'rows', rows: 1 }), failureLimitText(PERCENT)]).toEqual([
      '5 rows',
      '1 row',
      '2 %',
    ]);
    expect(() => refuseTooManyFailures({ kind: 'rows', rows: 0 }, 1, 1)).toThrow('1 row rejected or failed');
  });
});

test.each([
  [0, 0],
  [9, 1],
  [50, 5],
  [51, 60],
  [100, 65],
  [101, 120],
])('the plan estimates the time of %i requests at 50 a minute: %i s', (requests, seconds) => {
  expect(estimateSeconds(requests, { rate: 50, reserve: 120 })).toBe(seconds);
});

test.each([
  [600, 120, 480],
  [600, 0, 600],
  [1_200, 120, 480],
  [480, 120, 480],
  [10, 590, 10],
  [60, 590, 10],
  [600, 600, 480],
])('at --rate %i and --reserve %i the plan expects %i requests a minute', (rate, reserve, sent) => {
  expect(estimateSeconds(sent + 1, { rate, reserve })).toBe(60);
  expect(estimateSeconds(sent, { rate, reserve })).toBeLessThanOrEqual(60);
});

/** Stops with one answer each, and as many less likely answers as given. */
function stopsWith(count: number, others: number): Finding[] {
  return Array.from({ length: count }, (_, at) => ({
    check: 'unknown_status',
    level: 'stop',
    message: '',
    flags: `--status-map w${at}=skip`,
    otherwise: Array.from({ length: others }, (_one, nth) => ({
      when: `If ${at}.${nth}`,
      flags: `--map ${at}.${nth}=ignore`,
    })),
  }));
}

test('prints other answers as commands for up to 3 stops, as flags for more', () => {
  const [three, four] = [3, 4].map((count) => otherAnswers(stopsWith(count, 1), (flags) => `svc migrate a ${flags}`));
  expect([three?.areWhole, three?.answers.length, three?.answers[2]]).toEqual([
    true,
    3,
    {
      conditions: ['If 2.0'],
      command: 'svc migrate a --status-map w0=skip --status-map w1=skip --map 2.0=ignore',
    },
  ]);
  expect([four?.areWhole, four?.answers.length, four?.answers[3]]).toEqual([
    false,
    4,
    { conditions: ['If 3.0'], command: '--map 3.0=ignore' },
  ]);
});

test('prints at most 30 alternative answers to the stops, each once', () => {
  const counts = [30, 31].map((others) => otherAnswers(stopsWith(1, others), String).answers.length);
  const [stop] = stopsWith(1, 2) as [Finding];
  expect([...counts, otherAnswers([stop, stop], String).answers.length]).toEqual([30, 30, 2]);
});

test('the report lists at most 100 waits, each of a second or more', () => {
  const passed: RunEvent[] = [];
  const waits: RecordedWait[] = [];
  const clock = createManualClock();
  const emit = recordWaits(waits, clock, (event) => void passed.push(event));
  const wait = (ms: number) => emit({ type: 'wait', ms, reason: 'rate_limit' } as RunEvent);
  wait(999);
  wait(1_000);
  expect(waits).toEqual([{ startedAt: clock.now(), ms: 1_000, reason: 'rate_limit' }]);
  for (let count = 0; count < 100; count += 1) {
    wait(2_000);
  }
  expect([waits.length, passed.length]).toEqual([100, 102]);
});

/** A batch whose people from the number `from` on opt out. */
function batchOf(count: number, from: number): ListBatch {
  const items = Array.from({ length: count }, (_, at) => ({
    contact: { email: `p${at}@example.com`, ...(at >= from && { status: 'unsubscribed' }) },
  })) as ContactItem[];
  return { rows: items, items, body: Buffer.from(JSON.stringify(items.map(({ contact }) => contact))) } as never;
}

test.each([
  [100, 10, 90, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90], 10],
  [3, 50, 3, [0, 1, 2], 0],
  [100, 2, 60, [0, 50], 2],
])('of %i people, the verification reads %i spread evenly, and some opt-outs', (total, wanted, from, even, leaving) => {
  const sampler = createSampler(total, wanted, total - from);
  sampler.collect(batchOf(total, from));
  const places = sampler.items.map(({ contact }) => Number(contact.email.slice(1, -'@example.com'.length)));
  expect(places.slice(0, even.length)).toEqual(even);
  expect(places.filter((at) => at >= from)).toHaveLength(leaving);
});

test.each([
  [20, 20],
  [21, 20],
])('the verification samples all people who opt out, up to 20 of %i', (leaving, sampled) => {
  const sampler = createSampler(1_000, 50, leaving);
  sampler.collect(batchOf(1_000, 1_000 - leaving));
  expect(sampler.items.filter(({ contact }) => contact.status === 'unsubscribed')).toHaveLength(sampled);
});
