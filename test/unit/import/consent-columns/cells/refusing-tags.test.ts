import { expect, test } from 'vitest';
import { readList } from '../../support.ts';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

function read(header: string, ...cells: readonly string[]): readonly string[] {
  const table = tableOf([header], { rows: cells.map((cell) => [cell]) });
  return cells.map((cell) => meaningOf(table, cell));
}

const UNFINISHED =
  'DOI-offen|doi offen|DOI pending|doi-pending|doi=open|opt-in offen|opt_in_pending|double-opt-in ausstehend|double opt-in pending|doi nicht bestätigt|DOI fehlt|offene DOI|en attente de confirmation|pendiente de confirmar|in attesa di conferma|wacht op bevestiging';

test.each(UNFINISHED.split('|'))('reads the tag %s of an unfinished sign-up as pending (C4, C10)', (tag) => {
  expect([read('Tags', tag), read('Keywords', tag), read('Shoe', tag)].flat()).toEqual([
    'pending',
    'pending',
    'pending',
  ]);
});

const REFUSING =
  'nonews|no-news|no news|no_nl|kein-nl|keine-mails|keine_mails|no-newsletter|nomarketing|nopromo|no-offers|sin-correo|sans-mail|senza-mail|ohne-newsletter|ohne-werbung|zonder-nieuwsbrief|transactional-only|only-transactional';
const NEGATED = 'NL-nein|NL_aus|newsletter-nein|newsletter nie|NL-nee|nyhetsbrev-nej|pending confirm|non-confirmed';
const HEADERS =
  'Tags|Keywords|Schlagworte|Schlagwörter|Stichworte|Etiketten|Mots-clés|Palabras clave|Parole chiave|Trefwoorden|Теги|标签'.split(
    '|',
  );

test.each([...REFUSING.split('|'), ...NEGATED.split('|')])(
  'does not subscribe a person with the tag %s (C10)',
  (tag) => {
    const silent = HEADERS.filter(
      (header) => !['refused', 'unsubscribed'].includes(String(read(header, tag, 'vip')[0])),
    );
    expect(silent).toEqual([]);
  },
);

test.each([
  'vip',
  'newsletter',
  'doi',
  'opt-in',
  'doi-confirmed',
  'newsroom',
  'nonprofit',
  'transactional',
  'open house',
  'junk food',
  'anti-spam',
  'spam filter',
  'spam-free',
])('does not ask the user about the tag %s (C10)', (tag) => {
  expect([read('Tags', tag), read('Keywords', tag)]).toEqual([['-'], ['-']]);
});

/** Values that allow only transactional mail, such as invoices. */
const TRANSACTIONAL =
  'transactional|transactional only|Transactional emails only|only transactional|nur transaktional|nur Transaktionsmails|transactionnel uniquement|solo transaccional|alleen transactioneel|service emails only';

test.each(TRANSACTIONAL.split('|'))('asks the user about %s in a column such as "Mail type" (C10)', (value) => {
  for (const header of ['Type', 'Mail type', 'Email type', 'Emails', 'Typ', 'Kind']) {
    expect([header, read(header, value, 'all')[0]]).toEqual([header, 'refused']);
  }
});

test('skips an active person with the tag "DOI-offen" (C1, C10)', async () => {
  const { contacts, suppressions, trouble, reading } = await readList({
    'list.csv': 'Email,Status,Tags\nana@x.test,active,vip\nben@x.test,active,DOI-offen\n',
  });
  expect(contacts.map(({ email, status }) => [email, status])).toEqual([['ana@x.test', undefined]]);
  expect([suppressions, reading.rows.skipped]).toEqual([{}, { pending: 1 }]);
  expect(trouble.filter((one) => one.startsWith('stop'))).toEqual([]);
});

