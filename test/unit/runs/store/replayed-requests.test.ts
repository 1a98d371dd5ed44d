import { expect, test } from 'vitest';
import { createJournal } from '../../../../src/runs/store/open-journal.ts';
import type { RecordedResponse, RequestState } from '../../../../src/runs/store/recorded-request.ts';
import type { RequestIntent } from '../../../../src/runs/store/request-journal.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { header, intent, response } from '../samples.ts';

interface Recorded {
  readonly name: string;
  readonly state?: RequestState;
  readonly response?: Partial<RecordedResponse>;
  readonly intent?: Partial<RequestIntent>;
}

const REPLAY: Partial<RecordedResponse> = { replayed: true };
const FAILURE = { source: 0, line: 2, code: 'invalid_email' };

/** A journal with these requests. Without a state, a request stays pending. */
function journalWith(...recorded: readonly Recorded[]) {
  const { requests } = createJournal(tempFolder(), header('run_1'));
  for (const one of recorded) {
    const id = requests.recordIntent(intent(one.name, one.intent));
    if (one.state) {
      requests.recordOutcome(id, one.state, one.response && response(one.response));
    }
  }
  return requests;
}

const ACCEPTED: readonly Recorded[] = [
  { name: '7', state: 'done', response: REPLAY, intent: { firstSentAt: 40 } },
  { name: '7.0.1', state: 'done', response: { ...REPLAY, ours: true } },
  { name: '7.new', state: 'done', response: REPLAY },
  { name: '70', state: 'done', response: REPLAY },
  { name: '17', state: 'done', response: { replayed: false } },
  { name: '18', state: 'refused', response: { ...REPLAY, status: 400 } },
  { name: '19', state: 'done', response: { ...REPLAY, status: 207 } },
  { name: '7', state: 'done', response: REPLAY, intent: { kind: 'suppressions' } },
];

test.each([
  [undefined, ['7', '7.0.1', '7.new', '70']],
  ['7', ['7', '7.0.1', '7.new']],
  ['7.0', ['7.0.1']],
  ['70', ['70']],
  ['17', []],
  ['18', []],
  ['19', []],
])('the journal finds the accepted replays of a batch: %s (I7)', (batch, names) => {
  const keys = journalWith(...ACCEPTED)
    .replays(batch)
    .map(({ key }) => key);
  expect(keys.sort()).toEqual(names.map((name) => `svc1.contacts.${name}.g0`).sort());
});

test('the journal says of each replay whether a response was lost (I7)', () => {
  const requests = journalWith(...ACCEPTED.slice(0, 2));
  expect(requests.replays()).toStrictEqual([
    { id: requests.find('contacts', '7')?.id, key: 'svc1.contacts.7.g0', firstSentAt: 40, afterLostResponse: false },
    {
      id: requests.find('contacts', '7.0.1')?.id,
      key: 'svc1.contacts.7.0.1.g0',
      firstSentAt: 5,
      afterLostResponse: true,
    },
  ]);
});

test('the journal counts an outdated replay as not sent (I7)', () => {
  const requests = journalWith(
    { name: '0', state: 'done', response: { ...REPLAY, failures: [FAILURE] } },
    { name: '1', state: 'done', response: { ...REPLAY, failures: [FAILURE] } },
  );
  expect(requests.hasOpenRequests()).toBe(false);
  requests.reopenReplays(requests.replays('0'));
  const stateOf = (name: string) => requests.find('contacts', name)?.state;
  expect([stateOf('0'), stateOf('1'), requests.stateOf('0').isOpen, requests.stateOf('1').isOpen]).toEqual([
    'refused',
    'done',
    true,
    false,
  ]);
  expect([...requests.failures()].map(({ requestName }) => requestName)).toEqual(['1']);
});

test.each([
  ['surely of another run', { ofOtherRun: true }, false],
  ['after a lost response of this run', { ours: true }, true],
  ['of an earlier version of svc', {}, true],
])('says whether an outdated replay may have had an effect: %s (I7)', (_, cause, mayHaveEffect) => {
  const response = { replayed: true, status: 200, ...cause };
  const requests = journalWith({ name: '3', state: 'done', response });
  requests.reopenReplays(requests.replays('3'));
  expect(requests.stateOf('3')).toEqual({ isRecorded: true, mayHaveEffect, isOpen: true, hasResponse: false });
});

