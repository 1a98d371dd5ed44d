import { expect, test } from 'vitest';
import { mentionsEnd } from '../../../../../src/import/consent-columns/end-words.ts';
import { endOfConsent } from '../../../../../src/import/consent-columns/headers/date-headers.ts';
import { AT_ANY_TIME } from '../../../../../src/import/consent-columns/phrases.ts';
import { wordsOf } from '../../../../../src/import/consent-columns/words-and-stems.ts';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

/** Words of `header-words.ts` that need other columns or cells than those of the golden files. */

const FREQUENCIES =
  'daily|weekly|monthly|quarterly|yearly|fortnightly|wöchentlich|monatlich|täglich|jährlich|hebdo|mensuel|quotidien|semanal|mensual|mensal|diario|settimanale|mensile|giornaliero|wekelijks|maandelijks|dagelijks|tygodniowo|miesięcznie|veckovis|månadsvis|maned|ugentlig|digest|single|each|every|immediate|instant|important|always|news|offers|updates|html|all|both|any|full|text|plain';

test('reads each word for a frequency as a yes under "Email frequency" (C10)', () => {
  const table = tableOf(['Email frequency']);
  expect(FREQUENCIES.split('|').filter((word) => meaningOf(table, word) !== 'agrees')).toEqual([]);
  expect(meaningOf(table, 'xyzzy')).toBe('-');
});

const OTHER_CHANNELS =
  '電話|郵送|ハガキ|电话|短信|信件|전화|우편|문자|телефон|звонок|смс|почта россии|Почтой России|هاتف|טלפון|courrier|carta|lettera|brev|brevpost|kirje|listem|listownie|poczta|postou|papel|paper|papier|print|printed|hard copy|usps|telefoon|puhelin|phonecall|correo postal|posta ordinaria|postal mail|direct mail|snail mail|paper mail|us mail|royal mail';

test('keeps mail away by each word for letters or calls as a channel (C10)', () => {
  const table = tableOf(['Preferred channel']);
  expect(OTHER_CHANNELS.split('|').filter((word) => meaningOf(table, word) !== 'refused')).toEqual([]);
  expect(['email', 'xyzzy'].map((word) => meaningOf(table, word))).toEqual(['agrees', '-']);
});

const CUSTOMER_MAIL =
  'invoice|Rechnung|factura|facture|fattura|faktura|bill|receipt|Beleg|ticket|login|sent|Versand|verschickt|envoyé|contacted|kontaktiert|reply|answer|Antwort|order|paid|payment|Zahlung|reminder|Mahnung|contract|Vertrag|statement|password|document';

test('reads no consent to a mailing in each word for other mail (C10)', () => {
  const answers = (word: string) => {
    const table = tableOf([`${word} email`], { rows: [['yes'], ['no']] });
    return ['yes', 'no'].map((cell) => meaningOf(table, cell)).join();
  };
  expect(CUSTOMER_MAIL.split('|').filter((word) => answers(word) !== '-,-')).toEqual([]);
  expect(answers('xyzzy')).toBe('agrees,refused');
});

const MAILS =
  'mail|mejl|posti|utskick|udsendelser|utsendelser|hirlevel|bulten|novinky|рассылки|reklam|reclame|werbung|advertising|marketing|markkinointi|publicidad|publicité|pubblicità|propaganda|uutiskirje|correo|courriel|реклама|писем';

test('reads a yes as an opt-out below each word for mail after "Inga" (C10)', () => {
  const read = (word: string) => meaningOf(tableOf([`Inga ${word}`]), 'yes');
  expect(MAILS.split('|').filter((word) => read(word) !== 'unsubscribed')).toEqual([]);
  expect(read('xyzzy')).toBe('-');
});

// Headers of a consent that has ended, and of one that ends on a day.
const EXPIRED =
  'Einwilligung abgelaufen|Consentimiento caducado|Consentimiento vencido|Consentiment caducat|Consenso scaduto|Toestemming verlopen|Consentement expiré|Accord expiré|Zgoda wygasła|Consentimento expirado|Samtycke utgånget|Samtykke udløbet|Samtykke utløpt|Souhlas vypršel|Súhlas vypršal|Hozzájárulás lejárt|Consimțământ expirat|Suostumus vanhentunut|Suostumus umpeutunut|Onay süresi doldu|Согласие истекло|Consent expired|Consent lapsed';
const EXPIRES =
  'Consent valid until|Consent expires|Einwilligung läuft ab|Einwilligung Ablaufdatum|Consentimiento caduca|Scadenza consenso|Consenso scade|Toestemming verloopt|Consentement expire le|Zgoda wygasa|Samtycke utgår|Samtycke utgångsdatum|Согласие истекает|Согласие действует до|Срок действия согласия';

test('reads a yes as an opt-out only when the consent has expired (C10)', () => {
  const signsUp = (header: string) => meaningOf(tableOf([header], { rows: [['yes'], ['no']] }), 'yes') === 'agrees';
  const leaves = (header: string) => meaningOf(tableOf([header]), 'yes') === 'unsubscribed';
  expect(EXPIRED.split('|').filter((header) => !leaves(header))).toEqual([]);
  expect(EXPIRES.split('|').filter((header) => !signsUp(header))).toEqual([]);
});

test('reads the words with й and ى that a pattern names (C10)', () => {
  expect(['Согласие действует до', 'Срок действия согласия', 'Согласие'].map(endOfConsent)).toEqual([
    'consent',
    'consent',
    undefined,
  ]);
  expect(['متوفى', 'متوفي', 'في'].map((text) => mentionsEnd(wordsOf(text)))).toEqual([true, true, false]);
  expect(['в любой момент', 'в любое время', 'в момент'].map((text) => AT_ANY_TIME.test(wordsOf(text)))).toEqual([
    true,
    true,
    false,
  ]);
});