const BRIEF_ENDS =
  'UNSUB2021|optout2021|2021unsub|noemail2021|zz_donotemail|xoptout|deabonniert|ausgestiegen|leaver|gdpr-forget|right-to-be-forgotten|consent-missing|sms-only|post only|phone only|was subscribed|anciennement abonné|voorheen abonnee|subscribed until 2020|ej prenumerant|配信不可|списан|mailer-daemon|spam|junk|vip; spam|spammer|Spamtrap|spambot|abuse|complaint|Beschwerde|🚫|❌|⛔|🛑';
const NOTES = 'cease and desist|phone only pls|only call|letters only|RTBF 2021|a demandé à être retiré|🚫|❌|⛔|🛑';
const HARMLESS =
  'newsletter2021|optin2021|email only|members only|iOS only|was invited|subscribed since 2020|phone|🎉|✅';

const FORMER_SUBSCRIBERS =
  'former subscriber|past subscriber|lapsed subscriber|old subs|ancien abonné|anciens abonnés|ancienne abonnée|abonné précédent|ehemaliger Abonnent|ehemalige Abonnentin|früherer Abonnent|antiguo suscriptor|suscriptor anterior|exsuscriptor|ex-suscriptor|antigo assinante|ex-assinante|vecchio iscritto|ex iscritto|voormalige abonnee|oud-abonnee|tidigare prenumerant|tidligere abonnent|entinen tilaaja|były subskrybent|bývalý odběratel|бывший подписчик|元購読者|ancien abonné 2019|previously subscribed|formerly subscribed|nonsubscriber|fd prenumerant|ehem Abo|newsletter until 2020|Abo bis 2019';

test.each(FORMER_SUBSCRIBERS.split('|'))('asks about the tag %s of a former subscriber (C10)', (tag) => {
  expect(['Tags', 'Notes', 'Groups'].filter((header) => read(header, tag, 'vip')[0] !== 'refused')).toEqual([]);
});

test('asks about tags and notes that may say that a person left (C10)', () => {
  const silent = (header: string, texts: string) =>
    texts.split('|').filter((text) => read(header, text)[0] !== 'refused');
  expect([silent('Tags', BRIEF_ENDS), silent('Notes', NOTES)]).toEqual([[], []]);
  expect(HARMLESS.split('|').filter((tag) => read('Tags', tag)[0] !== '-')).toEqual([]);
});

test('asks about a tag that names a former list of the person (C10)', () => {
  const earlier =
    '(was) News|News (former)|[früher] Rundbrief|(avant) Lettre|Boletín (antes)|(era) Notizie|Nieuws (voorheen)|(byli) Klub|Nyheter (tidigare)|was Members|previously VIP|used to get news|anciennement Club';
  const isSilent = (tag: string) =>
    ['List', 'Tags', 'Group'].some((header) => read(header, tag, 'News')[0] !== 'refused');
  expect(earlier.split('|').filter(isSilent)).toEqual([]);
  const harmless = 'was added|was ist neu|War Child|News (new)|(neu) News|Old Town|Prima Donna|Var (83)|was here';
  expect(harmless.split('|').filter((tag) => read('Tags', tag, 'News')[0] !== '-')).toEqual([]);
});

/** Words for an end, by language. A tag or a whole note with one of them may mean that the person must get no mail. */
const ENDS = [
  'hold|on hold|denied|veto|restricted|scrub|expelled|sunset|unreachable|not marketable|unfollowed|unlisted|deregistered|ban|mute|snooze|pause|quarantine|avoid|opt-down|redacted',
  'verweigert|Verweigerer|Ablehnung|untersagt|gestoppt|schwarze Liste|Kündiger|Karteileiche|stillgelegt|abgemahnt|Spam-Melder|nie wieder|tritt aus|hört auf|leaving|ha lasciato|gaat weg|odchodzi|Nicht einladen|Keine Einladung',
  'sorti|opposé|arrêté|retiré|à retirer|rayé|inactif|suspendu|clôturé|injoignable|ne pas inviter|liste rouge|mauvaise adresse|en pause',
  'vetado|rechazado|retirado|suspendido|pausado|inactivo|no autoriza|no acepta|oposición|se fue|ya no está|escluso|rifiutato|rimbalzato|inattivo|sospeso|cessato|opposizione|non valido',
  'recusado|revogado|inativo|suspenso|desistiu|não deseja|sem correio|vertrokken|geweigerd|bezwaar|ingetrokken|inactief|vervallen|beëindigd|geschrapt|uitgesloten',
  'zabroniony|odrzucony|sprzeciw|nieaktywny|wstrzymany|wyłączony|skreślony|wykluczony|har slutat|gått ur|har lämnat|melder seg ut|vägrar|nekad|förbjuden|ogiltig|vill ej|spærret|fratrådt|stoppet|afvist|kielletty',
].flatMap((line) => line.split('|'));

