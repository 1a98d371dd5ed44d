import { expect, test } from 'vitest';
import { endOfConsent } from '../../../../../src/import/consent-columns/headers/date-headers.ts';
import { readHeader } from '../../../../../src/import/consent-columns/headers/read-header.ts';
import { readList } from '../../support.ts';

/** Headers under which a yes, or a date, says that the person opted out or must not be mailed. */
const LEAVING = {
  English:
    'Remove?|To remove|Delete|Removal date|Exclusion|Do not use|Do not solicit|No bulk|No further contact|Leave date|Gone|Terminated|End of consent|Forget me|RTBF|Processing restricted|Bad address|Email error|Account closed|Emails off|Rejects mail|Restrict processing|Not interested|No longer interested',
  German:
    'Werbung unerwünscht|Newsletter gekündigt|Abo beendet|Löschwunsch|Löschantrag|Unbekannt verzogen|Nicht mehr anschreiben|Kein Kontakt|Kontaktverbot|Annahme verweigert|DSGVO-Löschung|Einschränkung der Verarbeitung|Ausschluss|E-Mail ungültig|LöKz|LÖKZ|Loekz|LoeKz|Lösch-Kz|Lösch-Kennz.|LOEVM|LVORM|Nicht einladen',
  French: 'Ne pas mailer|Opposé|Bloqué|Exclu|Retiré|Adresse invalide|Plus de mails',
  Spanish: 'Rechaza publicidad|Rechazo|Excluido|Oposición|Anulado|Fecha de baja',
  Italian: 'Escluso|Deceduto|Rimosso|Rifiuta|Disdetta|Errore mail|Opposizione',
  Dutch: 'Bezwaar|Opzegging|Uitgesloten|Overleden|Nee-sticker',
  Polish: 'Data wypisu|Sprzeciw|Wycofanie zgody|Odmowa|Wykluczony',
  Portuguese: 'Excluído|Recusa|Revogado|Removido|Falecido|Inativado em',
  Turkish: 'Ret tarihi|İptal|Kara liste|Reddetti|İYS ret',
  Czech: 'Neposílat|Nezasílat|Blokován|Vyřazen|Odmítnuto|Zrušeno|Smazán|Zemřel',
  Nordic:
    'Avslutad|Ej utskick|Spärrad|Avliden|Avböjt|NIX-registrerad|Reservert mot reklame|Slettet|Avdød|Estetty|Kuollut|Poistettu|Markkinointikielto',
  others: '解約日|停止フラグ|DM不可|メール拒否|削除フラグ|除外|屏蔽|탈퇴일|차단|Стоп-лист|Не отправлять|Жалоба',
};

/** Headers under which a no says that the person doesn't want mail. */
const AGREEING = {
  English:
    'Include in mailing|Add to list|Marketable|Marketing eligible|Email permitted|E-news|Bulletin|Updates|Special offers|Gets mail|Bulk email|Solicitation|Reachable by email|Legal to contact|Communications|Marketing|Stay informed|Email alerts|Alerts|Notify|Data consent|Send updates|Send offers|Send me info',
  German:
    'E-Mail erlaubt|Mailing erlaubt|Darf angeschrieben werden|Darf kontaktiert werden|Infopost|Angebote per Mail|Kommunikation',
  French: 'Offres par email|Communication par e-mail|Sollicitation',
  Spanish: 'Permite email|Publicidad|Comunicaciones|Recibe correos',
  Italian: 'Comunicazioni commerciali|Invio mail|Ricevi offerte|Marketing diretto|Riceve posta elettronica',
  Dutch: 'Mag mailen|Mag gemaild worden',
  Polish: 'Można wysyłać|Informacje handlowe|RODO',
  Portuguese: 'Permissão|Comunicações|Recebe boletim',
  others:
    'Ticari elektronik ileti|KVKK|Zasílat novinky|Obchodní sdělení|Utskick|Tillåter e-post|Får mejlas|Må kontaktes|Markedsføring|Reklame|Saa lähettää|Sähköpostilupa|お知らせメール|DM可否|接受邮件|营销许可|마케팅 동의|Можно писать|Получать новости|Реклама',
};

/** Headers that begin with the same letters, but say nothing about mail. */
const ORDINARY =
  'Reklamation|Solicitor|Fecha de solicitud|Marketing campaign|Marketing manager|Oferta|Last updated|Kommune|Parken erlaubt|Permis de conduire|Work permit|Envío gratis|Zásilka doručena|Retoure|Bulletin de vote|Nixdorf|Excellent|Exclusive member|Sparringspartner|Sparkasse|Odmowa kredytu|Recursos|Zasilanie|Magasin|Kan simma|Recibo|Ricevuta inviata|Recebedor|Objective|Hold music|Card holder|Restricted stock|Day off|Angebotsnummer|Angebote erstellt|Reklamebyrå|Werber|Purchases|Rodovia|KVK number|Left eye|Ausgang|Tot|Parti|Out';

