import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEnrollmentLedger } from '../../../src/ledgers/enrollment-ledger.ts';
import { stateFolderLayout } from '../../../src/runs/store/state-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ORIGIN = 'https://api.example.test';
const ENROLLED = { outcome: 'enrolled', run: 'run_a', time: 5 };

test('the enrollment ledger holds what an earlier run recorded (M5)', () => {
  const state = tempFolder();
  const first = openEnrollmentLedger(state, ORIGIN, 'aut_1');
  first.record('ana@example.com', { outcome: 'unknown', run: 'run_a', time: 4 });
  first.record('ana@example.com', ENROLLED);
  first.close();
  const next = openEnrollmentLedger(state, ORIGIN, 'aut_1');
  expect([next.lookup('ana@example.com'), next.lookup('ben@example.com')]).toEqual([ENROLLED, undefined]);
  next.close();
});

test('finds an entry under each spelling, but not under a look-alike (F8)', () => {
  const ledger = openEnrollmentLedger(tempFolder(), ORIGIN, 'aut_1');
  ledger.record('ana@m\u00fcnchen.example', ENROLLED);
  const [spelling, lookAlike, other] = ['ana@xn--mnchen-3ya.example', 'a\uff4ea@m\u00fcnchen.example', 'a@b.example'];
  expect([spelling, lookAlike, other].map((email) => ledger.lookup(email))).toEqual([ENROLLED, undefined, undefined]);
  expect([spelling, lookAlike, other].map((email) => ledger.lookupLookAlikes(email))).toEqual([
    [ENROLLED],
    [ENROLLED],
    [],
  ]);
  ledger.close();
});

test('lets two runs write to one enrollment ledger at the same time', () => {
  const state = tempFolder();
  const [one, other] = [openEnrollmentLedger(state, ORIGIN, 'aut_1'), openEnrollmentLedger(state, ORIGIN, 'aut_1')];
  one.record('ana@example.com', ENROLLED);
  other.record('ben@example.com', ENROLLED);
  expect([other.lookup('ana@example.com'), one.lookup('ben@example.com')]).toEqual([ENROLLED, ENROLLED]);
  one.close();
  other.close();
});

test.each([
  ['automation', ORIGIN, 'aut_2'],
  ['origin', 'emulator:1', 'aut_1'],
])('uses another enrollment ledger for another %s', (_, origin, automation) => {
  const state = tempFolder();
  const ledger = openEnrollmentLedger(state, ORIGIN, 'aut_1');
  ledger.record('ana@example.com', ENROLLED);
  const other = openEnrollmentLedger(state, origin, automation);
  expect(other.lookup('ana@example.com')).toBe(undefined);
  ledger.close();
  other.close();
});

test('makes the enrollment ledger private and stores no address in it (D6)', () => {
  const state = tempFolder();
  const ledger = openEnrollmentLedger(state, ORIGIN, 'aut_1');
  ledger.record('ana@example.com', ENROLLED);
  ledger.close();
  const { ledgers } = stateFolderLayout(state);
  const files = readdirSync(ledgers).map((name) => join(ledgers, name));
  expect(files.map((file) => [statSync(file).mode & 0o777, readFileSync(file, 'latin1').includes('ana@')])).toEqual([
    [0o600, false],
  ]);
});

test('dates a new ledger entry after all others when the clock is behind (P7)', () => {
  const state = tempFolder();
  const first = openEnrollmentLedger(state, ORIGIN, 'aut_1');
  first.recordAsNewest('ana@example.com', { ...ENROLLED, time: 100 });
  first.close();
  const next = openEnrollmentLedger(state, ORIGIN, 'aut_1');
  next.recordAsNewest('ben@example.com', ENROLLED);
  next.recordAsNewest('cy@example.com', ENROLLED);
  next.recordAsNewest('dan@example.com', { ...ENROLLED, time: 200 });
  const names = ['ana', 'ben', 'cy', 'dan'];
  expect(names.map((name) => next.lookup(`${name}@example.com`)?.time)).toEqual([100, 101, 102, 200]);
  expect(next.newest()).toBe(200);
  next.close();
});
