import { expect, test } from 'vitest';
import { endOfConsent } from '../../../../../src/import/consent-columns/headers/date-headers.ts';
import { mentionsEnd } from '../../../../../src/import/consent-columns/words/end-words.ts';
import { AT_ANY_TIME } from '../../../../../src/import/consent-columns/words/phrases.ts';
import { wordsOf } from '../../../../../src/import/consent-columns/words/plain-words.ts';
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

test('reads letters and calls as a no to email under Preferred channel (C10)', () => {
  const table = tableOf(['Preferred channel']);
  expect(OTHER_CHANNELS.split('|').filter((word) => meaningOf(table, word) !== 'refused')).toEqual([]);
  expect(['email', 'xyzzy'].map((word) => meaningOf(table, word))).toEqual(['agrees', '-']);
});

const CUSTOMER_MAIL =
  'invoice|Rechnung|factura|facture|fattura|faktura|bill|receipt|Beleg|ticket|login|sent|Versand|verschickt|envoyé|contacted|kontaktiert|reply|answer|Antwort|order|paid|payment|Zahlung|reminder|Mahnung|contract|Vertrag|statement|password|document';

test('reads no consent in a column about invoices, orders or the like (C10)', () => {
  const answers = (word: string) => {
    const table = tableOf([`${word} email`], { rows: [['yes'], ['no']] });
    return ['yes', 'no'].map((cell) => meaningOf(table, cell)).join();
  };
  expect(CUSTOMER_MAIL.split('|').filter((word) => answers(word) !== '-,-')).toEqual([]);
  expect(answers('xyzzy')).toBe('agrees,refused');
});

const MAILS =
  'mail|mejl|posti|utskick|udsendelser|utsendelser|hirlevel|bulten|novinky|рассылки|reklam|reclame|werbung|advertising|marketing|markkinointi|publicidad|publicité|pubblicità|propaganda|uutiskirje|correo|courriel|реклама|писем';

test('reads a yes as an opt-out under "Inga" (no) before a word for mail (C10)', () => {
  const read = (word: string) => meaningOf(tableOf([`Inga ${word}`]), 'yes');
  expect(MAILS.split('|').filter((word) => read(word) !== 'unsubscribed')).toEqual([]);
  expect(read('xyzzy')).toBe('-');
});

// Headers of a consent that has ended, and of one that ends on a day.
const EXPIRED =
  'Einwilligung abgelaufen|Consentimiento caducado|Consentimiento vencido|Consentiment caducat|Consenso scaduto|Toestemming verlopen|Consentement expiré|Accord expiré|Zgoda wygasła|Consentimento expirado|Samtycke utgånget|Samtykke udløbet|Samtykke utløpt|Souhlas vypršel|Súhlas vypršal|Hozzájárulás lejárt|Consimțământ expirat|Suostumus vanhentunut|Suostumus umpeutunut|Onay süresi doldu|Согласие истекло|Consent expired|Consent lapsed';
const ENDED =
  'Consentement arrivé à échéance|Accord arrivé à expiration|Toestemming afgelopen|Toestemming voorbij|Einwilligung vorbei|Einwilligung zu Ende|Consentimiento retirada|Assinatura retirada|Consentimento acabado|Consentimento findo|Согласие окончено|Согласие окончилось|Согласие утрачено|Onay doldu|Samtycke upphävt|Samtycke indraget|Samtykke ophævet|Samtykke opphevet|Souhlas odebrán|Súhlas odobratý|Suostumus loppunut|Hozzájárulás megszűnt|Hozzájárulás véget ért|Consent retracted|Permission rescinded|Consent run out|Einwilligung ausgelaufen|Einverständnis verfallen|Zustimmung verjährt|Erlaubnis zurückgenommen|Consentement révoqué|Autorisation révoquée|Consentement échu|Autorisation échue|Accord périmé|Autorisation périmée|Consentement caduc|Autorisation caduque|Autorisation expirée|Abonnement expiré|Permission expirée|Suscripción retirada|Autorización retirada|Consenso decaduto|Consenso estinto|Consentimiento extinguido|Toestemming geëindigd|Toestemming opgeheven|Zgoda odwołana|Zgoda unieważniona|Zgoda przeterminowana|Zgoda wygaszona|Zgoda nieważna|Zgoda skończyła się|Zgoda upłynęła|Согласие просрочено|Согласие закончилось|Согласие кончилось|Согласие истекшее|Согласие утратило силу|Согласие недействительно|Onay sona erdi|Onay sona ermiş|Onay süresi bitti|Onay süresi geçti|Onay bitmiş|Onay sonlandı|Onay geçersiz|Samtycke upphört|Samtycke har gått ut|Samtycke löpt ut|Samtycke tillbakadraget|Samtycke förfallet|Samtycke ogiltigt|Samtykke bortfaldet|Samtykke forældet|Samtykke utgått|Samtykke bortfalt|Samtykke opphørt|Samtykke ugyldig|Suostumus rauennut|Suostumus erääntynyt|Suostumus lakannut|Souhlas zanikl|Souhlas propadl|Souhlas uplynul|Souhlas skončil|Souhlas neplatný|同意已过期|同意已到期|同意失效|许可已结束|訂閱已終止|同意已作废|同意失効|同意期限切れ|同意取り消し|同意取り下げ|購読満了|同意無効|동의 만료|동의 만료됨|동의 끝남|동의 기한 지남|동의 종료|동의 소멸|동의 실효|동의 무효';