const cells = (language: Readonly<Record<string, string>>) =>
  Object.entries(language).map(([name, headers]) => [name, headers.split('|')] as const);

test.each(cells(LEAVING))('recognizes opt-out headers in %s (C10)', (_, headers) => {
  for (const header of headers) {
    expect([
      header,
      ['optedOut', 'withheld', 'invalid', 'mailError', 'suppressed'].includes(String(readHeader(header)?.meaning)),
    ]).toEqual([header, true]);
  }
});

test.each(cells(AGREEING))('recognizes consent headers in %s (C10)', (_, headers) => {
  for (const header of headers) {
    expect([header, readHeader(header)?.meaning]).toEqual([header, 'agreed']);
  }
});

test('finds no consent in a header that only begins with a consent word (C10)', () => {
  const found = ORDINARY.split('|').filter((header) => readHeader(header) !== undefined);
  expect(found).toEqual([]);
});

test.each([
  ['Verwijderd', 'yes', 'blue'],
  ['Avliden', '2024-01-01', 'unbekannt'],
  ['Kein Kontakt', 'x', ''],
])('does not subscribe an active person with %s: %s (C1, C10)', async (header, cell, other) => {
  const { contacts, trouble } = await readList({
    'list.csv': `Email,Status,${header}\np@x.test,active,${cell}\nq@x.test,active,${other}\n`,
  });
  expect(contacts.filter(({ status }) => status === undefined).map(({ email }) => email)).toEqual(['q@x.test']);
  expect(trouble.filter((text) => text.startsWith('stop'))).toEqual([]);
});

test.each(['E-Mail erlaubt', 'Publicidad', 'Communications'])(
  'asks the user about "no", but not "yes", under %s (C1, C10)',
  async (header) => {
    const read = async (cell: string) =>
      (await readList({ 'list.csv': `Email,Status,${header}\np@x.test,active,${cell}\nq@x.test,active,yes\n` }))
        .trouble;
    expect(await read('no')).toEqual(['stop unknown_status']);
    expect(await read('yes')).toEqual([]);
  },
);

test.each(['Estado', 'Fecha', 'Tipo', 'Alta'])('reads no opt-out in a Spanish "%s de suscripción" (C10)', (noun) => {
  for (const [words, isOptOut] of [
    ['de suscripción', false],
    ['de la suscripción', false],
    ['_de_suscripcion', false],
    ['de desuscripción', true],
    ['desuscripción', true],
  ] as const) {
    const header = `${noun} ${words}`;
    expect([header, readHeader(header)?.meaning === 'optedOut']).toEqual([header, isOptOut]);
  }
});

/** Headers above days, by what may end on the day. */
const ENDS = {
  unnamed:
    'End|End date|End on|Ends|Date end|Ende|Enddatum|End datum|Endet am|Data fine|Data di fine|Data fim|Data de fim|Einddatum|Eind datum|Slutdatum|Slut datum|Sluttdato|Slutdato|Data końca|Bitiş|Bitiş tarihi|Дата окончания|Fin|Date de fin|Fecha fin|Fecha de fin|Fecha de finalización|Konec|Koniec|終了日|结束日期|종료일|Ημερομηνία λήξης|Active until|Aktiv bis|Actif jusqu’au|Activo hasta|Attivo fino al|Actief tot|Aktiv till',
  membership:
    'Lapse date|Mitgliedschaftsende|Mitgliedschaftsenddatum|Mitgliedsablauf|Mitgliedende|Lidmaatschapseinde|Medlemskapsslut|Medlemskapslut',
  validity: 'Valid until|Gültig bis|Geldig tot|Giltig till|Until|Bis|Hasta',
  consent:
    'Consent until|Consent till|Consent expires|Einwilligung gültig bis|Einwilligung bis|Einwilligung läuft ab|Einwilligung Ablaufdatum|Consentement jusqu’au|Consentimiento hasta|Consentimiento caduca|Consenso scade|Consenso fino al|Consentimento validade|Toestemming verloopt|Toestemming geldig tot|Zgoda ważna do|Samtycke utgår|Samtykke udløber|Samtykke utløper|Souhlas vyprší|Hozzájárulás lejár|Согласие действует до|Согласие срок действия',
  nothing:
    'Card valid until|Karte gültig bis|Visa valid until|Passport valid until|Ausweis gültig bis|Licence valid until|License valid until|Insurance valid until|Coupon valid until|Voucher valid until|Ticket valid until|Password valid until|Offer valid until|Price valid until|Weekend|Endpoint|Date of birth',
};

test.each(Object.entries(ENDS))('knows from the header of a date what ends on that day: %s (C10)', (what, headers) => {
  const others = headers.split('|').filter((header) => (endOfConsent(header, []) ?? 'nothing') !== what);
  expect(others).toEqual([]);
});
