import { expect, test } from 'vitest';
import type { Dialect } from '../../../../src/import/dialect/detect-dialect.ts';
import { type ReadingOptions, readAnswers } from '../../../../src/import/mapping/reading-answers.ts';
import type { TableSource } from '../../../../src/import/source/source.ts';
import { buildTable } from '../../../../src/import/tables/build-table.ts';
import { everyNth, stepOf } from '../../../support/sweep.ts';
import { SAMPLES, type Sample } from '../samples.ts';
import { NO_ANSWERS, sourcesOf } from '../support.ts';
import { PLAIN } from '../tables-in-memory.ts';

/**
 * Adds a column to the sample of every platform, or replaces its last one. The column has many headers and many opt-out
 * values. Even with `--default-status subscribed`, no such person may be subscribed without a stop. The words are
 * repeated here, so that the test fails when the source loses a word.
 */

// Headers under which a yes or a date means an opt-out.
const LEFT = [
  'Unsubscribed|unsubscribed|UNSUBSCRIBED|Unsubscribe|Is Unsubscribed|is_unsubscribed|isUnsubscribed|unsub|Contact: Unsubscribed',
  'custom.unsubscribed|Unsubscribed (2)|ＵＮＳＵＢＳＣＲＩＢＥＤ|Un\u200bsubscribed|\u00a0Unsubscribed\u00a0|Opted Out|opted_out|optedOut',
  'OPT-OUT|Opt Out|HasOptedOutOfEmail|Has Opted Out Of Email|hasoptedoutofemail|Email Opt Out|email_opt_out|Do Not Contact',
  'Do-Not-Email|doNotMail|DNC|Blacklisted|Blocklisted|Excluded from campaigns|Unsubscribed from newsletter',
  'Abgemeldet|Newsletter abgemeldet|Abbestellt|Désabonné|Desinscrit|Désinscrit(e)|Dado de baja|Baja|Disiscritto|Descadastrado',
  'Uitgeschreven|Afgemeld|Wypisany|Avregistrerad|Frameldt|Avmeldt|Abonelikten çıktı|Отписан|Отписался|配信停止|Not subscribed',
  'DND|Never contact|Remove from list|Mailing stop|Newsletter stop|No thanks|blockiert|Bloqueado|Blokkert|Geblokkeerd|Заблокирован',
  'Consent denied|Consent rejected|Einwilligung abgelehnt|Werbung abgelehnt|Consentement retiré|Newsletter désactivée|Consentimiento denegado',
  'Consenso negato|Consentimento retirado|Newsletter recusada|Toestemming ingetrokken|Nieuwsbrief stopgezet|Zgoda wycofana|Newsletter wyłączony',
  'Samtycke återkallat|Samtykke trukket tilbage|Nyhetsbrev stoppat|Suostumus evätty|Onay reddedildi|Bülten iptal|Souhlas odvolán|Odběr zrušen',
  'Hozzájárulás visszavonva|Acord retras|Согласие отозвано|Рассылка отключена|同意撤回|撤回同意|동의 철회|Ανάκληση συγκατάθεσης',
  'Einwilligung abgelaufen|Newsletter abgelaufen|Consentimiento caducado|Consenso scaduto|Toestemming verlopen|Consentement expiré|Zgoda wygasła',
  'Consentimento expirado|Samtycke utgånget|Samtykke udløbet|Samtykke utløpt|Souhlas vypršel|Consimțământ expirat|Согласие истекло',
  'Should not process|Forget this individual|Opt me out|Stop emailing|Exclude email|Omit from mailings|Block email|No eNews|Excluir de mailing',
  'Escludi da mailing|Spärrad för utskick|Reklamspärr|Reklamebeskyttet|Inga utskick|Tiltólista|القائمة السوداء|不接收邮件|DM不要|Ne kontaktirati',
  'Werbeverbot|Brak zgody|Nesouhlas|配信不要|Отказ от рассылки|Bülten istemiyor|E-posta istemiyor',
].flatMap((line) => line.split('|'));