test.each(ENDS)('asks about %s as a tag or as a whole note (C10)', (text) => {
  const silent = ['Tags', 'Taggar', 'Štítky', 'Etichette', 'Notes'].filter(
    (header) => read(header, text, 'vip')[0] !== 'refused',
  );
  expect(silent).toEqual([]);
  expect(read('Newsletter', text, 'Garden', 'Cats')[0]).not.toBe('agrees');
});

test('does not ask the user about tags of people who buy seldom (C10)', () => {
  const tags =
    'lapsed|cold|dormant|sleeping|lost|winback|old|legacy|alumni|archive|frozen|retired|role|waiting|waiting list|disabled access';
  expect(tags.split('|').filter((tag) => read('Tags', tag)[0] !== '-')).toEqual([]);
});

/** What Microsoft Dynamics writes for a yes and a no, by language, and its columns of mail. */
const DYNAMICS: readonly (readonly [string, string, string])[] = [
  ['Allow', 'Do Not Allow', 'Email|Bulk Email'],
  ['Zulassen', 'Nicht zulassen', 'E-Mail|Massen-E-Mail|E-Mails nicht zulassen'],
  ['Autoriser', 'Ne pas autoriser', 'Courrier électronique|E-mails en masse'],
  ['Permitir', 'No permitir', 'Correo electrónico en masa|Correos masivos'],
  ['Consenti', 'Non consentire', 'E-mail|E-mail di massa'],
  ['Toestaan', 'Niet toestaan', 'E-mail|Bulkmail|E-mails niet toestaan'],
  ['Permitir', 'Não permitir', 'Email em massa'],
  ['Zezwalaj', 'Nie zezwalaj', 'E-mail|Masowa poczta e-mail'],
  ['Tillåt', 'Tillåt inte', 'E-post|Massutskick'],
  ['Tillad', 'Tillad ikke', 'E-mail|Massemail'],
  ['Tillat', 'Ikke tillat', 'E-post|Masse-e-post'],
  ['Salli', 'Älä salli', 'Sähköposti|Joukkosähköposti'],
  ['Povolit', 'Nepovolit', 'E-mail|Hromadný e-mail'],
  ['Разрешить', 'Не разрешать', 'Email|Массовая рассылка'],
  ['İzin Ver', 'İzin Verme', 'E-posta|Toplu e-posta'],
  ['允许', '不允许', '电子邮件'],
  ['許可', '許可しない', '電子メール'],
];

test.each(DYNAMICS)('asks about a no in a Microsoft Dynamics list beside "%s": %s (C10)', (yes, no, headers) => {
  const silent = headers.split('|').filter((header) => read(header, no, yes)[0] !== 'refused');
  expect(silent).toEqual([]);
});

/** States of programs for lists and clubs, under headers that may be about something else. */
const STATES: readonly (readonly [string, string])[] = [
  ['mail_delivery', 'disabled by user'],
  ['mail_delivery', 'disabled by bounces'],
  ['Type de sortie', 'Décès'],
  ['Type de sortie', 'Démission'],
  ['Lidstatus', 'geroyeerd'],
  ['Medlemsstatus', 'Utesluten'],
  ['Reservation', 'Reklamspärr'],
  ['Salutation', 'The late Mr'],
];

test.each(STATES)('asks about a word for an end or a refusal under %s: %s (C10)', (header, cell) => {
  expect(read(header, cell, 'x1', 'x2')[0]).toBe('refused');
});

