import { memoize } from '../base/lib/memoize.ts';
import { isFilledCell } from './lib/blank-cells.ts';
import { assignColumns, type ColumnRoles } from './lib/columns.ts';
import { countHeaders, findHeader } from './lib/headers.ts';
import type { Platform, TableReading, TableShape } from './lib/platform.ts';
import { answerIn, describeColumns } from './lib/state-columns.ts';
import { rankOf, type StatusReading } from './lib/states.ts';
import {
  BOUNCED,
  bareWord,
  createWordReader,
  NONE,
  SUBSCRIBED,
  SUPPRESSED,
  statusWords,
  UNSUBSCRIBED,
} from './lib/status-words.ts';

const OPT_OUT_OF_ALL = ['Unsubscribed from all email', 'hs_email_optout'];
const HARD_BOUNCE = ['Email hard bounce reason', 'hs_email_hard_bounce_reason', 'hs_email_hard_bounce_reason_enum'];
const QUARANTINED = ['Email Address Quarantined', 'hs_email_quarantined'];
const OWN_HEADERS = ['Lifecycle Stage', 'Marketing contact status', ...OPT_OUT_OF_ALL, ...HARD_BOUNCE, ...QUARANTINED];
// Matches HubSpot's English label or internal name of an opt-out from one kind of email.
const OPT_OUT_OF_ONE_KIND = /^\s*(opted out of email:|hs_email_optout_\d+)/i;

// The patterns below match HubSpot's labels in the languages of its exports (DE EN ES FI FR IT JA NL PL PT SV). They
// match stems of words, because HubSpot changes the labels over the years.

/** Matches words about an opt-out, from one kind of email or from all: `Abgemeldet`, `Unsubscribed`. */
const OPT_OUT_STEM =
  /unsub|opt(?:ed)?[\s-]?out|abgemeldet|abmeld|abbestell|d[ée]sabonn|d[ée]sinscri|cancel(?!l?ed|lation)|de baja|opt(?:ado|ó) por no|anul(?:ó|ad|ow)|annullat|disiscri|descadastr|afgemeld|uitgeschreven|avregistr|avprenum|avanmäl|peruut|perunut|wypisa|rezygn|解除|停止|オプトアウト/iu;

/** Matches words for all email, not one kind only: `alle`, `toutes`. */
const ALL_MAIL = /\b(?:all|alle|allen|alla|todos|todas|tous|toutes|tutt[ei]|wszystk\p{L}*|kaik\p{L}*)\b|すべて|全て/iu;

const MAIL = /mail|correo|e-?post|sähköpost|メール/iu;
/** Matches labels that name one kind of email after a colon: `Opted out of email: Newsletter`. */
const ONE_KIND = /(?:mail|correo|e-?post|sähköpost|メール)[^:：]{0,20}[:：]/iu;
/**
 * Matches the English words in a label: `all`, `unsubscribed`, `opted out`. HubSpot's own English labels are known
 * exactly. So another program wrote a header that says opt-out only in these English words.
 */
const ENGLISH = /\b(?:all|unsub\w*|opt(?:s|ed)?[\s-]?out)\b/gi;

/** Matches labels about hard bounces. Soft bounces and numbers of bounces don't match (C6). */
const HARD_BOUNCE_STEM =
  /hard[\s_-]?bounce|(?:rebote|rebond|rimbalzo|rejeição|devolução)\s+(?:d[ée]finiti[vf]|dur|perman)|harte\p{L}?\s+(?:bounce|rückläufer)|tward\p{L}{0,5}\s+(?:odbici|zwrot)|hård\p{L}{0,5}\s+studs|(?:kova|pysyvä)\p{L}{0,5}\s+palautu|ハード\s?バウンス/iu;

/** Matches labels about addresses in quarantine: HubSpot sends nothing to them. */
const QUARANTINE_STEM = /quarant|quarenten|cuarenten|karant|kwarant|隔離|検疫/iu;

/** Headers of the id of a contact in HubSpot. Each export has one of them, in the language of the account. */
const RECORD_ID: readonly string[] = [
  ...['Record ID', 'Contact ID', 'hs_object_id', 'Datensatz-ID', 'Kontakt-ID', 'ID de registro', 'ID del registro'],
  ...['ID do registro', 'ID record', 'ID del record', "ID d'enregistrement", "ID de fiche d'informations"],
  ...["ID de l'enregistrement", 'Post-ID', 'Tietueen tunnus', 'Identyfikator'],
  ...['Identyfikator rekordu', 'Record-ID', 'レコードID', 'コンタクトID'],
];