test.each<[string, Omit<Recorded, 'name'>, boolean]>([
  ['pending', {}, true],
  ['pending without rows', { intent: { rows: 0 } }, false],
  ['in doubt', { state: 'doubt' }, true],
  ['refused without a response', { state: 'refused' }, true],
  ['refused', { state: 'refused', response: { status: 400 } }, false],
  ['done', { state: 'done', response: {} }, false],
  ['a suppression', { intent: { kind: 'suppressions' } }, false],
])('the journal says whether a contact request must still be sent: %s (D1)', (_, recorded, isOpen) => {
  expect(journalWith({ name: '3.1', ...recorded }).hasOpenRequests()).toBe(isOpen);
});

const NO_EFFECT = { status: 403, hadNoEffect: true };

// The letters stand for the fields that are true: [r]ecorded, may have an [e]ffect, [o]pen, [a]nswered.
test.each<[string, readonly Recorded[], string]>([
  ['nothing', [], ''],
  ['another batch', [{ name: '4' }, { name: '33' }, { name: '3x' }], ''],
  ['a suppression', [{ name: '3', intent: { kind: 'suppressions' } }], ''],
  ['a proof of --explicit-status', [{ name: '3.upsert.0.17', intent: { rows: 0 } }], ''],
  ['a request in flight', [{ name: '3' }], 'reo'],
  ['a part without counted rows', [{ name: '3.old', intent: { rows: 0 } }], 'reo'],
  ['an unknown outcome', [{ name: '3', state: 'doubt' }], 'reo'],
  ['a reopened replay', [{ name: '3', state: 'refused' }], 'reo'],
  ['a response', [{ name: '3', state: 'done', response: {} }], 'rea'],
  ['a replay, which may be outdated', [{ name: '3', state: 'done', response: REPLAY }], 're'],
  ['the response of a part', [{ name: '3.new', state: 'done', response: {} }], 're'],
  ['a refusal after a lost response', [{ name: '3', state: 'refused', response: { status: 403 } }], 'reo'],
  ['a refusal without an effect', [{ name: '3', state: 'refused', response: NO_EFFECT }], 'ro'],
  ['a bad row', [{ name: '3', state: 'done', response: { ...NO_EFFECT, status: 400 } }], 'ra'],
  ['a batch in halves', [{ name: '3', state: 'done', response: { ...NO_EFFECT, word: 'halved' } }], 'r'],
  [
    'a batch in halves, one of which was accepted',
    [
      { name: '3', state: 'done', response: { ...NO_EFFECT, word: 'halved' } },
      { name: '3.0', state: 'done', response: {} },
      { name: '3.1', state: 'refused', response: NO_EFFECT },
    ],
    'reo',
  ],
])('the journal knows the state of a batch after %s (C1, I9)', (_, recorded, expected) => {
  const { isRecorded, mayHaveEffect, isOpen, hasResponse } = journalWith(...recorded).stateOf('3');
  const letters = [isRecorded && 'r', mayHaveEffect && 'e', isOpen && 'o', hasResponse && 'a'];
  expect(letters.filter(Boolean).join('')).toBe(expected);
});

test.each<[string, readonly (number | undefined)[], number | undefined]>([
  ['each', [3, 9, 4], 9],
  ['one', [undefined, 4], 4],
  ['none', [undefined], undefined],
])('returns keys and latest time of contact writes when %s has a time (I7)', (_, times, until) => {
  const requests = journalWith(
    ...times.map((at, nth): Recorded => ({ name: `${nth}`, state: 'done', response: { at } })),
    { name: '8' },
    { name: '9', state: 'done', response: { at: 99 }, intent: { kind: 'suppressions' } },
  );
  const { keys, until: found } = requests.contactWrites();
  expect([[...keys].sort(), found]).toEqual([
    [...times.map((_, nth) => `svc1.contacts.${nth}.g0`), 'svc1.contacts.8.g0'],
    until,
  ]);
});
