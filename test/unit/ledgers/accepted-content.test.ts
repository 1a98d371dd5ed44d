import { expect, test } from 'vitest';
import type { ContactLedger } from '../../../src/ledgers/contact-ledger.ts';
import { readLedgerIndex } from '../../../src/ledgers/ledger-index.ts';
import { openContactLedger } from '../../../src/ledgers/open-contact-ledger.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const EMAIL = 'ana@example.com';
const send = (ledger: ContactLedger) => ledger.forgetContent([EMAIL], 1);
const accept = (run: string) => (ledger: ContactLedger) => {
  send(ledger);
  ledger.recordAccepted([{ email: EMAIL, json: '{}', optsOut: false }], run);
};
const differ = (run: string) => (ledger: ContactLedger) => ledger.forgetAllContent(run);
const suppress = (ledger: ContactLedger) => ledger.recordSuppressed([EMAIL]);
const miss = (ledger: ContactLedger) => ledger.setMissing([EMAIL], 9);
const asOlder = ({ db }: ContactLedger) => db.exec('ALTER TABLE people DROP COLUMN first_run');

const HISTORIES = [
  ['none', 'a request without a response', [send]],
  ['known', 'an acceptance', [accept('a')]],
  ['without content', 'an acceptance and a lost response', [accept('a'), send]],
  ['without content', 'an acceptance and differences of a later run', [accept('a'), differ('b')]],
  ['without content', 'two acceptances and differences of the later run', [accept('a'), accept('b'), differ('b')]],
  ['unproven', 'an acceptance and differences of the same run', [accept('a'), differ('a')]],
  ['unproven', 'two acceptances and differences of one run', [accept('a'), accept('a'), differ('a')]],
  ['unproven', 'differences and a lost response', [accept('a'), differ('a'), send]],
  ['unproven', 'differences of two runs', [accept('a'), differ('a'), accept('b'), differ('b')]],
  ['without content', 'differences, and those of a later run', [accept('a'), differ('a'), accept('b'), differ('c')]],
  ['none', 'an acceptance and a suppression', [accept('a'), send, suppress]],
  ['none', 'an acceptance and an absence', [accept('a'), miss]],
  ['without content', 'an absence, an acceptance and a lost response', [accept('a'), miss, accept('b'), send]],
] as const;

test.each(HISTORIES)('the ledger records the acceptance as "%s" after %s (G1, G2)', (acceptance, _, steps) => {
  expect(acceptanceAfter(steps)).toBe(acceptance);
});

// An earlier svc recorded no run. Without content, its ledger does not say whether the acceptance was certain.
const OLDER_HISTORIES = [
  ['none', 'a request without a response', [send], []],
  ['known', 'an acceptance', [accept('a')], []],
  ['without content', 'an acceptance, and now a lost response', [accept('a')], [send]],
  ['without content', 'an acceptance, and now differences', [accept('a')], [differ('b')]],
  ['unproven', 'an acceptance and a lost response', [accept('a'), send], []],
  ['unproven', 'differences', [accept('a'), differ('a')], []],
  ['none', 'an acceptance and an absence', [accept('a'), miss], []],
] as const;

test.each(OLDER_HISTORIES)(
  'a ledger of an older svc shows the acceptance as "%s" after %s (G1, G2)',
  (acceptance, _, before, now) => {
    expect(acceptanceAfter([...before, asOlder], now)).toBe(acceptance);
  },
);

/** Takes the first steps, opens the ledger again, and takes the other steps. */
function acceptanceAfter(
  first: readonly ((ledger: ContactLedger) => unknown)[],
  then: readonly ((ledger: ContactLedger) => unknown)[] = [],
): string | undefined {
  const place = { stateFolder: tempFolder(), origin: 'https://api.example.test', audienceId: 'aud_1' };
  const open = () => openContactLedger(place, (length) => 'a'.repeat(length));
  const before = open();
  first.forEach((step) => step(before));
  before.close();
  const ledger = open();
  then.forEach((step) => step(ledger));
  const index = readLedgerIndex(ledger.db);
  const acceptance = index.acceptanceOf(index.find(ledger.hashAddress(EMAIL)) as number);
  ledger.close();
  return acceptance;
}