/** Headers of the column that says whether the account may send marketing mail to the contact. HubSpot bills by it. */
const MARKETING_STATUS: readonly string[] = [
  ...['Marketing contact status', 'hs_marketable_status', 'Marketing-Kontaktstatus'],
  ...['Estado del contacto de marketing', 'Statut du contact marketing', 'Stato contatto di marketing'],
  ...['Status do contato de marketing'],
];

/** Reads HubSpot's labels of a contact that may get marketing mail. `Contact hors marketing` is no such label. */
const readMarketing = createWordReader(
  statusWords([
    SUBSCRIBED,
    ...['Marketing contact', 'Marketing contacts', 'Marketing-Kontakt', 'Contacto de marketing', 'Contact marketing'],
    ...['Contatto di marketing', 'Contatto marketing', 'Contato de marketing', 'Marketingcontact'],
    ...['Marketingcontactpersoon', 'Marknadsföringskontakt', 'Markkinointikontakti', 'Markkinointiyhteystieto'],
    ...['Kontakt marketingowy', 'マーケティングコンタクト', 'マーケティング コンタクト'],
  ]),
);

/** Internal columns of HubSpot: ids, dates of creation and change, the marketing status, and numbers of bounces. */
const BOOKKEEPING: readonly string[] = [
  ...RECORD_ID,
  ...['Create Date', 'createdate', 'Erstellungsdatum', 'Fecha de creación', 'Date de création', 'Data di creazione'],
  ...['Data de criação', 'Aanmaakdatum', 'Datum aangemaakt', 'Skapad den', 'Luontipäivä', 'Data utworzenia', '作成日'],
  ...['Last Modified Date', 'lastmodifieddate', 'Datum der letzten Änderung', 'Fecha de última modificación'],
  ...['Date de dernière modification', 'Data ultima modifica', 'Data da última modificação', '最終更新日'],
  ...MARKETING_STATUS,
  ...['Marketing emails bounced', 'hs_email_bounce'],
];

const ROLES: ColumnRoles = {
  email: ['Email'],
  first_name: ['First Name', 'firstname'],
  last_name: ['Last Name', 'lastname'],
  state: [...OPT_OUT_OF_ALL, ...HARD_BOUNCE, ...QUARANTINED],
  internal: BOOKKEEPING,
};

/** HubSpot contact export: any of about 180 properties, under labels in eleven languages or internal names. */
export const hubspot: Platform = { id: 'hubspot', title: 'HubSpot', certainty, read };

function certainty({ header, name }: TableShape): number {
  const hasRecordId = countHeaders(header, ...RECORD_ID) > 0;
  const ownCount = countHeaders(header, ...OWN_HEADERS);
  if (hasRecordId && ownCount > 0) {
    return 90;
  }
  if (/^hubspot-/i.test(name)) {
    return 85;
  }
  const isEnglish = ownCount >= 2 || header.some((text) => OPT_OUT_OF_ONE_KIND.test(text));
  const isTranslated = hasRecordId && header.some(isTranslatedLabel);
  return isEnglish || isTranslated ? 70 : 0;
}

// True for a translated label of HubSpot. English labels don't count, because other programs write labels such as
// `Email Opt Out` beside a contact id.
function isTranslatedLabel(text: string): boolean {
  const isRule = (label: string) => translatedRules(label, 0).length > 0;
  return isRule(text.replace(ENGLISH, '')) || (isRule(text) && (ONE_KIND.test(text) || ALL_MAIL.test(text)));
}

function read(shape: TableShape): TableReading {
  const { header } = shape;
  const rules = header
    .flatMap((text, index) => ruleOf(text, index))
    .sort((first, second) => rankOf(first.statusReading.state) - rankOf(second.statusReading.state));
  const marketingStatus = findHeader(header, ...MARKETING_STATUS);
  const stateColumns = [...rules.map(({ index }) => index), ...(marketingStatus < 0 ? [] : [marketingStatus])];
  const columns = assignColumns(shape, ROLES).columns.map((target, index) =>
    stateColumns.includes(index) ? { kind: 'state_part' as const } : target,
  );
  // In HubSpot's opt-out column a blank means that the person is subscribed. Without that column, blanks give no state.
  const defaultReading = header.some(isOwnOptOut) ? SUBSCRIBED : NONE;
  const engagement = ['Marketing emails opened', 'Last marketing email open date'].find(
    (name) => findHeader(header, name) >= 0,
  );
  return {
    columns,
    stateSource: describeColumns(header, stateColumns),
    stateOf: (cells) => stateByRules(rules, cells) ?? nonMarketing(cells[marketingStatus]) ?? defaultReading,
    notConsentHeaders: BOOKKEEPING,
    isAddressOptional: true,
    engagement,
  };
}