const NOT_ENDED =
  '同意已到期日|同意过期时间|同意未过期|同意失効日|동의 만료일|동의 만료 시간|동의 만료되지 않음|동의 종료 안 함|동의 기한 안 지남|同意到期日|同意到期时间|Toestemming afgelopen jaar|Consent over 18|Odebraný newsletter';
const MAY_HAVE_ENDED =
  'Consent outdated|Einwilligung aufgehoben|Einwilligung veraltet|Consentement terminé|Autorisation terminée|Consentement dépassé|Autorisation dépassée|Consent over|Consent is over|Consent finished|Consenso finito|Consenso concluso|Consensi finiti|Consentement fini|Consentement est fini|Consentimiento concluido|Consimțământ încheiat|Согласие завершено|Согласие завершилось|同意到期|同意逾期';
const EXPIRES =
  'Consent valid until|Consent expires|Einwilligung läuft ab|Einwilligung Ablaufdatum|Consentimiento caduca|Scadenza consenso|Consenso scade|Toestemming verloopt|Consentement expire le|Zgoda wygasa|Samtycke utgår|Samtycke utgångsdatum|Samtycke förfallodatum|Samtykke forfallsdato|Toestemming vervaldatum|Onay bitiş tarihi|Zgoda wygasa dnia|Согласие истекает|Согласие действует до|Срок действия согласия';

test('reads a yes as an opt-out only when the header says consent ended (C10)', () => {
  const signsUp = (header: string) => meaningOf(tableOf([header], { rows: [['yes'], ['no']] }), 'yes') === 'agrees';
  const leaves = (header: string) => meaningOf(tableOf([header]), 'yes') === 'unsubscribed';
  expect(`${EXPIRED}|${ENDED}`.split('|').filter((header) => !leaves(header))).toEqual([]);
  expect(NOT_ENDED.split('|').filter(leaves)).toEqual([]);
  expect(MAY_HAVE_ENDED.split('|').filter((header) => leaves(header) || signsUp(header))).toEqual([]);
  expect(EXPIRES.split('|').filter((header) => !signsUp(header))).toEqual([]);
});

test('recognizes Russian and Arabic words that are spelled with й or ى (C10)', () => {
  expect(
    ['Согласие действует до', 'Срок действия согласия', 'Согласие'].map((header) => endOfConsent(header, [])),
  ).toEqual(['consent', 'consent', undefined]);
  expect(['متوفى', 'متوفي', 'في'].map((text) => mentionsEnd(wordsOf(text)))).toEqual([true, true, false]);
  expect(['в любой момент', 'в любое время', 'в момент'].map((text) => AT_ANY_TIME.test(wordsOf(text)))).toEqual([
    true,
    true,
    false,
  ]);
});

const MAY_BE_MAILED =
  'Contact allowed|Contact permitted|Contact welcome|Kontakt erlaubt|Kontakt gewünscht|Contact souhaité|Contacto permitido|Contatto consentito|Contact gewenst|Allowed|Permitted|Wanted|Willing|Still interested|Kept|Retain|Joignable|Raggiungibile|Localizable|Bereikbaar|Osiągalny|Geldig|Giltig|Gyldig|Aktif|On list|In the mailing list|有効|有效|유효';

test('asks about a no under a header for people who may be mailed (C10)', () => {
  const isSilent = (header: string) => meaningOf(tableOf([header], { rows: [['yes'], ['no']] }), 'no') !== 'refused';
  expect(MAY_BE_MAILED.split('|').filter(isSilent)).toEqual([]);
  expect(['Contact name', 'Contacted', 'Member', 'City'].filter(isSilent)).toHaveLength(4);
});

const SENDABLE = 'Sendable|Is sendable|Messageable|Mailbar|Anmailbar|Anschreibbar|Versendbar';
const SIGNED =
  'Datenschutz unterschrieben|Datenschutz ok|Datenschutzerklärung vorhanden|Datenschutzerklärung liegt vor|Datenschutz erteilt|DSE unterzeichnet|DS unterschrieben|Datenschutzblatt|Datenschutzformular|Datenschutzvereinbarung|Privacy signed|Privacy policy signed|Privacy notice signed|Privacy firmata|Privacy firmato|Privacy accettata|Privacidad firmada|Privacidad firmado|Política de privacidad|Política de privacidade|Política de privacidade aceite|Privacidade assinada|Confidentialité signée|Politique de confidentialité signé|AVG getekend|Privacyverklaring ondertekend|Privacy podpisane';

test.each(Object.entries({ Sendable: SENDABLE, 'Privacy signed': SIGNED }))(
  'asks about a no under %s (C10)',
  (_, headers) => {
    const isSilent = (header: string) =>
      ['0', 'no', 'N'].some((cell) => meaningOf(tableOf([header]), cell) !== 'refused');
    expect(headers.split('|').filter(isSilent)).toEqual([]);
  },
);
