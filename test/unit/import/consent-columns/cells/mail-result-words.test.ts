import { expect, test } from 'vitest';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

/** The words of the source for what mail servers and email services report. Each is read through a column. */

const each = (words: string, template = '%') => words.split('|').map((word) => template.replace('%', word));

const ERRORS =
  'error|errors|failure|failures|Fehler|erreur|erreurs|errore|errores|errori|erro|erros|fouten|fout|blad|fel|feil|fejl|ошибка|ошибки';
const DETAILS =
  'code|message|text|reason|type|date|dates|datum|time|count|description|detail|details|status|flag|flags|y n|at|on|am|since|seit|depuis|sinds';
const SENDING =
  'email|e mail|mail|mails|mailing|delivery|deliveries|send|sending|Zustellung|Versand|livraison|envoi|envio|entrega|invio|consegna|bezorging|verzending|dostarczanie|wysylka|доставка|отправка';

const ERROR_HEADERS = [
  ...each(ERRORS),
  ...each(ERRORS, 'SMTP %'),
  ...each(ERRORS, 'Last %'),
  ...each(DETAILS, 'SMTP error %'),
  ...each('SMTP|DSN|NDR|MTA', '% error'),
  ...each('code|reply|response|answer|status|result|text|message|log', 'DSN %'),
  ...each('NDR|DSN|Last SMTP code|Remote SMTP code'),
  ...each('reply|response|answer', 'Server %'),
  ...each('Last|Remote|SMTP|Mail', '% server reply'),
  ...each('Diagnostic|Diagnostics|Remote diagnostic|Diagnostic code|Diagnostic message|Diagnostic text'),
  ...each(SENDING, '% error'),
  ...each('de |di |do |da |van |bei |beim |d’|de l ', 'Error %mail'),
  ...each(
    'SMTP|email|mail|delivery|Zustellung|Versand|livraison|envoi|envio|entrega|invio|consegna|bezorging|verzending|доставки|отправки',
    'Erreur %',
  ),
  ...each('Zustell|Versand|Sende|Mail|Letzter Zustell', '%fehler'),
  ...each('meldung|code|text|grund', 'Zustellfehler%'),
  ...each('Last|Latest|Letzter|Dernière|Último|Laatste|Ostatni|Senaste|Siste|Sidste|Последняя', '% error'),
  ...each('message|text|code|reason|Meldung|melding', 'Error %'),
  ...each('Message d’erreur|Mensaje de error|Messaggio di errore|Mensagem de erro'),
  ...each('Fehlermeldung|Foutmelding|Fehlertext|Felmeddelande|Fejlmeddelelse|Feilmelding|Fehlermeldungen'),
];

test('asks about an unknown text under each header of a mail error (C6, C10)', () => {
  const read = ERROR_HEADERS.map((header) => [header, meaningOf(tableOf([header]), 'xyzzy')]);
  expect(read.filter(([, meaning]) => meaning !== 'refused')).toEqual([]);
  expect(meaningOf(tableOf(['Shoe error']), 'xyzzy')).toBe('-');
});

const HARMLESS =
  'ok|okay|250 OK|smtp; 250 ok|4.2.2 full|450 busy|success|ana@x.test|+49 030 1234|no error|no errors|0 errors|no failure|no failures|kein Fehler|keine Fehler|sin errores|aucun erreur|aucune erreur|nessun errore|geen fout|geen fouten|brak bledow|brak bledu|inget fel|ingen feil|ingen fejl|nenhum erro|sem erro|sem erros';

test('reads no failure in each harmless text under "SMTP error" (C6)', () => {
  const table = tableOf(['SMTP error']);
  expect(each(HARMLESS).filter((text) => meaningOf(table, text) !== '-')).toEqual([]);
});

test.each([
  ['skipped bounced', 'Mail|SMTP|NDR|Delivery|Zustell|Versand|Livraison|Envoi|Envio|Entrega|Invio|Consegna'],
  ['refused', 'DSN|Last'],
])('reads a yes as "%s" when an error header begins with: %s (C6)', (meaning, names) => {
  const read = each(names, '% error').map((header) => [header, meaningOf(tableOf([header]), 'yes')]);
  expect(read.filter(([, each]) => each !== meaning)).toEqual([]);
});

