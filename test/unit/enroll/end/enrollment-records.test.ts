import { describe, expect, test } from 'vitest';
import {
  type EnrollContext,
  type EnrollmentRecords,
  entryOfOtherRun,
  isStillToSend,
  type PersonOutcome,
  personOutcomeOf,
} from '../../../../src/enroll/records/enrollment-records.ts';
import { wasSentWithPreviousKey } from '../../../../src/enroll/records/key-change.ts';
import { recordAttempt, recordInLedger } from '../../../../src/enroll/records/ledger-writes.ts';
import type { Enrollee } from '../../../../src/import/batch/reread-list.ts';
import type { LedgerEntry } from '../../../../src/ledgers/enrollment-entries.ts';
import type { Journal } from '../../../../src/runs/store/journal.ts';
import type { RecordedRequest } from '../../../../src/runs/store/recorded-request.ts';

const ANA = { source: 0, line: 2, email: 'ana@example.com' } as Enrollee;
const OWN = 'run_own';

const entry = (outcome: string, run = 'run_other', time = 50): LedgerEntry => ({ outcome, run, time });

interface Records {
  readonly entries?: readonly LedgerEntry[];
  readonly attempted?: boolean;
  readonly otherAttempt?: string | undefined;
  readonly reenroll?: boolean;
  readonly newestBefore?: number | undefined;
}

/** The records of a run that began at the time 100. `calls` has what was written into the ledger. */
function recordsOf({ entries = [], attempted = false, otherAttempt, reenroll = false, newestBefore }: Records) {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...parts: unknown[]) =>
      void calls.push([name, ...parts]);
  const journal = {
    header: { run: OWN, startedAt: 100 },
    readNote: (name: string) => (name === 'newest_before' ? newestBefore : undefined),
    requests: { find: () => undefined },
  };
  const ledger = {
    lookupLookAlikes: () => entries,
    lookup: () => entries[0],
    hasAttempt: (_: string, run: string) => attempted && run === OWN,
    otherAttempt: () => otherAttempt,
    ...{ record: note('record'), recordAsNewest: note('recordAsNewest') },
    ...{ recordAttempt: note('recordAttempt'), forgetAttempt: note('forgetAttempt') },
  };
  const records = { journal, ledger, options: { reenroll, atMostOnce: false } } as unknown as EnrollmentRecords;
  const context = { records, journal, clock: { now: () => 777 } } as unknown as EnrollContext;
  return { records, context, calls };
}

function requestOf(state: string, response?: object): RecordedRequest {
  return { id: 4, state, response } as unknown as RecordedRequest;
}

const kindOf = (given: Records) => personOutcomeOf(recordsOf(given).records, ANA).kind;

describe('a person in the enrollment ledger', () => {
  test.each<[outcome: string, isBlocked: boolean]>([
    ['enrolled', true],
    ['already_enrolled', true],
    ['unknown', true],
    ['a_word_of_an_earlier_version', true],
    ['', true],
    ['email_suppressed', false],
    ['unsent', false],
    ['not_enrolled', false],
    ['not_subscribed', false],
    ['automation_not_active', false],
  ])('a person with the outcome %j in the ledger is blocked: %s (M5, O6)', (outcome, isBlocked) => {
    const kind = isBlocked ? 'enrolled_before' : 'unsent';
    expect(kindOf({ entries: [entry(outcome)] })).toBe(kind);
    // The ledger has the outcome for this run, and its journal does not: the user restored an older copy of the run.
    expect(kindOf({ entries: [entry(outcome, OWN)] })).toBe(kind);
    expect(kindOf({ entries: [entry('unsent'), entry(outcome)] })).toBe(kind);
    const { records } = recordsOf({});
    expect(entryOfOtherRun(records, [entry(outcome)])).toEqual(isBlocked ? entry(outcome) : undefined);
    expect(entryOfOtherRun(records, [entry(outcome, OWN)])).toBeUndefined();
  });

  test('sends no enrollment again when the run folder was restored (M5)', () => {
    expect(kindOf({ entries: [entry('unsent')], attempted: true })).toBe('enrolled_before');
    expect(kindOf({ entries: [entry('unsent', OWN)], attempted: true })).toBe('unsent');
    expect(kindOf({ entries: [], attempted: true })).toBe('unsent');
  });

  test.each<[time: number, newestBefore: number | undefined, isBlocked: boolean]>([
    [99, undefined, false],
    [100, undefined, false],
    [101, undefined, true],
    [101, 101, false],
    [102, 101, true],
    [50, 49, true],
    [1, 0, true],
  ])('--reenroll, entry at %i, newest entry at start %s, skips person: %s (P7)', (time, newestBefore, isBlocked) => {
    const given = { entries: [entry('enrolled', 'run_other', time)], newestBefore };
    expect(kindOf({ ...given, reenroll: true })).toBe(isBlocked ? 'enrolled_before' : 'unsent');
    expect(kindOf(given)).toBe('enrolled_before');
  });
});

