import { expect, test } from 'vitest';
import { doubtfulOptOut } from '../../../../../src/import/consent-columns/explained-headers.ts';

const REASONS =
  'reason, reasons, motif, raison, motivo, causa, causale, razon, reden, syy, powod, pricina, duvod, neden, причина';
const LINKS = ['for', 'of', 'de', 'd', 'du', 'des', 'di', 'del', 'della', 'do', 'da', 'van', 'till', 'til', 'la'];
const GERMAN_LINKS = ['für', 'der', 'des', 'zur', 'zum'];
const NORTHERN = ['orsak', 'årsag', 'årsak', 'nedeni'];

/** Headers that ask why a person left. Each names an end that no other rule reads: `exit`. */
const HEADERS = [
  ...REASONS.split(', ').map((reason) => `${reason} exit`),
  ...[...LINKS, 'el', 'il'].map((link) => `Reason ${link} exit`),
  ...['Grund exit', ...GERMAN_LINKS.map((link) => `Grund ${link} exit`)],
  ...NORTHERN.flatMap((reason) => ['', 'till ', 'til '].map((link) => `${reason} ${link}exit`)),
  ...['理由', '原因', '사유'].map((reason) => `exit ${reason}`),
  ...['Reason deactivated', 'Reason suspended', 'Reason lapsed', 'Syy eroamiseen', 'Unsubscribe reason'],
];

test.each(HEADERS)('asks about the people with a reason under the header "%s" (C10)', (header) => {
  expect(doubtfulOptOut(header, ['moved'])).toMatchObject({ meaning: 'optedOut', needsConfirmation: true });
});

test.each([
  'Closed lost reason',
  'Deal exit reason',
  'Sale exit reason',
  'Opportunity exit reason',
  'Order exit reason',
  'Return exit reason',
  'Reason for joining',
])('reads no opt-out in the reason under the header "%s"', (header) => {
  expect(doubtfulOptOut(header, ['price'])).toBeUndefined();
});
