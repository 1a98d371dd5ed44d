import { expect, test } from 'vitest';
import { refuses } from '../../../src/import/consent-columns/cells/sentences.ts';

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
])('recognizes the refusal "%s", and not "%s" (C10)', (text, other) => {
  expect([refuses(text), refuses(text.toUpperCase()), refuses(other)]).toEqual([true, true, false]);
});