// A no and what it refuses, in each language: `Geen mail`, `Ingen nyhetsbrev`.
const REFUSALS = [
  ['No|Never', 'mail|e-mails|bulk mailings|marketing|newsletters'],
  ['Kein|Keine|Nie', 'Newsletter|Werbung|E-Mails|Mailings'],
  ['Pas de|Aucune|Aucun', 'newsletter|publicité|e-mail|courriel'],
  ['Sin|No|Ninguna', 'publicidad|correos|newsletter|marketing'],
  ['Nessuna|Senza', 'pubblicità|newsletter|e-mail'],
  ['Sem|Não|Nenhuma', 'publicidade|e-mail|newsletter'],
  ['Geen|Nooit|Zonder', 'mail|nieuwsmail|reclame|e-mails|marketing'],
  ['Ingen|Ikke|Inga|Inte|Ej', 'reklam|reklame|nyhetsbrev|nyhedsbrev|mejl|e-post'],
  ['Ei|ei', 'markkinointia|uutiskirjettä|postia'],
  ['Bez|Nie', 'reklam|newslettera|maili'],
  ['Без|Не слать', 'рекламы|рассылки|писем'],
].flatMap(([no = '', mail = '']) => no.split('|').flatMap((one) => mail.split('|').map((other) => `${one} ${other}`)));

const YES =
  'yes|Yes|YES|y|true|TRUE|1|1.0|1,00|x|on|ja|Ja|oui|sí|si|sim|tak|da|да|evet|✓| yes |Unsubscribed|opted out'.split(
    '|',
  );

const DATE_HEADERS = [
  'unsubscribed_at|Unsubscribed At|Unsubscribed Time|unsubscription_date|Date Unsubscribed|UnsubscribedOn|Unsubscribe Date',
  'Opt-out Date|Newsletter left|opted_out_at|Abgemeldet am|Date de désinscription|Fecha de baja|Data disiscrizione|Uitgeschreven op|UNSUB_TIME',
  'Consentement retiré le|Data wycofania zgody|Souhlas odvolán|Toestemming ingetrokken|Udmeldelsesdato|Utträdesdatum|Eropäivä|同意撤回|철회일',
  'Unsubscribed|Abmeldedatum|Kündigungsdatum|Cancellation date|Data cancellazione|Ayrılma tarihi|Consent expired|Ended',
].flatMap((line) => line.split('|'));
const DATES = [
  '2024-03-01|2024-03-01 10:11:12|2024-03-01T10:11:12Z|01/03/2024|3/14/2024 5:06 PM|14.03.2024|1709287872|1709287872000',
  'Mar 1, 2024|1 March 2024|20240301|2024-03-01 10:11:12 UTC|45352.5|last week',
].flatMap((line) => line.split('|'));

// Headers under which a no means that the person never agreed.
const AGREED = [
  'Subscribed|Is Subscribed|subscribed_to_emails|Opt-in|Opted In|Marketing opt-in|marketing_optin|Email Marketing',
  'Marketing emails|Accepts Marketing|accepts_email_marketing|AcceptsMarketing|Consent|GDPR|GDPR consent|Email Consent',
  'Newsletter|newsletter_subscription|Would you like to receive our newsletter?|May we email you?|Do you agree to receive offers?',
  'Abonniert|Newsletter abonniert|Einwilligung|Möchten Sie unseren Newsletter erhalten?|Abonné|Consentement',
  'Souhaitez-vous recevoir notre newsletter ?|Suscrito|Acepta marketing|Iscritto|Consenso marketing|Inscrito|Ingeschreven',
  'Like newsletter|The newsletter|Bike newsletter|Otrzymuje newsletter|Emails enabled|Notify me about offers|Keep me up to date on news',
  'I would like to be kept informed|Announcements|Privacy|Datenschutz|Rundmail|Prospection|Démarchage autorisé|Consimțământ|Συγκατάθεση|電子報|مشترك',
  'Can be contacted|May be emailed|Mailing OK|Contact ok|Infolettre|Lettre d’information',
  'Empfänger|Recipient|Destinataire|Toestemming|Zgoda marketingowa|Samtycke|Samtykke|Onay|Согласие на рассылку|Подписан|Confirmed|Double Opt-In|Bestätigt',
].flatMap((line) => line.split('|'));
const NO =
  'no|No|NO|n|false|FALSE|0|0.0|0,00|×|nein|Nein|non|não|nie|nej|nee|нет|hayır|off|never| no |denied|unsubscribed'.split(
    '|',
  );

