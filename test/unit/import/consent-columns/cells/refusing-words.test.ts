import { expect, test } from 'vitest';
import {
  beginsWithRefusal,
  isLimitedYes,
  isShortDenial,
} from '../../../../../src/import/consent-columns/cells/sentences.ts';
import { readList } from '../../support.ts';

/** A refusal in each known language, and a text that only begins with the same letters. */
test.each([
  ['no thanks', 'north'],
  ['not any more', 'noted'],
  ['never', 'nevertheless fine'],
  ['nein danke', 'neinstein'],
  ['nicht mehr', 'nichte'],
  ['kein Interesse', 'ke in'],
  ['keine Werbung', 'ke'],
  ['non grazie', 'nonna'],
  ['pas de pub', 'passt'],
  ['não quero', 'naomi'],
  ['nie więcej', 'niemand'],
  ['nee bedankt', 'needs'],
  ['niet meer', 'nieten'],
  ['geen interesse', 'geena'],
  ['nej tack', 'nejla'],
  ['nei takk', 'neil'],
  ['ei kiitos', 'eisenach'],
  ['нет, спасибо', 'нетто'],
  ['не надо', 'неделя'],
  ['former member', 'form'],
  ['formerly a member', 'formula'],
  ['ex member', 'exeter'],
  ['ehemaliges Mitglied', 'ehe'],
  ['ancienne abonnée', 'anci'],
])('recognizes "%s" as a refusal, but not "%s" (C10)', (text, other) => {
  expect([beginsWithRefusal(text), beginsWithRefusal(text.toUpperCase()), beginsWithRefusal(other)]).toEqual([
    true,
    true,
    false,
  ]);
});

const LIMITED =
  'yes (until 2023)|yes, until 01/2023|ja, bis 2022|ja (bis 31.12.2020)|ja, bis auf Widerruf|oui jusqu’en 2022|sí, hasta 2021|sì, fino al 2021|ja, tot 2021|sim, até 2021|yes - expired|yes (expired)|ja (abgelaufen)|yes, but only by post|yes (post only)|yes (SMS only)|only by phone|ja, nur SMS|oui, sauf SMS|was yes|yes -> no|1→0|ja nein'.split(
    '|',
  );
const UNLIMITED =
  'yes|yes please|ja, gerne|oui !|yes, email only|newsletter only|once a month|weekly|Only offers|Butter & bread|bis 18 Jahre|yes (website)|yes*'.split(
    '|',
  );

test('asks the user about "yes, until 2023", offers to skip first (C10, C11)', async () => {
  for (const header of ['Newsletter', 'Opt-in', 'Marketing consent']) {
    for (const cell of LIMITED) {
      const list = await readList({
        'list.csv': `Email,Status,${header}\nana@x.test,active,yes\nben@x.test,active,"${cell}"\n`,
      });
      const { hint = '' } = list.finding('unknown_status') ?? {};
      expect([header, cell, list.trouble, hint.includes('=skip')]).toEqual([
        header,
        cell,
        ['stop unknown_status'],
        true,
      ]);
    }
  }
  expect(UNLIMITED.filter(isLimitedYes)).toEqual([]);
});

const DENIALS = [
  ...['I disagree', 'disapproved', 'disallowed', 'unchecked', 'unticked', 'unapproved', 'unwanted', 'unverified'],
  ...['stopped', 'canceled', 'cancelled', 'revoked', 'withdrawn', 'expired', 'nega', 'niega', 'verboten', 'neudelen'],
  ...['neudeleno', 'izinsiz', 'rifiuto', 'SMS only', 'invoice only', 'invoices only', 'service only'],
  ...['transactional only', 'does not agree'],
];

test.each(DENIALS)('takes "%s" for a denial, and no longer text (C10)', (text) => {
  expect([isShortDenial(text), isShortDenial(`${text} in the year of the first big move to Ulm`)]).toEqual([
    true,
    false,
  ]);
});
