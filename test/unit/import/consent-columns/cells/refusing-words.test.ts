import { expect, test } from 'vitest';
import { plainWordsOf } from '../../../../../src/import/consent-columns/cells/compounds.ts';
import {
  beginsWithRefusal,
  isLimitedYes,
  isShortDenial,
} from '../../../../../src/import/consent-columns/cells/sentences.ts';
import { deniesConsent } from '../../../../../src/import/consent-columns/words/phrases.ts';
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

test('asks about "yes, until 2023", and offers first to skip (C10, C11)', async () => {
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

test.each(DENIALS)('recognizes "%s" as a denial, but no longer text with it (C10)', (text) => {
  expect([isShortDenial(text), isShortDenial(`${text} in the year of the first big move to Ulm`)]).toEqual([
    true,
    false,
  ]);
});

const FORMAL_DENIALS = [
  'I do not give consent to the processing of my data',
  'I do not consent to the processing of my personal data for marketing purposes',
  'I do not give my consent to receive marketing emails from the company',
  'I don’t consent to my data being used by the company for any purpose',
  'Je ne donne pas mon consentement au traitement de mes données à cette fin',
  'Consent has not been given to the processing of my data for this purpose',
  'Ich stimme der Verarbeitung meiner Daten zu diesem Zweck ausdrücklich nicht zu',
  'Ich willige in die Verarbeitung meiner Daten zu diesem Zweck nicht ein',
  'Mit der Verarbeitung meiner Daten bin ich nicht einverstanden',
  'Meine Einwilligung in die Verarbeitung meiner Daten habe ich nicht erteilt',
  'No doy mi consentimiento para el tratamiento de mis datos personales',
];

// A text that denies nothing can be the name of a list, so it says yes.
test.each(FORMAL_DENIALS)('asks about a long denial when another row says yes: %s (C1, C10)', async (denial) => {
  for (const header of ['Consent', 'Newsletter', 'Mailing list', 'Marketing consent', 'Einwilligung']) {
    for (const yes of ['yes', 'Weekly news']) {
      const list = await readList({
        'list.csv': `Email,Status,${header}\nana@x.test,active,${yes}\nben@x.test,active,"${denial}"\n`,
      });
      const emails = list.contacts.map(({ email }) => email);
      expect([header, list.finding('unknown_status')?.level, emails]).toEqual([header, 'stop', ['ana@x.test']]);
    }
  }
});

test.each([
  'I agree that my data may be used. I can opt out at any time',
  'Yes, I want the newsletter, but not more than once a week',
  'Weekly news, no ads',
  'Ich stimme der Verarbeitung meiner Daten zu diesem Zweck zu',
])('recognizes no denial of consent in a text that agrees: %s (C10)', (text) => {
  expect(deniesConsent(plainWordsOf(text))).toBe(false);
});
