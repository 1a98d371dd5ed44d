import { expect, test } from 'vitest';
import type { ContactLedger } from '../../../src/ledgers/contact-ledger.ts';
import { openContactLedger } from '../../../src/ledgers/open-contact-ledger.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const EMAIL = 'ana@example.com';

function openedLedger() {
  const place = { stateFolder: tempFolder(), origin: 'https://api.example.test', audienceId: 'aud_1' };
  return { open: () => openContactLedger(place, (length) => 'a'.repeat(length)) };
}

/** The hash that the ledger stores, in hex. */
function hashOf(ledger: ContactLedger): string {
  return ledger.hashAddress(EMAIL).toString('hex');
}

test('keeps only the hash of a missing person who had left (G13, G1)', () => {
  const { open } = openedLedger();
  const ledger = open();
  ledger.forgetContent([EMAIL], 1);
  ledger.addLeftBefore([EMAIL]);
  ledger.removePeople([EMAIL]);
  ledger.close();
  const again = open();
  expect([again.find(again.hashAddress(EMAIL)), [...again.leftBefore()]]).toEqual([undefined, [hashOf(again)]]);
  again.close();
});

test('forgets a person who had left when a list has the person again (G13)', () => {
  const ledger = openedLedger().open();
  ledger.addLeftBefore([EMAIL]);
  ledger.forgetContent([EMAIL], 1);
  ledger.addLeftBefore(['ben@example.com']);
  expect([ledger.leftBefore().has(hashOf(ledger)), ledger.leftBefore().size]).toEqual([false, 1]);
  ledger.close();
});

test('records people who left even in the ledger of an older svc (G13)', () => {
  const { open } = openedLedger();
  const older = open();
  older.db.exec('DROP TABLE left_before');
  older.close();
  const ledger = open();
  ledger.addLeftBefore([EMAIL]);
  expect([...ledger.leftBefore()]).toEqual([hashOf(ledger)]);
  ledger.close();
});
