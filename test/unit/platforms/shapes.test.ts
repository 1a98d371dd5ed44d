import { expect, test } from 'vitest';
import type { ReadingOptions } from '../../../src/import/mapping/reading-answers.ts';
import { recognizePlatform } from '../../../src/platforms/registry.ts';
import { csv, readList } from '../import/support.ts';

interface Outcome {
  readonly platforms: string;
  /** The contacts to send, each as `ana`, or as `ben unsubscribed 2024-…`. */
  readonly contacts: readonly string[];
  readonly suppressions?: Readonly<Record<string, readonly string[]>>;
  readonly skipped?: Readonly<Record<string, number>>;
  readonly stops?: readonly string[];
}

const SUBSCRIBED: Partial<ReadingOptions> = { defaultStatus: { '*': 'subscribed' } };

const SHAPES: readonly (readonly [
  claim: string,
  files: Readonly<Record<string, string | Buffer>>,
  outcome: Outcome,
  answers?: Partial<ReadingOptions>,
])[] = [
  [
    'a German Mailchimp segment with repeated columns',
    {
      'subscribed_members_export_0a1b2c3d4e.csv': csv(
        'Emailadresse,Vorname,Nachname,"Erlaubnis zum Marketing",EMAIL_TYPE,MEMBER_RATING,LEID,EUID,NOTES,TAGS',
        'ana@example.com,Ana,Alb,Ja,html,3,1,a,,"""VIP"",""Blog"""',
        'ben@example.com,Ben,Bo,Ja,html,3,1,a,,',
      ),
      'unsubscribed_segment_export_0a1b2c3d4e.csv': csv(
        '"Deine E-Mail Adresse",MEMBER_RATING,UNSUB_TIME,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_CAMPAIGN_ID,UNSUB_REASON,LEID,EUID',
        'ben@example.com,2,2018-07-23 12:19:27,77,N,77,N,1,a',
      ),
      'archived_export_1.csv': csv('Email Address,MEMBER_RATING,LEID,EUID', 'zoe@example.com,2,1,a'),
    },
    {
      platforms: 'mailchimp',
      contacts: ['ana', 'ben unsubscribed 2018-07-23T12:19:27.000Z'],
      skipped: { archived: 1 },
    },
  ],
  [
    'Mailchimp files with a copy number or date in the name keep their status',
    {
      '2024-05-06 subscribed_email_audience_export_1.csv': csv(
        'Email Address,MEMBER_RATING,LEID',
        'ana@example.com,2,1',
      ),
      'Copy of nonsubscribed_email_audience_export_1.csv': csv(
        'Email Address,MEMBER_RATING,LEID',
        'zoe@example.com,2,1',
      ),
      'acme-unsubscribed_members_export_1.csv': csv('Email Address,MEMBER_RATING,LEID', 'ben@example.com,2,1'),
    },
    { platforms: 'mailchimp', contacts: ['ana', 'ben unsubscribed'], skipped: { no_consent: 1 } },
    SUBSCRIBED,
  ],
  [
    'svc asks about a Mailchimp file whose name says formerly subscribed (C4)',
    { 'was subscribed.csv': csv('Email Address,MEMBER_RATING,LEID,EUID', 'ana@example.com,2,1,a') },
    { platforms: 'mailchimp', contacts: [], skipped: { no_status: 1 }, stops: ['no_status'] },
  ],
  [
    'the Mailchimp file "Copy of subscribed.csv" still has its status (C4)',
    { 'Copy of subscribed.csv': csv('Email Address,MEMBER_RATING,LEID,EUID', 'ana@example.com,2,1,a') },
    { platforms: 'mailchimp', contacts: ['ana'] },
  ],
  [
    'SendGrid suppressions that were copied are recognized by the rest of their name',
    { 'acme suppression_bounces (1).csv': csv('status,reason,email,created', '5.1.1,x,ana@example.com,1700000000') },
    { platforms: 'sendgrid', contacts: [], suppressions: { bounced: ['ana'] } },
  ],
  [
    'CLEAN_TIME decides when the name of a Mailchimp file says nothing',
    {
      'list.csv': csv('Email Address,MEMBER_RATING,CLEAN_TIME,LEID,EUID', 'ana@example.com,2,2018-07-23 12:19:27,1,a'),
    },
    { platforms: 'mailchimp', contacts: [], suppressions: { bounced: ['ana'] } },
  ],
  [
    'Customer.io: leaving all topics is an opt-out, leaving some is a question (C10)',
    {
      'customers-2024-01-02_10-11.csv': csv(
        'cio_id,email,unsubscribed,cio_subscription_preferences',
        '1,ana@example.com,false,"{""topics"":{""topic_1"":true}}"',
        '2,ben@example.com,false,"{""topics"":{""topic_1"":false,""topic_2"":false}}"',
        '3,cleo@example.com,false,"{""topics"":{""topic_1"":true,""topic_2"":false}}"',
        '4,dov@example.com,,',
      ),
    },
    {
      platforms: 'customerio',
      contacts: ['ana', 'ben unsubscribed', 'dov'],
      skipped: { unknown_status: 1 },
      stops: ['unknown_status'],
    },
  ],
  [
    'Constant Contact: an active contact without permission gets no mail (C10)',
    {
      'list.csv': csv(
        'Email address,Email status,Email permission status',
        'ana@example.com,Active,Express',
        'ben@example.com,Active,Implied',
        'cleo@example.com,Active,Temp Hold',
        'dov@example.com,Active,Pending',
        'eva@example.com,Active,Awaiting confirmation',
        'fay@example.com,Active,Unsubscribed',
      ),
    },
    {
      platforms: 'constant-contact',
      contacts: ['ana', 'ben', 'fay unsubscribed'],
      skipped: { no_consent: 1, pending: 2 },
    },
  ],
  [
    'Klaviyo: a suppression outranks consent, and a blank address is rejected',
    {
      'people.csv': csv(
        '\ufeffEmail,Klaviyo ID,Email Marketing Consent,Email Suppressions',
        'ana@example.com,1,subscribed,[]',
        'ben@example.com,1,SUBSCRIBED,"[""UNSUBSCRIBED"",""SPAM_COMPLAINT""]"',
        '   ,1,NEVER_SUBSCRIBED,',
      ),
    },
    { platforms: 'klaviyo', contacts: ['ana'], suppressions: { complained: ['ben'] }, skipped: { no_address: 1 } },
  ],
  ...(
    [
      ['German', 'Datensatz-ID,Vorname,E-Mail,Von allen E-Mails abgemeldet', 'Ja'],
      ['French', "ID d'enregistrement,Prénom,Adresse e-mail,Désabonné de tous les e-mails", 'Oui'],
      ['Spanish', 'ID de registro,Nombre,Correo,Suscripción cancelada a todos los correos', 'Sí'],
      ['Italian', 'ID record,Nome,Indirizzo e-mail,Iscrizione annullata a tutte le e-mail', 'Sì'],
      ['Dutch', 'Record-ID,Voornaam,E-mailadres,Uitgeschreven voor alle e-mails', 'Ja'],
      ['Polish', 'Identyfikator,Imię,Adres e-mail,Anulowano subskrypcję wszystkich e-maili', 'Tak'],
      ['Swedish', 'Post-ID,Förnamn,E-postadress,Avregistrerad från alla e-postmeddelanden', 'Ja'],
      ['Japanese', 'レコードID,名,Eメール,すべてのEメールの配信登録を解除', 'はい'],
    ] as const
  ).flatMap(([language, header, yes]) =>
    ['hubspot-crm-exports-view-2026-01-15.csv', 'list.csv'].map((name): (typeof SHAPES)[number] => [
      `HubSpot in ${language}, ${name}: a person who left everything is never subscribed, whatever the default`,
      { [name]: csv(header, '1,Ana,ana@example.com,', `2,Ben,ben@example.com,${yes}`) },
      { platforms: 'hubspot', contacts: ['ana'], suppressions: { unsubscribed: ['ben'] } },
      SUBSCRIBED,
    ]),
  ),
  ...(
    [
      ['German', 'Datensatz-ID', 'E-Mail', 'Grund für Hard Bounce der E-Mail', 'E-Mail-Adresse in Quarantäne'],
      ['French', "ID d'enregistrement", 'E-mail', 'Motif du rebond définitif', 'Adresse e-mail en quarantaine'],
      ['Spanish', 'ID de registro', 'Correo', 'Motivo de rebote definitivo del correo', 'Correo en cuarentena'],
      ['Portuguese', 'ID do registro', 'E-mail', 'Motivo da devolução permanente', 'E-mail em quarentena'],
      ['Italian', 'ID record', 'Indirizzo e-mail', 'Motivo del rimbalzo permanente', 'Indirizzo e-mail in quarantena'],
      ['Polish', 'Identyfikator rekordu', 'Adres e-mail', 'Powód twardego odbicia', 'Adres e-mail w kwarantannie'],
      ['Swedish', 'Post-ID', 'E-postadress', 'Orsak till hård studs', 'E-postadress i karantän'],
      ['Finnish', 'Tietueen tunnus', 'Sähköposti', 'Pysyvän palautuksen syy', 'Sähköpostiosoite karanteenissa'],
      ['Japanese', 'レコードID', 'Eメール', 'Eメールのハードバウンスの理由', 'Eメールアドレスの隔離'],
    ] as const
  ).map(([language, ...header]): (typeof SHAPES)[number] => [
    `HubSpot in ${language}: hard bounces and quarantined addresses are never subscribed, whatever the default`,
    {
      'hubspot-crm-exports-view-2026-01-15.csv': csv(
        header.join(','),
        '1,ana@example.com,,',
        '2,ben@example.com,550 unknown,',
        '3,cleo@example.com,,true',
      ),
    },
    { platforms: 'hubspot', contacts: ['ana'], suppressions: { bounced: ['ben'], unsubscribed: ['cleo'] } },
    SUBSCRIBED,
  ]),
  ...[
    ['Contact ID', 'Cancellation email sent', 'No', 'generic'],
    ['Contact ID', 'No Bulk Emails (User Opt Out)', '', 'generic'],
    ['Contact ID', 'SMS opt-out email address', '', 'generic'],
    ['Contact ID', 'Hard bounce', ''],
    ['Contact ID', 'Opt out of all emails', ''],
    ['Record ID', 'Email quarantined', ''],
    ['Record ID', 'Quarantine', 'no'],
    ['Kontakt-ID', 'Stornierung (Cancel) Mail', ''],
    ['Kontakt-ID', 'Abmeldung Mail', ''],
    ['Identyfikator', 'Rezygnacja e-mail', ''],
    ['ID de registro', 'Correo de cancelación enviado', ''],
    ['Post-ID', 'Avregistrering e-post', ''],
  ].map(([id, header, cell, platforms = 'hubspot']): (typeof SHAPES)[number] => [
    `signs up no person when only ${id} and ${header} point to HubSpot (C4)`,
    { 'x.csv': csv(`${id},First Name,Email,${header}`, `1,Ana,ana@example.com,${cell}`, '2,Ben,ben@example.com,') },
    { platforms, contacts: [], skipped: { no_status: 2 }, stops: ['no_status'] },
  ]),
  [
    '"Opt out of post" beside a contact id is no opt-out of HubSpot (C10)',
    { 'x.csv': csv('Contact ID,Email,Opt out of post', '1,ana@example.com,Yes', '2,ben@example.com,') },
    { platforms: 'generic', contacts: ['ana', 'ben'] },
    SUBSCRIBED,
  ],
  [
    'a HubSpot list without an opt-out column signs up no person (C4)',
    { 'x.csv': csv('Record ID,Email,Email hard bounce reason', '1,ana@example.com,', '2,ben@example.com,550 unknown') },
    {
      platforms: 'hubspot',
      contacts: [],
      suppressions: { bounced: ['ben'] },
      skipped: { no_status: 1 },
      stops: ['no_status'],
    },
  ],
  [
    'HubSpot by internal names, in another order, with labels that end in a blank',
    {
      'x.csv': csv(
        'hs_email_optout_12345,email ,hs_object_id,hs_email_hard_bounce_reason_enum,hs_email_optout ',
        ',ana@example.com,1,,false',
        'true,ben@example.com,2,,',
        ',cleo@example.com;c2@example.com,3,UNKNOWN_USER,true',
      ),
    },
    { platforms: 'hubspot', contacts: ['ana', 'ben unsubscribed'], suppressions: { bounced: ['cleo'] } },
  ],
  [
    'Kit in another order of columns',
    {
      'subscribers.csv': csv(
        'email_address,first_name,state,created_at,tags',
        'ana@example.com,Ana,cold,,',
        'ben@example.com,Ben,inactive,,',
        'cleo@example.com,Cleo,cancelled,,',
      ),
    },
    { platforms: 'kit', contacts: ['ana', 'cleo unsubscribed'], skipped: { pending: 1 } },
  ],
  [
    'Kit with headers that Drip also uses: status words tell them apart',
    {
      'subscribers.csv': csv(
        'email,first_name,status,created_at',
        'ben@example.com,Ben,inactive,',
        'cleo@example.com,Cleo,cancelled,',
      ),
    },
    { platforms: 'kit', contacts: ['cleo unsubscribed'], skipped: { pending: 1 } },
  ],
  ...(
    [
      ['mailerlite', 'x.csv', 'Subscriber,Subscribed,Groups,Unsubscribed'],
      ['constant-contact', 'x.csv', 'Email address,First name,Company,Confirmed Opt-Out Date'],
      ['aweber', 'x.csv', 'Email,Name 1,Add Method,Inactive Date'],
    ] as const
  ).map(([platform, file, header]): (typeof SHAPES)[number] => [
    `${platform} without its status column: an opt-out date outranks the default`,
    { [file]: csv(header, 'ana@example.com,,,', 'ben@example.com,,,2024-02-03 04:05:06') },
    { platforms: platform, contacts: ['ana', 'ben unsubscribed 2024-02-03T04:05:06.000Z'] },
    SUBSCRIBED,
  ]),
  [
    'AWeber: active on one list and unsubscribed on another is unsubscribed',
    {
      'x.zip/awlist1_a/leads/active_leads.csv': csv('Email,Name 1,Add Method,Inactive Date', 'ana@example.com,Ana,x,'),
      'x.zip/awlist2_b/leads/inactive_leads.csv': csv(
        'Email,Name 1,Add Method,Inactive Date',
        'ANA@example.com,Ana,x,2024-01-01 00:00:00',
      ),
      'x.zip/awlist2_b/broadcasts/broadcast_summary.csv': csv('subject,sent', 'hello,3'),
    },
    { platforms: 'aweber', contacts: ['ana unsubscribed 2024-01-01T00:00:00.000Z'] },
  ],
  [
    'SendGrid suppressions hold the words of other servers: bytes that are no UTF-8 stop nothing, none of them are sent',
    {
      'contacts.csv': csv(
        'email,first_name,address_line_1,postal_code',
        'ana@example.com,José,,',
        'ben@example.com,,,',
      ),
      'suppression_bounces.csv': Buffer.concat([
        Buffer.from(csv('status,reason,email,created', '5.1.1,"550 né, parti",ben@example.com,1700000000')),
        Buffer.from(csv('5.1.1,"550 boîte inconnue",cleo@example.com,1700000000'), 'latin1'),
      ]),
      'suppression_spam_reports.csv': Buffer.from(csv('ip,email,created', '1.2.3.4,dan@example.com,1700000000')),
      'suppression_blocks.csv': Buffer.from(
        csv('status,reason,email,created', '5,\xe9,ana@example.com,1700000000'),
        'latin1',
      ),
    },
    {
      platforms: 'sendgrid',
      contacts: ['ana'],
      suppressions: { bounced: ['ben', 'cleo'], complained: ['dan'] },
    },
    SUBSCRIBED,
  ],
  [
    "asks when a SendGrid file's name is lost, as it may hold blocks (C6)",
    { 'b.csv': csv('status,reason,email,created', '5.1.1,x,ana@example.com,1700000000') },
    { platforms: 'sendgrid', contacts: [], skipped: { no_status: 1 }, stops: ['no_status'] },
  ],
  ...(
    [
      ['German', 'Von E-Mail abgemeldet: News', 'Abgemeldet', 'Nicht abgemeldet'],
      ['French', "Désabonné de l'e-mail : News", 'Désabonné', 'Pas désabonné'],
      ['Spanish', 'Suscripción cancelada al correo: News', 'Cancelada', 'No cancelada'],
    ] as const
  ).map(([language, header, left, stayed]): (typeof SHAPES)[number] => [
    `HubSpot in ${language}: reads "unsubscribed", asks about its denial (C4)`,
    {
      'hubspot-crm-exports-view-2026-01-15.csv': csv(
        `Record ID,Email,${header}`,
        '1,ana@example.com,',
        `2,ben@example.com,${left}`,
        `3,cleo@example.com,${stayed}`,
      ),
    },
    {
      platforms: 'hubspot',
      contacts: ['ana', 'ben unsubscribed'],
      skipped: { unknown_status: 1 },
      stops: ['unknown_status'],
    },
  ]),
  ...(
    [
      ['DNC', '0', '1'],
      ['Do Not Email', 'No', 'Yes'],
      ['IsExcludedFromCampaigns', 'false', 'true'],
    ] as const
  ).map(([header, stayed, left]): (typeof SHAPES)[number] => [
    `a column ${header} tells who left, whatever the default`,
    { 'x.csv': csv(`Email,${header}`, `ana@example.com,${stayed}`, `ben@example.com,${left}`) },
    { platforms: 'generic', contacts: ['ana', 'ben unsubscribed'] },
    SUBSCRIBED,
  ]),
  ...(
    [
      ['Bounced', 'no', 'yes', 'bounced'],
      ['Marked as spam', '0', '1', 'complained'],
      ['Is Suppressed', 'false', 'true', 'unsubscribed'],
    ] as const
  ).map(([header, no, yes, reason]): (typeof SHAPES)[number] => [
    `a column ${header} suppresses people, whatever the default and the status`,
    {
      'x.csv': csv(`Email,${header}`, `ana@example.com,${no}`, `ben@example.com,${yes}`),
      'y.csv': csv(`Email,Status,${header}`, `cleo@example.com,active,${yes}`, `dov@example.com,active,`),
    },
    { platforms: 'generic', contacts: ['ana', 'dov'], suppressions: { [reason]: ['ben', 'cleo'] } },
    SUBSCRIBED,
  ]),
  ...['Consent', 'Newsletter', 'is_active', 'Marketing Permission'].map((header): (typeof SHAPES)[number] => [
    `asks about a no under ${header}, whatever the default (C4)`,
    { 'x.csv': csv(`Email,${header}`, 'ana@example.com,yes', 'ben@example.com,no') },
    { platforms: 'generic', contacts: ['ana'], skipped: { unknown_status: 1 }, stops: ['unknown_status'] },
    SUBSCRIBED,
  ]),
  [
    'asks about a yes and a blank when Newsletter is the only consent (C4)',
    { 'x.csv': csv('Email,Newsletter', 'ana@example.com,yes', 'ben@example.com,') },
    {
      platforms: 'generic',
      contacts: [],
      skipped: { no_status: 1, unknown_status: 1 },
      stops: ['unknown_status', 'no_status'],
    },
  ],
  [
    'asks about 3 bounces and a no to a newsletter, not about its name (C10)',
    {
      'x.csv': csv(
        'Email,Newsletter,Bounced',
        'ana@example.com,Weekly,3',
        'ben@example.com,no,0',
        'cleo@example.com,Daily,0',
      ),
    },
    { platforms: 'generic', contacts: ['cleo'], skipped: { unknown_status: 2 }, stops: ['unknown_status'] },
    SUBSCRIBED,
  ],
  [
    'a person with a reason for leaving has opted out',
    {
      'x.csv': csv('Email,Unsubscribe Reason', 'ana@example.com,', 'ben@example.com,too many', 'cleo@example.com,n/a'),
    },
    { platforms: 'generic', contacts: ['ana', 'ben unsubscribed', 'cleo'] },
    SUBSCRIBED,
  ],
  [
    'an answer for a word leaves an opt-out in another column (C7)',
    {
      'x.csv': csv(
        'Email,Status,Unsubscribed',
        'ana@example.com,active,no',
        'ben@example.com,active,yes',
        'cleo@example.com,active,maybe',
        'dov@example.com,unsubscribed,maybe',
      ),
    },
    { platforms: 'generic', contacts: ['ana', 'ben unsubscribed', 'cleo', 'dov unsubscribed'] },
    { statusMap: { active: 'subscribed', maybe: 'subscribed' } },
  ],
  [
    'an opt-out date under a header in another language',
    { 'x.csv': csv('E-Mail,Abgemeldet am', 'ana@example.com,', 'ben@example.com,2024-02-03') },
    { platforms: 'generic', contacts: ['ana', 'ben unsubscribed 2024-02-03T00:00:00.000Z'] },
    SUBSCRIBED,
  ],
  [
    'Wix, with numbered address columns',
    {
      'x.csv': csv(
        'First Name,Email 1,Email 2,Email subscriber status',
        'Ana,ana@example.com,ana2@example.com,Subscribed',
        'Ben,ben@example.com,ben2@example.com,Unsubscribed',
      ),
    },
    { platforms: 'wix', contacts: ['ana', 'ben unsubscribed'] },
  ],
  [
    'a status column under a header in any language is recognized by its words',
    { 'x.csv': csv('Correo,Estado', 'ana@example.com,subscribed', 'ben@example.com,unsubscribed') },
    { platforms: 'generic', contacts: ['ana', 'ben unsubscribed'] },
    SUBSCRIBED,
  ],
  [
    'two columns for one state: the more restrictive counts (C7)',
    { 'x.csv': csv('Email,Status,Status,Email Status', 'ana@example.com,active,unsubscribed,active') },
    { platforms: 'generic', contacts: ['ana unsubscribed'] },
  ],
];

