import type { State } from '../../../platforms/lib/states.ts';
import { withoutCompounds } from '../cells/compounds.ts';
import { asksToStop } from '../words/phrases.ts';

// Matches words for people who get no more mail: `inactive`. They may have opted out, or only never reacted.
const UNUSED =
  /inaktiv|inactif|inactiv[oae]|inattiv|inativ[oa]|inactief|nieaktywn|neaktivn|неактивн|ανενεργ|休眠|휴면|archived|suspended|(?<![a-z])disabled/i;

// Patterns of words in file names, and the states that they mean. They have no accents, like the names that svc
// compares with them. The first pattern that matches decides.
export const OPT_OUT_NAME_PATTERNS: readonly (readonly [pattern: RegExp, state: State])[] = [
  [
    /no[\s_-]?consent|without[\s_-]?consent|not[\s_-]?opted[\s_-]?in|(?<![a-z])(?:no|without|kein|ohne)[\s_-](?:double[\s_-]?)?opt[\s_-]?ins?(?![a-z])|(?<![a-z])(?:no|without)[\s_-]permission|(?<![a-z])(?:ohne|fehlende|keine)[\s_-](?:einwilligung|zustimmung)|sans[\s_-]consentement|sin[\s_-]consentimiento|senza[\s_-]consenso|sem[\s_-]consentimento|zonder[\s_-]toestemming|bez[\s_-](?:zgody|souhlasu)|(?:utan|uden|uten)[\s_-]samty(?:cke|kke)/i,
    'skip',
  ],
  // A soft bounce is no proof that the address is dead, so these people are not suppressed (C6).
  [
    /(?<![a-z])(?:soft|weiche|transient|temporar[a-z]{0,5}|temporaire)[\s_-]*bounce|(?:bounced?|bounces|rebotes?|rimbalzi|rebonds)[\s_(-]+(?:soft|suaves?|bland[oa]s?|tempor[a-z]{1,8}|transient)(?![a-z])/i,
    'skip',
  ],
  [
    /bounce|cleaned[\s_-]?(?:email[\s_-]?|audience[\s_-]?|members[\s_-]?|segment[\s_-]?)+export|undeliverable|rebotad|rebote|rimbalz|ru?e?cklae?ufer|devolvidos|odbicia|(?<![a-z])(?:dead|npai)(?![a-z])|エラーメール/i,
    'bounced',
  ],
  [
    /complain|spam|junk(?!er|yard)|abuse|plainte|quejas|reclami(?![a-z])|skargi|beschwerde|(?<![a-z])fbl(?![a-z])/i,
    'complained',
  ],
  [
    /suppress|block(?!chain|buster)|blacklist|denylist|exclu(?:de|sion)|quarantin|ausschluss[\s_-]?liste|(?<![a-z])ausschluss(?![a-z])|ausgeschlossene|(?:do[\s_-]?not|never)[\s_-]?(?:contact|send|e?-?mail|use)|sperr(?:liste|datei)|negativ(?:e[\s_-]?list|liste)|gesperrt|werbesperre|robinson|keine[\s_-]werbung|nicht[\s_-]anschreiben|niet[\s_-]mailen|na?o[\s_-]enviar|non[\s_-]contattare|(?<![a-z])(?:dn[cde]|nix|no[\s_-]?(?:e?-?mail|marketing)s?|banned|(?:stopp?|kill)[\s_-]?(?:list[ae]?|lijst|file))(?![a-z])|zwarte[\s_-]?lijst|kara[\s_-]liste|list[ae][\s_-](?:noire|nera|negra)|czarna[\s_-]lista|cerna[\s_-]listina|sparrlist|svartlist|フラックリスト|除外リスト|黑名单|черныи список|стоп-?лист/i,
    'suppressed',
  ],
  [
    /unsub|(?<![a-z])un[\s_.-]subscri|(?:formerly|no[\s_-]longer|previously)[\s_-](?:subscri|member)|opt(?:ed|ing)?[\s_-]?out|cancel(?:l?ed|ad|lations?(?![a-z])|lati|ament)|abgemeldet|abmeld|desabonn|desinscri|disiscri|(?:af|ud|ut)meld(?:t|ing|er)|afgemeld|uitgeschreven|uitschrij|opzegg|descadastr|(?<![a-z])bajas?(?![a-z])|(?<![a-z])(?:former|past|lapsed|ex)[\s_-]?(?:subscri\w*|members?|contacts?|abonn\w*)|wypisan|rezygn|avregistr|avanmal|avslutade|avmeld|frameld|perut(?:u|tut)|perune|poistetut|estetyt|odhlas|zrusen|leiratkoz|dezabon|отпис|配信停止|退会|解約|退订|退訂|수신거부|탈퇴|[cç][iı]kanlar|ayr[iı]lanlar|(?<![a-z])(?:gone(?:[\s_-]?aways?)?|left|quit|stop|leavers?|churned|rejects|rejected|refus|declined|resigned|terminated|withdrawn|withdrawals|objections|opposition|revoked|exclus|esclusi|rimossi|removidos|removals|(?:to[\s_-])?(?:remove|delete|purge))(?![a-z])|not[\s_-]interested|erasure|(?<![a-z])forget[\s_-]?me(?![\s_-]?not)|ku?e?ndigung|wider(?:spr|ruf)|ausgetreten|austritt|austrag|lo?e?sch(?:ung|liste|anfrage|antra|auftra|begehren)|(?<![a-z])(?:rausnehmen|(?:zu|bitte)[\s_-](?:entfernen|lo?e?schen))(?![a-z])|(?:gdpr|dsgvo|rgpd|ccpa)[\s_-](?:requests?|anfragen?|antra?e?ge?|demandes?|solicitudes|richieste|verzoeken)|(?:demandes|solicitudes|richieste)[\s_-](?:gdpr|rgpd)|deletion[\s_-]?requests?|(?<![a-z])to[\s_-]be[\s_-]forgotten(?![a-z])|gelo?e?scht|geku?e?ndigt|objected|objectors|withdrew|refused|cancelaciones|cancelacoes|cancellazioni|revo[cg]ad[oa]s|revocat[ie]|resiliations|resilie(?!n)|verstorben|ausgeschieden|(?<![a-z])(?:ehemalige?|aufgehort|liste[\s_-]rouge|anciens)(?![a-z])|desuscri|verwijderd|odjav|deceased|fallecid|deleted|removed/i,
    'unsubscribed',
  ],
  // The name says that these people refused, or no longer want mail: `kein Interesse`, `refusés`, `Nicht mehr`.
  [
    /(?<![a-z])(?:(?:kein|geen)[\s_-]interesse|nicht[\s_-]interessiert|pas[\s_-]interess|n[oa]o?n?[\s_-]inter[ea]s+ad[oa]s|non[\s_-]interessat|niet[\s_-]geinteresseerd|ej[\s_-]intresserad|ikke[\s_-]interess|niezainteresowan|refuses?(?![a-z])|rifiut(?:i|ati)(?![a-z])|rechazad[oa]s|recusad[oa]s|geweigerd|odmow|abgelehnte?(?![a-z])|verweiger|(?:do|does)[\s_-]not[\s_-]want|dont[\s_-]want|(?:wollen|will)[\s_-]nicht|no[\s_-](?:desean|quieren)|non[\s_-]vogliono|ne[\s_-]veulent[\s_-]p(?:as|lus))|^(?:nicht[\s_-]mehr|no[\s_-](?:longer|more)|ya[\s_-]no|non[\s_-]piu|niet[\s_-]meer)(?:\.[a-z]+)?$|^不要(?:\.|$)/i,
    'unsubscribed',
  ],
  [/(?:un|not[\s_-])confirmed|pending/i, 'pending'],
  [UNUSED, 'skip'],
  [
    // `cleaned.csv` can have the addresses that were removed, or those that remained.
    /cleaned|(?:non|never|not)[\s_-]?subscribe(?:d|rs?)|(?:do[\s_-]?not|dont|never)[\s_-]?(?:import|upload)|nicht[\s_-](?:verwenden|benutzen|importieren|hochladen)|ne[\s_-]pas[\s_-](?:importer|utiliser)|(?<![a-z])no[\s_-](?:importar|usar)|(?<![a-z])non[\s_-](?:importare|usare)|nao[\s_-](?:importar|usar)|niet[\s_-](?:importeren|gebruiken)|nie[\s_-](?:importowac|uzywac)|invalid(?!ity)|unzustellbar|ungu?e?ltig|(?:bad|wrong)[\s_-](?:e?-?mails?|addresses)|mail[\s_-]returned|returned[\s_-]mail/i,
    'skip',
  ],
];

// Words for `without` in several languages.
const WITHOUT = 'without|w/o|minus|except|ohne|sans|sin|senza|zonder|bez|utan|uden';

// Matches words about people who are not in the list: `newsletter without bounces`, `duplicates removed`.
const TAKEN_OUT = new RegExp(
  `(?:${WITHOUT}|no|excl(?:uding|\\.)?)[\\s_-]+(?:all[\\s_-]|the[\\s_-])?(?:unsub|bounce|opt(?:ed)?[\\s_-]?out|complain|spam|invalid|inactive|abgemeldet|abmeld|desabonn|desinscri|bajas|disiscri)\\w{0,20}|(?:unsub|bounce|opt[\\s_-]?out|complain|spam|invalid|inactive|dup)\\w{0,20}[\\s_-]+(?:removed|deleted|excluded)|(?:removed|deleted)[\\s_-]dup\\w{0,20}`,
  'gi',
);

// Matches the filter of a report that leaves people out: `Email opt out = false`.
const FILTERED_OUT = /(?<![^,;&|])[^,;&|]+(?:=|:|\bequals|\bis)\s*(?:false|no|nein|0)(?![\p{L}\p{N}])/giu;

/**
 * The state that the titles of a list mean: `unsubscribed` for `Former subscribers`. Titles are names of files, lines
 * above the header, and the header of the address column. Undefined if they mean none.
 */
export function stateByTitle(titles: readonly string[]): State | undefined {
  const texts = titles.map((title) =>
    withoutCompounds(withoutAccents(title).replace(TAKEN_OUT, '').replace(FILTERED_OUT, '')),
  );
  return stateByWords(texts) ?? (texts.some(asksToStop) ? 'unsubscribed' : undefined);
}

function stateByWords(texts: readonly string[]): State | undefined {
  return OPT_OUT_NAME_PATTERNS.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
}

// Words that deny, limit or widen what a title says: `not unsubscribed`, `incl. bounces`. In order: English, German,
// French, Spanish, Italian, Portuguese, Dutch, Polish, Nordic, Finnish, Turkish, Czech, Hungarian, Russian, and those
// of WITHOUT.
const QUALIFIERS = [
  "not|no(?![\\s_-]longer)|never|(?:is|has|are|have|did|do|does)n['’]?t|excepting|but|other than|apart from|incl|including|inclusive|included|rates?|ratio|percent|subscribed",
  'nicht|kein\\p{L}*|nie|ausser|außer|bis auf|ausgenommen|abzgl|abzuglich|inkl|inklusive|einschl\\p{L}*|samt|(?:e|ungs)?(?:rate|quote)n?',
  'sauf|excepte\\p{L}*|hors|hormis|pas|ne|non|compris\\p{L}*|incluant|inclus\\p{L}*|taux',
  'excepto|salvo|menos|incluid[oa]s?|incluyendo|tasa|eccetto|tranne|compres[oaie]|inclus[oaie]|tasso',
  'exceto|sem|nao|incluindo|taxa|behalve|uitgezonderd|niet|geen|inclusief|percentage',
  'oprocz|poza|wyjatkiem|nie|w tym|w?[lł]acznie|utom|forutom|undtagen|unntatt|uten|inte|ikke|andel',
  'paitsi|ilman|ei|lukien|haric|dahil|degil|olmayan|krome|vcetne|kiveve|nelkul|nem|beleertve',
  'кроме|без|не|включая|исключая|доля|процент',
  WITHOUT,
].join('|');
// Matches a word of QUALIFIERS, but not in `no duplicates`.
const QUALIFIER = new RegExp(
  `(?<!\\p{L})(?:${QUALIFIERS})(?!\\p{L})(?![\\s_-]+(?:dup|dubl|dubb|doppel|doubl))|%|以外|除く|除外|含|包括|除了|제외|포함`,
  'iu',
);
// Matches words that can mean people who are left out, but also an opt-out list: `excluded.csv`.
const EXCLUDES = /(?<!\p{L})(?:e[xs]clu\p{L}*|e[xs]cl|ausgeschlossen\p{L}*)(?!\p{L})/iu;

/**
 * True if some titles name opted-out people, and each of these titles may also mean other people: `all contacts except
 * unsubscribed`, `incl. bounces`, `bounce rate 1 %`. Only the user knows the state of such a list.
 */
export function hasUnclearState(titles: readonly string[]): boolean {
  const named = titles.filter((title) => stateByTitle([title]) !== undefined);
  return named.length > 0 && named.every((title) => isQualified(withoutAccents(title)));
}

/**
 * True if a title clearly says that all people below it opted out: `Filter: Unsubscribed = Yes`. False for a count
 * (`Unsubscribed: 3`), an offer (`To unsubscribe, click here`), and a title that also names other people (`Active and
 * unsubscribed`).
 */
export function saysAllOptedOut(title: string): boolean {
  const text = withoutAccents(title).trim();
  return (
    stateByTitle([title]) !== undefined &&
    !hasUnclearState([title]) &&
    !/^[^:=]*[:=]\s*\d[\d\s.,']*%?$|(?:\bto|\bcan|\bclick|[.,;])\s+unsubscribe\b|unsubscribe (?:here|from|at)\b/i.test(
      text,
    ) &&
    !BESIDE_OTHERS.test(withoutOptOutWords(text, '\0'))
  );
}

const AND = String.raw`\s*(?:[,;/&+|]|and|or|und|oder|et|ou|y|o|e|en|of|och|og|i)\s*`;
const SUBSCRIBERS = String.raw`(?:subscri|active\b|aktive?\b|abonn|actif|activ[oae]s?\b|attivi)\p{L}{0,20}`;
const BESIDE_OTHERS = new RegExp(`${SUBSCRIBERS}${AND}\0|\0\\p{L}*${AND}${SUBSCRIBERS}`, 'iu');

function withoutOptOutWords(title: string, replacement: string): string {
  return OPT_OUT_NAME_PATTERNS.reduce(
    (text, [pattern]) => text.replace(new RegExp(pattern.source, 'gi'), replacement),
    withoutCompounds(title),
  );
}

function isQualified(title: string): boolean {
  const others = withoutOptOutWords(title, ' ');
  const isRequest = asksToStop(others) || stateByWords([title]) === undefined;
  const leavesOut = EXCLUDES.test(title) && stateByWords([title.replace(EXCLUDES, ' ')]) !== undefined;
  return leavesOut || (QUALIFIER.test(others) && !isRequest);
}

function withoutAccents(name: string): string {
  // Hangul is composed again, because the patterns above have whole syllables.
  return name.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

/**
 * How the names of opt-out files begin, without blanks. The word filter needs them to find cells such as `bounces.csv`.
 */
export const LIST_NAME_STARTS: readonly string[] = [
  ...[
    'cleaned',
    'nonsubscribed',
    'unsubscribed',
    'bounce',
    'complaint',
    'suppression',
    'optout',
    'optedout',
    'inactive',
  ],
  ...['abmeldung', 'abgemeldet', 'blacklist', 'blocklist', 'desinscri', 'desabonn', 'bajas', 'disiscri', 'donotmail'],
  ...[
    'import',
    'liste',
    'lista',
    'listof',
    'sperr',
    'losch',
    'blocklist',
    'blockfile',
    'master',
    'mailchimp',
    'crm',
    'schwarzeliste',
    'zwartelijst',
    'czarnalista',
    'svartlist',
  ],
];

/** True for a cell that names an opt-out list: `bounces.csv` under `Source file`, `bounce list 2021` under `Source`. */
export function namesOptOutFile(cell: string): boolean {
  return (LIST_FILE.test(cell) || LIST_TITLE.test(cell)) && stateByTitle([cell]) !== undefined;
}

// Matches the name of a file, as in a column `Source file`: `bounces.csv`, `cleaned_members_export_1`.
const LIST_FILE = /\.(?:csv|tsv|txt|xlsx?|xlsm|ods|zip)$|[_-]export(?:[_-]|$)/i;
const YEAR = String.raw`(?:[\s_-]\(?(?:19|20)\d\d\)?)`;
// Matches the name of a list or an import, with or without a year, and a plural with a year: `Abmeldungen 2020`.
const LIST_TITLE = new RegExp(
  [
    String.raw`^[^.!?]{0,40}?(?:[\s_-](?:lists?|imports?|export|file|upload|segment|liste|lista|lijst|datei)|liste)${YEAR}?\s*$`,
    String.raw`^(?:list[ae]?|imports?)[\s_:-][^.!?]{0,40}$`,
    `^(?:abmeldungen|abgemeldete|complaints|bajas)${YEAR}\\s*$`,
  ].join('|'),
  'iu',
);
