import { describe, expect, test } from 'vitest';
import type { Journal } from '../../../../src/runs/store/journal.ts';
import { createJournal } from '../../../../src/runs/store/open-journal.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { header, intent, response } from '../samples.ts';

function journalOf(): Journal {
  return createJournal(tempFolder(), header('run_1'));
}

const FAILURES = [
  { source: 0, line: 9, code: 'invalid_email', detail: 'no TLD' },
  { source: 0, line: 4, code: 'email_suppressed' },
];

test('the journal stores a request with its key before its response (I9)', () => {
  const { requests } = journalOf();
  const id = requests.recordIntent(intent('17.0.1', { kind: 'creation' }));
  expect(requests.find('creation', '17.0.1')).toStrictEqual({
    id,
    kind: 'creation',
    name: '17.0.1',
    key: 'svc1.contacts.17.0.1.g0',
    keyVersion: 0,
    rows: 10,
    firstSentAt: 5,
    state: 'pending',
    response: undefined,
  });
});

test('the journal finds no request that was not recorded', () => {
  const { requests } = journalOf();
  requests.recordIntent(intent('0'));
  expect([requests.find('suppressions', '0'), requests.find('contacts', '1')]).toEqual([undefined, undefined]);
});

test('the journal refuses a second request of the same kind and name', () => {
  const { requests } = journalOf();
  requests.recordIntent(intent('0'));
  requests.recordIntent(intent('0', { kind: 'suppressions' }));
  expect(() => requests.recordIntent(intent('0'))).toThrow('UNIQUE');
});

test('the journal returns the outcome of a request with its failed rows', () => {
  const { requests } = journalOf();
  const id = requests.recordIntent(intent('0'));
  const given = response({
    replayed: true,
    created: 3,
    updated: 4,
    alreadySuppressed: 1,
    word: 'x',
    failures: FAILURES,
  });
  requests.recordOutcome(id, 'done', given);
  const { state, response: kept } = requests.find('contacts', '0') ?? {};
  expect({ state, kept }).toEqual({ state: 'done', kept: given });
});

test('the journal delays the sync to disk only for known outcomes (I9, I4)', () => {
  const { requests, db } = journalOf();
  const exec = db.exec.bind(db);
  const commits: string[] = [];
  db.exec = (sql) => {
    if (sql === 'COMMIT') {
      commits.push(db.prepare('PRAGMA synchronous').get()?.synchronous === 2 ? 'synced' : 'unsynced');
    }
    exec(sql);
  };
  const [first, second, third] = [intent('0'), intent('1'), intent('2')].map(requests.recordIntent) as [
    number,
    number,
    number,
  ];
  requests.recordOutcome(third, 'doubt');
  requests.recordOutcome(first, 'done', response());
  requests.recordOutcome(second, 'doubt');
  requests.replaceKey(second, { key: 'k', keyVersion: 1, firstSentAt: 9 });
  expect(commits).toEqual(['synced', 'synced', 'synced', 'synced', 'unsynced', 'synced', 'synced']);
});

test('the journal replaces an earlier outcome of a request and its rows', () => {
  const { requests, counts } = journalOf();
  const id = requests.recordIntent(intent('0'));
  requests.recordOutcome(id, 'refused', response({ status: 400, failures: FAILURES }));
  requests.recordOutcome(id, 'doubt');
  expect([requests.find('contacts', '0')?.response, counts().failed]).toEqual([undefined, {}]);
});

test('the journal deletes the old response when a request gets a new key (I1)', () => {
  const { requests, counts } = journalOf();
  const id = requests.recordIntent(intent('0'));
  requests.recordOutcome(
    id,
    'refused',
    response({ status: 403, replayed: true, word: 'plan_limit_reached', failures: FAILURES }),
  );
  requests.replaceKey(id, { key: 'svc1.contacts.0.g1', keyVersion: 1, firstSentAt: 7 });
  const { key, keyVersion, firstSentAt, state, response: kept } = requests.find('contacts', '0') ?? {};
  expect({ key, keyVersion, firstSentAt, state, kept, failed: counts().failed }).toEqual({
    key: 'svc1.contacts.0.g1',
    keyVersion: 1,
    firstSentAt: 7,
    state: 'pending',
    kept: undefined,
    failed: {},
  });
});

