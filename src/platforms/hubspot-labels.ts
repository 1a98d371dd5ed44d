/**
 * HubSpot's labels in the languages of its exports (DE EN ES FI FR IT JA NL PL PT SV). Labels about a state are stems,
 * because HubSpot changes their words over the years.
 */

/** Labels of people who left one kind of email, or all of it. */
export const LEFT_STEM =
  /unsub|opt(?:ed)?[\s-]?out|abgemeldet|abmeld|abbestell|d[ée]sabonn|d[ée]sinscri|cancel|de baja|opt(?:ado|ó) por no|anul(?:ó|ad|ow)|annullat|disiscri|descadastr|afgemeld|uitgeschreven|avregistr|avprenum|avanmäl|peruut|perunut|wypisa|rezygn|解除|停止|オプトアウト/iu;

/** The label is about all email, not about one kind only. */
export const ALL_MAIL =
  /\b(?:all|alle|allen|alla|todos|todas|tous|toutes|tutt[ei]|wszystk\p{L}*|kaik\p{L}*)\b|すべて|全て/iu;

/** Why mail bounced for good. Soft bounces and counts of bounces don't match (rule C6). */
export const HARD_BOUNCE_STEM =
  /hard[\s_-]?bounce|(?:rebote|rebond|rimbalzo|rejeição|devolução)\s+(?:d[ée]finiti[vf]|dur|perman)|harte\p{L}*\s+(?:bounce|rückläufer)|tward\p{L}*\s+(?:odbici|zwrot)|hård\p{L}*\s+studs|(?:kova|pysyvä)\p{L}*\s+palautu|ハード\s?バウンス/iu;

/** The address is held back by HubSpot. */
export const QUARANTINE_STEM = /quarant|quarenten|cuarenten|karant|kwarant|隔離|検疫/iu;

/** The id of the record, which every export has. */
export const RECORD_ID: readonly string[] = [
  ...['Record ID', 'Contact ID', 'hs_object_id', 'Datensatz-ID', 'Kontakt-ID', 'ID de registro', 'ID del registro'],
  ...['ID do registro', 'ID record', 'ID del record', "ID d'enregistrement", "ID de fiche d'informations"],
  ...["ID de l'enregistrement", 'Post-ID', 'Tietueen tunnus', 'Identyfikator'],
  ...['Identyfikator rekordu', 'Record-ID', 'レコードID', 'コンタクトID'],
];

/** Bookkeeping: the id of the record, its creation and changes, and how it is billed. */
export const BOOKKEEPING: readonly string[] = [
  ...RECORD_ID,
  ...['Create Date', 'createdate', 'Erstellungsdatum', 'Fecha de creación', 'Date de création', 'Data di creazione'],
  ...['Data de criação', 'Aanmaakdatum', 'Datum aangemaakt', 'Skapad den', 'Luontipäivä', 'Data utworzenia', '作成日'],
  ...['Last Modified Date', 'lastmodifieddate', 'Datum der letzten Änderung', 'Fecha de última modificación'],
  ...['Date de dernière modification', 'Data ultima modifica', 'Data da última modificação', '最終更新日'],
  ...[
    'Marketing contact status',
    'hs_marketable_status',
    'Marketing-Kontaktstatus',
    'Estado del contacto de marketing',
  ],
  ...['Statut du contact marketing', 'Stato contatto di marketing', 'Status do contato de marketing'],
  ...['Marketing emails bounced', 'hs_email_bounce'],
];