// Headers that only name mail. In a column of yes and no, a no refuses it.
const MAIL =
  'Email|E-Mail|Mail|Mail?|Email?|By email|Per E-Mail|Via e-mail|Channel: Email|Send mail|E-mail contact|Weekly digest|Mailbar|Par courriel|Por correo|byEmail|E-mail Y/N|Email (Y/N)|Email flag|Envoyer e-mails|Infos per E-Mail|Informations par email|Tilbud på e-mail|Oferty mailowe'.split(
    '|',
  );
const PLAIN_NO = 'no|No|NO|n|N|false|FALSE|0|nein|non|nej|nee|нет|hayır|off'.split('|');

const STATUS = [
  'Status|status|STATUS|Status (2)|Contact: Status|Subscription Status|subscription_status|subscriptionStatus|Email Status',
  'Email subscriber status|Member Status|List status|Global status|Marketing Status|SubscribeType|type|State|Group|c7|Notes|Tags',
  'Statut|Estado|Stato|Статус|Abo-Status|Lead Status|Zustand|Kategorie',
].flatMap((line) => line.split('|'));
// Words about mail under any header.
const CLEAR = [
  'unsubscribed|Unsubscribed|UNSUBSCRIBED|unsub|opted out|Opted-Out|opt_out|optout|DNC|do not contact|Do Not Email',
  'never subscribed|nonSubscribed|not subscribed|Not Subscribed|NEVER_SUBSCRIBED|hard bounce|spammed|spam complaint|unconfirmed',
  'unactivated|abgemeldet|Abgemeldet|désabonné|desinscrit|désinscrite|dado de baja|disiscritto|descadastrado|uitgeschreven',
  'afgemeld|wypisany|avregistrerad|frameldt|отписан|отписался|配信停止|退订|nicht abonniert|non abonné|"unsubscribed"',
  '["unsubscribed"]|{"email":"unsubscribed"}|{"email":{"marketing":{"status":"UNSUBSCRIBED"}}}|{"unsubscribed":true}|vip, unsubscribed',
].flatMap((line) => line.split('|'));
// Words about mail under a status header.
const LOOSE =
  'removed|Removed|cleaned|bounced|spam|cancelled|blocked|blacklisted|pending|deleted|archived|gesperrt|gelöscht|cancelado|no|false|0|gone fishing'.split(
    '|',
  );
const SURE_STATUS = STATUS.slice(0, 14).filter((header) => !['SubscribeType', 'type'].includes(header));

// Status headers in other languages, and their words that keep mail away.
const STATUS_ABROAD =
  'Staatus|Statuss|Būsena|Situação|Situación|Zustand|Stato iscrizione|Toestand|Stav|Durum|Tila|Статус|Состояние|Стан|Κατάσταση|Stare|Állapot|Läge|状態|状态|狀態|상태|الحالة|סטטוס'.split(
    '|',
  );
const LEFT_ABROAD = [
  'Cancelado|Inválido|Baja|Annulé|Résilié|Gekündigt|Unzustellbar|Annullato|Non valido|Opgezegd|Anulowany|Avslutad|Ophørt|Avsluttet',
  'Peruutettu|Zrušeno|Odhlášen|Leiratkozott|Törölt|Anulat|Dezabonat|İptal|Заблокирован|Удален|Відписаний|Скасовано|Διαγραμμένος',
  'Kustutatud|Mitteaktiivne|Dzēsts|Neaktīvs|Ištrintas|Neaktyvus|Diblokir|Obrisan|Blokiran|Șters|Respins|Baixa|Inactiu|Διεγράφη',
  'Ακυρώθηκε|退会|無効|已取消|无效|탈퇴|해지|ملغى|محظور|הוסר|חסום|UNS|BNC|bouncing|dead|by_bounces',
  '<b>Unsubscribed</b>|&nbsp;Bounced|<span class="x">Opted&nbsp;out</span>|d&eacute;sabonn&eacute;',
].flatMap((line) => line.split('|'));
// Preferences of a person, with values that mean no mail.
const WISHES =
  'Communication preference|Communication Preferences|Preferred contact method|Contact preference|Kontaktart|Email preference|Newsletter frequency|frequency|How often?|Digest|Email delivery|Notification preference'.split(
    '|',
  );