test.each([
  ['record the outcome', ({ requests }: Journal) => requests.recordOutcome(7, 'done', response({ failures: [] }))],
  ['replace the key', ({ requests }: Journal) => requests.replaceKey(7, { key: 'k', keyVersion: 1, firstSentAt: 1 })],
])('the journal fails when it must %s of an unknown request', (_, act) => {
  expect(() => act(journalOf())).toThrow('no request 7');
});

test('the journal keeps a request pending when a failed row cannot be stored', () => {
  const { requests } = journalOf();
  const id = requests.recordIntent(intent('0'));
  const broken = { source: 0, line: 0.5, code: 'x' };
  expect(() => requests.recordOutcome(id, 'done', response({ failures: [FAILURES[0] ?? broken, broken] }))).toThrow();
  const { state, response: kept } = requests.find('contacts', '0') ?? {};
  expect({ state, kept, failures: [...requests.failures()] }).toEqual({
    state: 'pending',
    kept: undefined,
    failures: [],
  });
});

test('the journal lists failed rows in the order of the inputs', () => {
  const { requests } = journalOf();
  const late = requests.recordIntent(intent('1'));
  const early = requests.recordIntent(intent('0'));
  requests.recordOutcome(late, 'done', response({ failures: [{ source: 1, line: 2, code: 'b' }, ...FAILURES] }));
  requests.recordOutcome(early, 'done', response({ failures: [{ source: 0, line: 5, code: 'a' }] }));
  expect([...requests.failures()]).toEqual([
    { kind: 'contacts', requestName: '1', source: 0, line: 4, code: 'email_suppressed' },
    { kind: 'contacts', requestName: '0', source: 0, line: 5, code: 'a' },
    { kind: 'contacts', requestName: '1', source: 0, line: 9, code: 'invalid_email', detail: 'no TLD' },
    { kind: 'contacts', requestName: '1', source: 1, line: 2, code: 'b' },
  ]);
});

describe('the counts of a journal', () => {
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
    const { requests } = journal;
    requests.recordOutcome(
      requests.recordIntent(intent('0')),
      'done',
      response({ created: 7, updated: 1, failures: FAILURES }),
    );
    requests.recordOutcome(requests.recordIntent(intent('1')), 'done', response({ replayed: true, created: 10 }));
    requests.recordOutcome(
      requests.recordIntent(intent('2', { rows: 3 })),
      'refused',
      response({ status: 403, created: 99 }),
    );
    requests.recordOutcome(requests.recordIntent(intent('3', { rows: 4 })), 'doubt');
    requests.recordIntent(intent('4', { rows: 5 }));
    const silenced = requests.recordIntent(intent('bounced.0', { kind: 'suppressions', rows: 20 }));
    requests.recordOutcome(silenced, 'done', response({ created: 15, alreadySuppressed: 5 }));
    for (const [name, word] of Object.entries({ a: 'enrolled', b: 'enrolled', c: '__proto__' })) {
      requests.recordOutcome(
        requests.recordIntent(intent(name, { kind: 'enrollment', rows: 1 })),
        'done',
        response({ word }),
      );
    }
    requests.recordOutcome(
      requests.recordIntent(intent('news', { kind: 'creation', rows: 0 })),
      'done',
      response({ created: 1, word: 'aud_1' }),
    );
    return journal;
  }

  test('the journal counts zero rows when a run has no requests', () => {
    expect(journalOf().counts()).toEqual(nothing);
  });

  test('counts each row of a journal once, replayed rows separately (I7, F7)', () => {
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

  test('the journal counts only suppressions when asked for them', () => {
    expect(busyJournal().counts('suppressions')).toEqual({ ...nothing, suppressed: 15, alreadySuppressed: 5 });
  });
});