// True for an opt-out label that only HubSpot writes: `Unsubscribed from all email`, but not `Cancellation email`.
function isOwnOptOut(text: string): boolean {
  const inAnotherLanguage = text.replace(ENGLISH, '');
  return (
    findHeader([text], ...OPT_OUT_OF_ALL) >= 0 ||
    OPT_OUT_OF_ONE_KIND.test(text) ||
    (OPT_OUT_STEM.test(text) && MAIL.test(text) && ALL_MAIL.test(inAnotherLanguage)) ||
    (OPT_OUT_STEM.test(inAnotherLanguage) && ONE_KIND.test(text))
  );
}

type YesOrNo = 'yes' | 'no' | 'unknown';

interface Rule {
  readonly index: number;
  readonly statusReading: StatusReading;
  answerOf(cell: string): YesOrNo;
}

function rule(index: number, statusReading: StatusReading, answerOf: Rule['answerOf']): Rule {
  return { index, statusReading, answerOf: memoize(answerOf) };
}

const KNOWN_RULES: readonly (readonly [readonly string[], StatusReading, Rule['answerOf']])[] = [
  [HARD_BOUNCE, BOUNCED, reasonAnswer],
  [OPT_OUT_OF_ALL, SUPPRESSED, yesNoAnswer],
  [QUARANTINED, SUPPRESSED, yesNoAnswer],
];

function ruleOf(text: string, index: number): readonly Rule[] {
  const knownRule = KNOWN_RULES.find(([names]) => findHeader([text], ...names) >= 0);
  if (knownRule) {
    return [rule(index, knownRule[1], knownRule[2])];
  }
  return OPT_OUT_OF_ONE_KIND.test(text) ? [rule(index, UNSUBSCRIBED, optOutAnswer)] : translatedRules(text, index);
}

function translatedRules(text: string, index: number): readonly Rule[] {
  if (OPT_OUT_STEM.test(text) && MAIL.test(text)) {
    return [ALL_MAIL.test(text) ? rule(index, SUPPRESSED, yesNoAnswer) : rule(index, UNSUBSCRIBED, optOutAnswer)];
  }
  if (HARD_BOUNCE_STEM.test(text)) {
    return [rule(index, BOUNCED, reasonAnswer)];
  }
  return QUARANTINE_STEM.test(text) ? [rule(index, SUPPRESSED, reasonAnswer)] : [];
}

// The state of a row. Undefined if no rule applies. The rules are sorted, the most restrictive first, so the first yes
// wins. But an unknown word in any of the columns wins over every yes, and svc asks.
function stateByRules(rules: readonly Rule[], cells: readonly string[]): StatusReading | undefined {
  let found: StatusReading | undefined;
  for (const { index, statusReading, answerOf } of rules) {
    const cell = cells[index] ?? '';
    const answer = answerOf(cell);
    if (answer === 'unknown') {
      return { state: 'none', unknown: cell.trim() };
    }
    found ??= answer === 'yes' ? statusReading : undefined;
  }
  return found;
}

// A non-marketing contact gets no marketing mail from HubSpot. But the person may not have opted out, so svc asks.
function nonMarketing(cell = ''): StatusReading | undefined {
  const answer = answerIn(cell);
  const isMarketing = answer === 'yes' || answer === 'blank' || readMarketing(cell).state === 'subscribed';
  return isMarketing ? undefined : { state: 'none', unknown: cell.trim() };
}

// Yes if the cell has a reason or a word for yes. No if it is blank or has a word for no.
function reasonAnswer(cell: string): YesOrNo {
  return isFilledCell(cell) ? 'yes' : 'no';
}

function yesNoAnswer(cell: string): YesOrNo {
  const answer = answerIn(cell);
  return answer === 'blank' ? 'no' : answer;
}

function optOutAnswer(cell: string): YesOrNo {
  const word = bareWord(cell);
  if (word === 'optedin' || word === 'notoptedout') {
    return 'no';
  }
  // The words in the cells are in the language of the export, like the labels.
  return word === 'optedout' || (OPT_OUT_STEM.test(cell) && !NEGATED.test(cell)) ? 'yes' : yesNoAnswer(cell);
}

// Matches words for "not" in the languages of the exports, as in `nicht abgemeldet`.
const NEGATED = /\b(?:not|non?|nicht|pas|niet|nie|inte|icke|ej|ikke|ei)\b|não|ない|未|非/iu;