const NO_WISH = 'No email|no mail|none|None|never|Never|No thanks|not at all|do not contact|off|nothing'.split('|');
const RECEIVED_BY = ['Receive newsletter by', 'Newsletter via', 'Gets news by', 'Magazine by'];
const OTHER_CHANNELS = 'Post only|Phone|phone only|SMS|Text messages|by post'.split('|');
const CHANNELS_ABROAD =
  'Préférence de contact|Kontaktpräferenz|Kommunikationskanal|Canal preferido|Canale preferito|Voorkeurskanaal|Önskad kontakt|Yhteydenottotapa|連絡方法|Предпочитаемый канал'.split(
    '|',
  );
const LETTERS =
  'Courrier|Brief|Telefon|Teléfono|Correo postal|Posta ordinaria|Brev|Kirje|電話|郵送|телефон|paper'.split('|');
const GROUPS = 'Segment|Segments|Tags|Tag|Lists|List|Groups|Labels|Audience|Category|Etiquetas|Gruppen'.split('|');
const GROUPS_LEFT =
  'Bounced|bounces|Hard bounce|Suppressed|Unsubscribed|Opt-outs|complainers|vip, bounced|gold; suppressed|unsubscribed-2021|removed from newsletter|no-email'.split(
    '|',
  );
const NOTES =
  'Notes|Note|Remarks|Comments|Bemerkung|Kommentar|Remarque|Observaciones|Opmerking|Uwagi|Примечание|備考|Info'.split(
    '|',
  );
const PLEAS = [
  'please do not email|Do not send anything, thanks|asked to be taken off the list|NO MORE MAILS|never email again|wants off|user complained',
  'möchte keine Mails mehr|bitte nicht mehr anschreiben|will keinen Newsletter mehr|hat sich abgemeldet|wünscht keine Werbung',
  'ne plus contacter|ne souhaite plus recevoir de mails|ne veut plus de newsletter|no quiere recibir correos|pidió la baja|no enviar más',
  'non vuole più email|ha chiesto la cancellazione|wil geen mail meer|niet meer mailen aub|não quer receber mais emails|pediu para sair da lista',
  'nie chce więcej maili|prosi o wypisanie|vill inte ha mejl|ønsker ikke nyhedsbrev|больше не присылать|配信停止希望|请不要再发|수신 거부',
  'withdrew consent by phone|objected to marketing|said no to marketing|asked to be removed by phone|off the list please|reported us as spam',
  'never signed up|did not agree|on Robinson list|blacklist|GDPR delete request|cancel newsletter|please remove|mail returned|email is dead',
  'Einwilligung widerrufen|ausgetreten|hat gekündigt|bitte löschen|aus Verteiler nehmen|Spam gemeldet|nie zugestimmt|Mail kommt zurück',
  'quitar de la lista|no dio consentimiento|marcó como spam|correo devuelto|résilié|signalé spam|a demandé la suppression|sem consentimento',
  'cofnął zgodę|brak zgody|wypisała się|pediu para sair|neposílat|nechce maily|odvolal souhlas|smazat|отозвал согласие|жалоба на спам',
  '退会|解約済み|迷惑メール報告|üyelikten ayrıldı|izin vermedi',
].flatMap((line) => line.split('|'));
// Words that svc cannot interpret. It asks about them in notes and in columns without a name.
const UNCLEAR = [
  'not interested|no thanks|leave me alone|resigned 2020|mailbox full|wrong person|right to be forgotten|newsletter off|deceased|quit',
  'kein Interesse|will nix mehr|unbekannt verzogen|verstorben|no le interesa, ya no quiere|fallecido|pas intéressé|décédé|sem interesse',
  'nie zainteresowany|zmarł|не хочет|умер|興味なし|死亡|vefat etti|iade|nemá zájem|deceduto|overleden|avliden|ei kiinnosta',
].flatMap((line) => line.split('|'));
const NAMELESS = ['', '#', 'Unnamed: 3', 'Column7', 'field_9'];
const REASONS =
  'Hard bounce: 550 no such user|User complained|Requested removal|unsubscribed by link|spam complaint'.split('|');