const CASES = SHAPES.map(([claim, files, outcome, answers = {}]) => [claim, files, outcome, answers] as const);

test.each(CASES)('reads an export of a platform as expected: %s', async (_, files, expected, answers) => {
  const list = await readList(files, answers);
  const { inputs, rows, findings } = list.reading;
  expect({
    platforms: [...new Set(inputs.map(({ platform }) => platform))].join(' '),
    contacts: list.contacts.map(({ email, status, unsubscribed_at }) =>
      [short(email), status, unsubscribed_at].filter(Boolean).join(' '),
    ),
    suppressions: Object.fromEntries(Object.entries(list.suppressions).map(([why, who]) => [why, who.map(short)])),
    skipped: rows.skipped,
    stops: findings.filter(({ level }) => level === 'stop').map(({ check }) => check),
  }).toEqual({ suppressions: {}, skipped: {}, stops: [], ...expected });
});

test.each([
  ['Email,Vorname,Name', ['Ana', 'Alb']],
  ['Nom,Prénom,Adresse e-mail', ['Ana', 'Alb']],
  ['Voornaam,E-mailadres,Naam', ['Ana', 'Alb']],
  ['Name,Vorname,Nachname,Email', ['Ana', 'Berg']],
  ['Email,First Name,Name', ['Ana', undefined]],
  ['Nom,Email', [undefined, undefined]],
])('decides by the other headers which column is the family name: %s', async (header, names) => {
  const values: Record<string, string> = { Nachname: 'Berg', Name: 'Alb', Nom: 'Alb', Naam: 'Alb' };
  const cells = header.split(',').map((name) => values[name] ?? (/mail/i.test(name) ? 'ana@example.com' : 'Ana'));
  const { contacts } = await readList({ 'x.csv': csv(header, cells.join(',')) }, SUBSCRIBED);
  expect([contacts[0]?.first_name, contacts[0]?.last_name]).toEqual(names);
});

// Two names of platforms in one file name make both equally certain.
test.each([
  ['activecampaign-klaviyo.csv', 'activecampaign'],
  ['klaviyo-brevo.csv', 'brevo'],
  ['omnisend-campaign-monitor.csv', 'campaign-monitor'],
  ['mailerlite-buttondown.csv', 'buttondown'],
])('chooses the platform registered first when two match the file name %s', (name, id) => {
  expect(recognizePlatform({ path: name, name, entry: undefined, header: ['Email'], sample: [] }).id).toBe(id);
});

function short(email: string): string {
  return email.replace(/@example\.com$/, '');
}