describe('a person in the journal', () => {
  const FAILURE = { failures: [{ code: 'invalid_email' }] };

  test.each<
    [what: string, request: RecordedRequest, entries: readonly LedgerEntry[], outcome: PersonOutcome, isToSend: boolean]
  >([
    ['a request in flight', requestOf('pending'), [], { kind: 'unknown' }, false],
    ['an unknown outcome', requestOf('doubt'), [], { kind: 'unknown' }, false],
    [
      'an enrollment',
      requestOf('done', { word: 'enrolled' }),
      [],
      { kind: 'accepted', word: 'enrolled', isOpen: false },
      false,
    ],
    ['no word', requestOf('done', {}), [], { kind: 'accepted', word: '', isOpen: false }, false],
    ['no response', requestOf('done'), [], { kind: 'accepted', word: '', isOpen: false }, false],
    [
      'an automation that is not active',
      requestOf('done', { word: 'automation_not_active' }),
      [],
      { kind: 'accepted', word: 'automation_not_active', isOpen: true },
      true,
    ],
    [
      'an automation that is not active, and an enrollment by another run',
      requestOf('done', { word: 'automation_not_active' }),
      [entry('enrolled')],
      { kind: 'accepted', word: 'automation_not_active', isOpen: false },
      false,
    ],
    ['a refusal of the person', requestOf('done', FAILURE), [], { kind: 'refused', code: 'invalid_email' }, false],
    ['a refusal of all', requestOf('refused'), [], { kind: 'unsent' }, true],
    [
      'a refusal of all, and another run',
      requestOf('refused'),
      [entry('enrolled')],
      { kind: 'enrolled_before' },
      false,
    ],
  ])('a person has the outcome that the journal recorded: %s (M5, I2)', (_, request, entries, outcome, isToSend) => {
    expect(personOutcomeOf(recordsOf({ entries }).records, ANA, request)).toStrictEqual(outcome);
    expect(isStillToSend(outcome)).toBe(isToSend);
  });
});

const own = (outcome: string) => ['recordAsNewest', ANA.email, { outcome, run: OWN, time: 777 }];

test.each<[what: string, before: LedgerEntry | undefined, calls: readonly unknown[]]>([
  ['no entry', undefined, [own('unknown')]],
  ['an entry of this run', entry('enrolled', OWN), [own('unknown')]],
  ['an entry without effect', entry('not_subscribed'), [own('unknown')]],
  ['an enrollment by another run', entry('enrolled'), [['recordAttempt', ANA.email, OWN]]],
  ['a person in the automation', entry('already_enrolled'), [['recordAttempt', ANA.email, OWN]]],
  ['an unknown outcome of another run', entry('unknown'), [['recordAttempt', ANA.email, 'run_other'], own('unknown')]],
])('records an attempt before the request when the ledger has %s (M5, I9)', (_, before, expected) => {
  const { context, calls } = recordsOf({});
  recordAttempt(context, ANA, before);
  expect(calls).toEqual(expected);
});

const RESTORED = (outcome: string) => [
  ['record', ANA.email, entry(outcome)],
  ['forgetAttempt', ANA.email, OWN],
];
const UNKNOWN_OF_OTHER = [['record', ANA.email, { outcome: 'unknown', run: 'run_third', time: 0 }]];

test.each<
  [outcome: string, earlier: LedgerEntry | undefined, otherAttempt: string | undefined, calls: readonly unknown[]]
>([
  ['enrolled', undefined, undefined, [own('enrolled')]],
  ['not_subscribed', undefined, undefined, [own('not_subscribed')]],
  ['enrolled', entry('enrolled'), undefined, [own('enrolled')]],
  ['already_enrolled', entry('enrolled'), undefined, RESTORED('enrolled')],
  ['unsent', entry('enrolled'), undefined, RESTORED('enrolled')],
  ['unsent', entry('unknown'), 'run_third', RESTORED('unknown')],
  ['unsent', entry('not_subscribed'), undefined, [own('unsent')]],
  ['unsent', entry('enrolled', OWN), undefined, [own('unsent')]],
  ['unsent', entry('unknown', OWN), 'run_third', UNKNOWN_OF_OTHER],
  ['not_subscribed', undefined, 'run_third', UNKNOWN_OF_OTHER],
  ['enrolled', undefined, 'run_third', [own('enrolled')]],
  ['already_enrolled', undefined, 'run_third', [own('already_enrolled')]],
])(
  'records outcome %s after ledger entry %j, attempt of other run %s (M5)',
  (outcome, earlierEntry, otherAttempt, expected) => {
    const { context, calls } = recordsOf({ otherAttempt });
    recordInLedger(context, { id: undefined, person: ANA, earlierEntry }, outcome);
    expect(calls).toEqual([]);
    recordInLedger(context, { id: 0, person: ANA, earlierEntry }, outcome);
    expect(calls).toEqual(expected);
  },
);

test.each([
  [undefined, false],
  [3, false],
  [4, true],
  [5, true],
])('request 4 had the previous API key when that key sent up to %s: %s (K4)', (last, isPrevious) => {
  expect(wasSentWithPreviousKey({ readNote: () => last } as unknown as Journal, requestOf('doubt'))).toBe(isPrevious);
});
