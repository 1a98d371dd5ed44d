import { expect, test } from 'vitest';
import {
  inBothSpellings,
  isSpelledOut,
  withoutMarkup,
  wordsOf,
} from '../../../../src/import/consent-columns/words/plain-words.ts';

/** Words without their umlauts, and the same words with them. */
const SPELLED_OUT = `
geloescht gelöscht
Kuendigung Kündigung
ungueltig ungültig
gewuenscht gewünscht
moechte möchte
zurueckgezogen zurückgezogen
Ruecklaeufer Rückläufer
Ruecklauf Rücklauf
Empfaenger Empfänger
bestaetigt bestätigt
aufgehoert aufgehört
frueher früher
Abgaenge Abgänge
haeufig häufig
oensker ønsker
ophoert ophørt
doed død
doede døde
doedsdato dødsdato
doeddato døddato
doedsdag dødsdag
afdoed afdød
avdoed avdød
uttraedd utträdd
avboejd avböjd
avanmaeld avanmäld
aaterkallad återkallad
`
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [string, string]);

test.each(SPELLED_OUT)('reads the spelling %s like the spelling %s (C10)', (spelled, right) => {
  expect(wordsOf(`Is ${spelled} now`)).toBe(wordsOf(`Is ${right} now`));
  expect([isSpelledOut(spelled), isSpelledOut(right)]).toEqual([true, false]);
});

test.each(['shoes', 'Noemi', 'Manuel', 'Maat', 'kuerzel', 'doedelsak', 'xdoed', 'Aachen', 'maa alla'])(
  'does not read two vowels in %s as one letter (C10)',
  (word) => {
    expect([wordsOf(word), isSpelledOut(word)]).toEqual([word.toLowerCase(), false]);
  },
);

test('reads "maa ikke" like "må ikke" (C10)', () => {
  expect(wordsOf('Maa ikke kontaktes')).toBe(wordsOf('Må ikke kontaktes'));
});

test.each([
  ['geloscht', 'geloescht'],
  ['loschung', 'loeschung'],
  ['loscht', 'loescht'],
  ['losche', 'loesche'],
  ['kundigung', 'kuendigung'],
  ['ungultig', 'ungueltig'],
  ['wunsch', 'wuensch'],
  ['mochte', 'moechte'],
  ['empfanger', 'empfaenger'],
  ['rucklaufer', 'ruecklaeufer'],
  ['rucklauf', 'ruecklauf'],
  ['abgang', 'abgaeng'],
  ['onsker', 'oensker'],
  ['ophort', 'ophoert'],
  ['afdod', 'afdoed'],
  ['avdod', 'avdoed'],
  ['maikke', 'maaikke'],
])('looks for the word %s also in the spelling %s (C10)', (right, spelled) => {
  expect(inBothSpellings(['other', right])).toEqual(['other', right, 'other', spelled]);
});

test.each([
  ['d&eacute;sabonn&eacute;', 'desabonne'],
  ['tr&egrave;s', 'tres'],
  ['arr&ecirc;t', 'arret'],
  ['gel&ouml;scht', 'geloscht'],
  ['n&atilde;o', 'nao'],
  ['inscri&ccedil;&atilde;o', 'inscricao'],
  ['p&aring; listen', 'pa listen'],
  ['p&aring;meld', 'pameld'],
  ['&oslash;nsker', 'onsker'],
  ['odhl&scaron;en', 'odhlsen'],
  ['Opted&nbsp;out', 'opted out'],
  ['opted&#160;out', 'opted out'],
  ['opted&#xa0;out', 'opted out'],
  ['<b class="x">opted</b> out<br/>', 'opted out'],
  ['<i>opted</i>out', 'opted out'],
  ['&aacute', 'aacute'],
])('reads the text %s with HTML markup as "%s" (C10)', (markup, words) => {
  expect(wordsOf(withoutMarkup(markup))).toBe(words);
});

test.each([
  ['HasOptedOutOfEmail', 'has opted out of email'],
  ['SMSOptIn2Ways', 'sms opt in2 ways'],
  ['refuséOptIn', 'refuse opt in'],
  ['ÉtatOPTOut', 'etat opt out'],
  ['größe2Öffnung', 'grosse2 offnung'],
])('separates the joined words %s into "%s" (C10)', (text, words) => {
  expect(wordsOf(text)).toBe(words);
});