/** Ends of an address, a job or a subscription, as users note them. */
const NOTED_ENDS = [
  ...['weggezogen', 'umgezogen', 'a déménagé', 'se mudó', 'Karteileichen', 'ABG', 'Abgem.', 'ruht seit 2021'],
  ...['paused since 2020', 'boîte pleine', 'Postfach voll', 'casella piena', 'buzón lleno', 'postvak vol'],
  ...['Former employee', 'ancien salarié', 'ehemaliger Mitarbeiter', 'ex dipendente', 'oud-lid', 'Newsletter free'],
  ...['newsletterfrei', 'newsletter-free', 'mailfrei'],
];
const HARMLESS_NOTES = [
  'Abgabe 2021',
  'Umzug geplant',
  'Lost',
  'old client',
  'Inbox Zero',
  'ruhig',
  'free',
  'Full name',
];

test.each(['Notes', 'Bemerkung', 'Tags', 'Category', 'Kategorie', 'Catégorie', 'Segment'])(
  'asks when a note under %s says that an address or a job ended (C10)',
  (header) => {
    const cells = ['VIP', 'Messe', ...HARMLESS_NOTES, ...NOTED_ENDS];
    const silent = (texts: readonly string[]) => {
      const meanings = read(header, ...cells).slice(cells.indexOf(texts[0] ?? ''));
      return texts.filter((_, at) => meanings[at] === '-');
    };
    expect([silent(NOTED_ENDS), silent(HARMLESS_NOTES)]).toEqual([[], HARMLESS_NOTES]);
  },
);

test.each(['L', 'ABG', 'abgem', 'AUS', 'Gesp.'])(
  'asks about the mark %s under the header Kennz (C10)',
  async (mark) => {
    const rows = ['ana@x.test,subscribed,', 'bo@x.test,subscribed,', `cy@x.test,subscribed,${mark}`];
    const { trouble, contacts } = await readList({ 'list.csv': `Email,Status,Kennz\n${rows.join('\n')}\n` });
    expect([trouble.includes('stop unknown_status'), contacts.length]).toEqual([true, 2]);
  },
);

test('asks nothing when letters under Kennz stand for groups of people (C10)', async () => {
  const rows = ['K', 'L', 'I', 'K'].map((kind, at) => `p${at}@x.test,subscribed,${kind}`);
  const { trouble } = await readList({ 'list.csv': `Email,Status,Kennz\n${rows.join('\n')}\n` });
  expect(trouble).toEqual([]);
});

/** The headers of tags of several programs. Each has the words of a status among the tags of the user. */
const TAG_HEADERS = ['Tags', 'Labels', 'Groups', 'labels', 'Etiketten', 'List'];

test.each([
  'cleaned',
  'Cleaned',
  'mc-cleaned',
  'mailchimp_cleaned',
  'cleaned 2021',
  'cleaned contacts',
  'vip, cleaned',
])('reads the tag %s as a bounce without a suppression (C6, C10)', (tag) => {
  expect(TAG_HEADERS.filter((header) => read(header, tag, 'vip')[0] !== 'skipped bounced')).toEqual([]);
});

test.each([
  ...['Email disabled', 'email-disabled', 'emails off', 'mail deaktiviert', 'Newsletter disabled', 'email paused'],
  ...['cleanup', 'clean-up', 'to clean up', 'Listenbereinigung', 'list hygiene', 'nettoyage de la base'],
  ...['pending', 'pending 2021', 'ausstehend', 'en attente', 'pendiente', 'contact pending', 'disabled', 'deaktiviert'],
  ...['désactivé', 'archived', 'archiviert', 'archived contacts', 'archived-2020', 'gelöscht', 'vip; disabled'],
])('asks about the tag %s, which names a status or a clean-up (C10)', (tag) => {
  expect(TAG_HEADERS.filter((header) => read(header, tag, 'vip')[0] !== 'refused')).toEqual([]);
});