const COUNTS = 'bounce_count|Bounces|Complaints|complaint_count|Hard bounces|Unsubscribe count'.split('|');

const SWEEP: readonly (readonly [what: string, headers: readonly string[], values: readonly string[]])[] = [
  ['a yes under an opt-out header', LEFT, YES],
  ['a yes to wanting no mail', REFUSALS, YES],
  ['an opt-out date', DATE_HEADERS, DATES],
  ['a no to mail', AGREED, NO],
  ['a no in a column that only names mail', MAIL, PLAIN_NO],
  ['a tick under a no', ['No', 'Nein', 'Non', 'Nej'], ['x', 'yes', 'ja', '✓']],
  [
    'a row to be taken out',
    ['Action', 'Sync action', 'Operation', 'To do', 'Suggested action', 'Aktion'],
    ['remove', 'REMOVE', 'delete', 'exclude', 'suppress', 'drop', 'unsubscribe', 'löschen'],
  ],
  ['a wish to be removed', ['List removal', 'Removal requested', 'Reason left'], ['yes', 'requested', '2024-01-01']],
  ['a date of death', ['Date of death', 'Todesdatum', 'Died on', 'Date de décès'], ['2020-01-01', '1 May 2021']],
  ['a -1, which Access writes for true', ['Deleted', 'Inactive', 'Unsubscribed', 'No mail', 'Bounced'], ['-1']],
  ['an end of the newsletter', ['Newsletter', 'Receives newsletter'], ['until 2020', 'bis 2020', "jusqu'en 2020"]],
  [
    'a bounce or a complaint as the last event',
    ['Last event', 'Email activity', 'Last email action', 'event type'],
    ['bounce', 'Bounced', 'dropped', 'complaint', 'spam report', 'unsubscribe'],
  ],
  [
    'one of the two states that a header names',
    ['Active/Inactive', 'Status (active/inactive)', 'Enabled / Disabled', 'Aktiv oder inaktiv', 'Activo/Inactivo'],
    ['I', 'D', '0', 'no', 'inactive', 'disabled'],
  ],
  ['a pause', ['Paused', 'Is paused', 'pausiert', 'Snooze until', 'Paused until'], ['yes', '1', 'TRUE', '2024-05-01']],
  ['a hard bounce', ['Email bounces', 'Bounces', 'Bounce'], ['hard', 'Hard', 'permanent']],
  ['a word for a state', STATUS, CLEAR],
  ['a word under the header of a state', SURE_STATUS, LOOSE],
  ['a word in another language or in HTML', [...STATUS_ABROAD, ...SURE_STATUS.slice(0, 4)], LEFT_ABROAD],
  ['a wish for no mail', WISHES, NO_WISH],
  [
    'a no to email beside a yes to another channel',
    ['Preferences', 'Newsletter preferences', 'Subscriptions', 'Newsletter', 'Consent', 'Notification settings'],
    ['email=0|sms=1', 'sms: yes; email: no', 'email:false,sms:true', 'newsletter=no&sms=yes', 'sms=1;e-mail=off'],
  ],
  ['a wish for another channel', [...WISHES.slice(0, 5), ...RECEIVED_BY], [...OTHER_CHANNELS, 'Post', 'letter']],
  ['a wish for a letter or a call', CHANNELS_ABROAD, [...LETTERS, 'none', 'keine', 'nessuna']],
  ['a paper newsletter', ['Newsletter format', 'Newsletter delivery'], ['Print', 'paper', 'SMS', 'hard copy', '-2']],
  [
    'a mark for deletion',
    ['Löschkennzeichen', 'Marked for deletion', 'Deletion indicator', 'Inactivo', 'Nieaktywny', 'Vefat', 'Email hold'],
    ['yes', 'X', '1', 'ja'],
  ],
  [
    'a date of deletion or death',
    ['Löschdatum', 'Fecha de eliminación', 'Data usunięcia', 'Дата удаления', 'Død dato', 'Avlidendatum', 'Died'],
    ['2020-01-01', '01/02/2020'],
  ],
  ['a group of opted-out people', GROUPS, GROUPS_LEFT],
  ['a request to stop in a person\u2019s own words', NOTES, PLEAS],
  ['a note in words that only a person understands', [...NOTES, ...NAMELESS, 'Reason', 'History'], UNCLEAR],
  ['a request or a clear word in a column without a name', NAMELESS, [...PLEAS, ...CLEAR, 'unsub 3/4', 'bounced 550']],
  ['a reason for being suppressed', ['reason', 'Suppression reason', 'Last unsubscribe reason'], REASONS],
  ['a number of bounces or complaints', COUNTS, ['1', '3', '12']],
  ['the word out', ['opt', 'Opt', 'opt_status'], ['out', 'OUT', 'Out', 'o']],
  [
    'a no under the header of a valid or live address',
    ['Valid', 'is_valid', 'ISACTIVE', 'Deliverability', 'Correo válido', 'Email valida', 'Alive'],
    ['no', 'false', '0', 'dead', 'invalid'],
  ],
];

