import { describe, expect, test } from 'vitest';
import { createRun, type Journal } from '../../../src/runs/store/journal.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { answer, header, intent } from './samples.ts';

function journalOf(): Journal {
  return createRun(tempFolder(), header('run_1'));
}

const FAILURES = [
  { source: 0, line: 9, code: 'invalid_email', detail: 'no TLD' },
  { source: 0, line: 4, code: 'email_suppressed' },
];

test('I9: finds an intent with its key before any response', () => {
  const { units } = journalOf();
  const details = { name: 'News', secretFile: '/keys/secret' };
  const id = units.begin(intent('17.0.1', { kind: 'creation', bodyHash: 'b'.repeat(64), details }));
  expect(units.find('creation', '17.0.1')).toEqual({
    id,
    kind: 'creation',
    name: '17.0.1',
    key: 'svc1.contacts.17.0.1.g0',
    generation: 0,
    rows: 10,
    firstSentAt: 5,
    bodyHash: 'b'.repeat(64),
    details,
    state: 'pending',
    answer: undefined,
  });
});

test('finds no request that was not recorded', () => {
  const { units } = journalOf();
  units.begin(intent('0'));
  expect([units.find('suppressions', '0'), units.find('contacts', '1')]).toEqual([undefined, undefined]);
});

test('refuses a second request of the same kind and name', () => {
  const { units } = journalOf();
  units.begin(intent('0'));
  units.begin(intent('0', { kind: 'suppressions' }));
  expect(() => units.begin(intent('0'))).toThrow('UNIQUE');
});

test('reads back a whole outcome with its failures', () => {
  const { units } = journalOf();
  const id = units.begin(intent('0'));
  const given = answer({ replayed: true, created: 3, updated: 4, alreadySuppressed: 1, word: 'x', failures: FAILURES });
  units.recordOutcome(id, 'done', given);
  const { state, answer: kept } = units.find('contacts', '0') ?? {};
  expect({ state, kept }).toEqual({ state: 'done', kept: given });
});

test('replaces an earlier outcome and its failures', () => {
  const { units, counts } = journalOf();
  const id = units.begin(intent('0'));
  units.recordOutcome(id, 'refused', answer({ status: 400, failures: FAILURES }));
  units.recordOutcome(id, 'doubt');
  expect([units.find('contacts', '0')?.answer, counts().failed]).toEqual([undefined, {}]);
});

test('I1: makes a request pending under its next key and deletes the old response', () => {
  const { units, counts } = journalOf();
  const id = units.begin(intent('0'));
  units.recordOutcome(
    id,
    'refused',
    answer({ status: 403, replayed: true, word: 'plan_limit_reached', failures: FAILURES }),
  );
  units.replaceKey(id, { key: 'svc1.contacts.0.g1', generation: 1, firstSentAt: 7 });
  const { key, generation, firstSentAt, state, answer: kept } = units.find('contacts', '0') ?? {};
  expect({ key, generation, firstSentAt, state, kept, failed: counts().failed }).toEqual({
    key: 'svc1.contacts.0.g1',
    generation: 1,
    firstSentAt: 7,
    state: 'pending',
    kept: undefined,
    failed: {},
  });
});

test.each([
  ['finish', ({ units }: Journal) => units.recordOutcome(7, 'done', answer({ failures: [] }))],
  ['regenerate', ({ units }: Journal) => units.replaceKey(7, { key: 'k', generation: 1, firstSentAt: 1 })],
])('fails on %s of an unknown request', (_, act) => {
  expect(() => act(journalOf())).toThrow('no request 7');
});

test('leaves the request pending when a failure cannot be stored', () => {
  const { units } = journalOf();
  const id = units.begin(intent('0'));
  const broken = { source: 0, line: 0.5, code: 'x' };
  expect(() => units.recordOutcome(id, 'done', answer({ failures: [FAILURES[0] ?? broken, broken] }))).toThrow();
  const { state, answer: kept } = units.find('contacts', '0') ?? {};
  expect({ state, kept, failures: [...units.failures()] }).toEqual({ state: 'pending', kept: undefined, failures: [] });
});

test('lists failures in the order of the inputs with their request', () => {
  const { units } = journalOf();
  const late = units.begin(intent('1'));
  const early = units.begin(intent('0'));
  units.recordOutcome(late, 'done', answer({ failures: [{ source: 1, line: 2, code: 'b' }, ...FAILURES] }));
  units.recordOutcome(early, 'done', answer({ failures: [{ source: 0, line: 5, code: 'a' }] }));
  expect([...units.failures()]).toEqual([
    { kind: 'contacts', unit: '1', source: 0, line: 4, code: 'email_suppressed' },
    { kind: 'contacts', unit: '0', source: 0, line: 5, code: 'a' },
    { kind: 'contacts', unit: '1', source: 0, line: 9, code: 'invalid_email', detail: 'no TLD' },
    { kind: 'contacts', unit: '1', source: 1, line: 2, code: 'b' },
  ]);
});

describe('the counts', () => {
  const nothing = {
    created: 0,
    updated: 0,
    freshCreated: 0,
    freshUpdated: 0,
    suppressed: 0,
    alreadySuppressed: 0,
    replayed: 0,
    outcomes: {},
    failed: {},
    refused: 0,
    doubt: 0,
    pending: 0,
  };

  function busyJournal(): Journal {
    const journal = journalOf();
    const { units } = journal;
    units.recordOutcome(units.begin(intent('0')), 'done', answer({ created: 7, updated: 1, failures: FAILURES }));
    units.recordOutcome(units.begin(intent('1')), 'done', answer({ replayed: true, created: 10 }));
    units.recordOutcome(units.begin(intent('2', { rows: 3 })), 'refused', answer({ status: 403, created: 99 }));
    units.recordOutcome(units.begin(intent('3', { rows: 4 })), 'doubt');
    units.begin(intent('4', { rows: 5 }));
    const silenced = units.begin(intent('bounced.0', { kind: 'suppressions', rows: 20 }));
    units.recordOutcome(silenced, 'done', answer({ created: 15, alreadySuppressed: 5 }));
    for (const [name, word] of Object.entries({ a: 'enrolled', b: 'enrolled', c: '__proto__' })) {
      units.recordOutcome(units.begin(intent(name, { kind: 'enrollment', rows: 1 })), 'done', answer({ word }));
    }
    units.recordOutcome(
      units.begin(intent('news', { kind: 'creation', rows: 0 })),
      'done',
      answer({ created: 1, word: 'aud_1' }),
    );
    return journal;
  }

  test('are all zero for a run without requests', () => {
    expect(journalOf().counts()).toEqual(nothing);
  });

  test('I7, F7: count each row once, replays separately, any outcome', () => {
    expect(busyJournal().counts()).toEqual({
      created: 17,
      updated: 1,
      freshCreated: 7,
      freshUpdated: 1,
      suppressed: 15,
      alreadySuppressed: 5,
      replayed: 10,
      outcomes: JSON.parse('{"__proto__":1,"enrolled":2}'),
      failed: { email_suppressed: 1, invalid_email: 1 },
      refused: 3,
      doubt: 4,
      pending: 5,
    });
  });

  test('cover only the requested kind', () => {
    expect(busyJournal().counts('suppressions')).toEqual({ ...nothing, suppressed: 15, alreadySuppressed: 5 });
  });
});