const IN_ANY_COLUMN = {
  'skipped bounced': [
    ...each(
      'smtp|dsn|ndr|mta|mx|mx1|mailer|e-mail|email|mailbox|user|resolver|returned|remote|host|server|bounce|bounced|error|errore|erreur|erro|permanent|sorry|requested|rcpt|failed|fehlgeschlagen|rejected|refused|undeliverable|Zustellung|a@x.test|said:',
      '% 512 5.3.21',
    ),
    ...each('no|(no|: no|<no', '512 5.3.21 %'),
    ...each('user|recipient|mailbox|address|account', '550 % unknown'),
    ...each('user|recipient|mailbox|address|account', '550 no such %'),
    ...each('no such|unknown|invalid', '550 % user'),
    ...each("unknown|not found|unavailable|not exist|doesn't exist|disabled|rejected|invalid", '550 the account %'),
    ...each('550 |551 |552 |553 |554 |550#|550;|550: |smtp; 550 ', '%no such user'),
  ],
  refused: [
    ...each(
      'x|order|invoice|firmware|software|version|ver|rev|revision|release|build|model|modell|modello|part|item|art|artikel|article|sku|din|iso|room|raum|zimmer|tel|phone|auftrag|bestellung|rechnung|commande|facture|pedido|factura|ordine|fattura',
      '% 530 5.1.2',
    ),
    ...each(
      'order|invoice|firmware|software|version|ver|rev|revision|release|build|model|modell|modello|part|item|art|artikel|article|sku|din|iso|room|raum|zimmer|tel|phone|auftrag|bestellung|rechnung|commande|facture|pedido|factura|ordine|fattura',
      '% 550 5.1.2',
    ),
    ...each('.|:|#|. no|. no.| nr| nr.| n°| #', 'order% 550 5.1.2'),
    ...each(
      'st|street|rd|road|ave|avenue|dr|drive|ln|lane|blvd|way|court|square|rue|via|calle|hauptstrasse|hauptstraße',
      '550 elm % address unknown',
    ),
    ...each('Elm St -|Elm Hill,|Elm Hill:', '550 % address unknown'),
  ],
  '-': ['555 no such user', 'x 562 5.3.21', '512 5.8.21', 'no such user'],
};

test.each(Object.entries(IN_ANY_COLUMN))(
  'reads replies of mail servers as "%s" in any column (C6, C10)',
  (meaning, texts) => {
    const table = tableOf(['Address 2']);
    const read = texts.map((text) => [text, meaningOf(table, text)]);
    expect(read.filter(([, each]) => each !== meaning)).toEqual([]);
  },
);

const EVENTS = {
  '-': 'open|opened|email opened|opened email|unique open|click|clicked|link clicked|clicked link|read|sent|send|email sent|delivered|delivery|processed|deferred|deferral|queued|accepted|soft bounce',
  'skipped bounced':
    'bounce|bounced|email bounced|dropped|drop|failed|rejected|reject|undelivered|not delivered|permanent fail|permanent failure|Zustellfehler|rebond|rebote|rimbalzo',
  pending: 'confirmation sent|confirmation email sent|Bestätigungsmail versendet',
  complained: 'complaint|spam complaint|spam report|complained|marked as spam|spam',
  unsubscribed: 'unsubscribe|unsubscribed|list unsubscribe|group unsubscribe',
};

test.each(Object.entries(EVENTS))('reads each of these last events as "%s": %s (C6)', (meaning, words) => {
  const table = tableOf(['Last event'], { rows: [['opened'], ['clicked'], ['sent']] });
  const read = each(words).map((word) => [word, meaningOf(table, word)]);
  expect(read.filter(([, each]) => each !== meaning)).toEqual([]);
});

test('reads a bounce under each header of events (C6)', () => {
  const names =
    'event|events|activity|action|actions|engagement|interaction|response|result|email|Ereignis|Aktion|Aktivität|evento|acción|ação|acao|azione|événement|gebeurtenis|actie|zdarzenie|händelse|handling|hendelse|tapahtuma|olay|событие';
  const rows = [['opened'], ['foo'], ['bar']];
  const headers = [...each(names, 'Last %'), ...each('type|name|typ', 'Event %')];
  const read = headers.map((header) => [header, meaningOf(tableOf([header], { rows }), 'bounced')]);
  expect(read.filter(([, each]) => each !== 'skipped bounced')).toEqual([]);
});