const DIALECT: Omit<Dialect, 'header'> = { ...PLAIN, headerLine: 1 };
const OPTIONS: ReadingOptions = { ...NO_ANSWERS, defaultStatus: { '*': 'subscribed' } };

// The sweep spreads the headers over the samples: it tries each header in one or more samples, and each sample
// with one or more headers.
const SAMPLES_OF_A_HEADER = 1;

/** Pairs of a header and a sample. A full sweep has all pairs. */
function pairsOf(headers: readonly string[]): { header: number; samples: readonly number[] }[] {
  const count = headers.length;
  const perSample = stepOf(Math.ceil((SAMPLES_OF_A_HEADER * count) / SAMPLES.length), count);
  const isPlayed = (sample: number, header: number) =>
    (header + count - ((sample * perSample) % count)) % count < perSample;
  return headers.map((_, header) => ({
    header,
    samples: [...SAMPLES.keys()].filter((sample) => isPlayed(sample, header)),
  }));
}

test.each(SWEEP)(
  'subscribes no person with %s in a sample of any platform (C10, C12)',
  { timeout: 120_000 },
  (_, headers, values) => {
    expect(SAMPLES.length).toBeGreaterThan(25);
    const wrong = pairsOf(headers).flatMap(({ header: turn, samples }) =>
      samples.flatMap((number, nth) => {
        const sample = SAMPLES[number] as Sample;
        const header = headers[turn] as string;
        // Each sample gets a part of the values, so that all samples of a header together have every value.
        return subscribedWith(sample, header, turn % 3 === 0, [
          ...values.slice(turn % values.length, (turn % values.length) + 1),
          ...everyNth(values, Math.min(values.length, samples.length), nth),
        ]).map((value) => `${sample.name}, ${header}: ${value}`);
      }),
    );
    expect([wrong.length, wrong.slice(0, 200)]).toEqual([0, []]);
  },
);

/**
 * The values that leave the person subscribed. Their column is added to a sample, or replaces its last one.
 */
function subscribedWith(
  { name, header, row }: Sample,
  added: string,
  replaces: boolean,
  values: readonly string[],
): readonly string[] {
  const last = header.length - 1;
  const isFree = replaces && last > 1 && !/e-?mail/i.test(header[last] ?? '');
  const own = isFree ? header.with(last, added) : [...header, added];
  const [source] = sourcesOf({ [name]: '' });
  const marked = (value: string) => own.map((_, at) => (at === own.length - 1 ? value : (row[at] ?? '')));
  // svc decides by its first rows how to read a column. Here one row has the first value, and one is blank.
  const start = { dialect: { ...DIALECT, header: own }, sample: [marked(values[0] ?? ''), marked('')] };
  // A column counts for the status even when svc does not send it.
  const options: ReadingOptions = replaces ? { ...OPTIONS, attributes: 'none' } : OPTIONS;
  const { stateOf, columnIndexes } = buildTable(
    { source: source as TableSource, ...start },
    options,
    readAnswers(options),
  );
  // A no in the address column is no address, so the row is rejected.
  if (columnIndexes.email === own.length - 1) {
    return [];
  }
  return [...new Set(values)].filter((value) => {
    const { state, unknown } = stateOf(marked(value), '');
    return unknown === undefined && (state === 'subscribed' || state === 'none');
  });
}
