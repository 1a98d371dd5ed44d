import type { State } from '../../../platforms/lib/states.ts';
import { withoutCompounds } from '../cells/compounds.ts';
import { asksToStop } from '../phrases.ts';

// Words for people who get no more mail. They may have opted out, or only never reacted.
const UNUSED =
  /inaktiv|inactif|inactiv[oae]|inattiv|inativ[oa]|inactief|nieaktywn|neaktivn|неактивн|ανενεργ|休眠|휴면|archived|suspended|(?<![a-z])disabled/i;

// Words in file names, and the state that they mean. Names are compared without accents. The first match wins.
export const OPT_OUT_NAME_PATTERNS: readonly (readonly [pattern: RegExp, state: State])[] = [
  [/no[\s_-]?consent|without[\s_-]?consent|not[\s_-]?opted[\s_-]?in/i, 'skip'],
  [
    /bounce|cleaned[\s_-]?(?:email[\s_-]?|audience[\s_-]?|members[\s_-]?|segment[\s_-]?)+export|undeliverable|rebotad|rebote|rimbalz|ru?e?cklae?ufer|devolvidos|odbicia|(?<![a-z])(?:dead|npai)(?![a-z])|エラーメール/i,
    'bounced',
  ],
  [
    /complain|spam|junk(?!er|yard)|abuse|plainte|quejas|reclami(?![a-z])|skargi|beschwerde|(?<![a-z])fbl(?![a-z])/i,
    'complained',
  ],
  [
    /suppress|block(?!chain|buster)|blacklist|denylist|exclu(?:de|sion)|quarantin|ausschluss[\s_-]?liste|(?<![a-z])ausschluss(?![a-z])|ausgeschlossene|(?:do[\s_-]?not|never)[\s_-]?(?:contact|send|e?-?mail|use)|sperrliste|gesperrt|werbesperre|robinson|keine[\s_-]werbung|nicht[\s_-]anschreiben|niet[\s_-]mailen|na?o[\s_-]enviar|non[\s_-]contattare|(?<![a-z])(?:dn[cde]|nix|no[\s_-]?(?:e?-?mail|marketing)s?|banned|(?:stop|kill)[\s_-]?(?:list|file))(?![a-z])|zwarte[\s_-]?lijst|kara[\s_-]liste|list[ae][\s_-](?:noire|nera|negra)|czarna[\s_-]lista|cerna[\s_-]listina|sparrlist|svartlist|フラックリスト|除外リスト|黑名单|черныи список|стоп-?лист/i,
    'suppressed',
  ],
  [
    /unsub|(?:formerly|no[\s_-]longer|previously)[\s_-](?:subscri|member)|opt(?:ed|ing)?[\s_-]?out|cancel(?:l?ed|ad|lations?(?![a-z])|lati|ament)|abgemeldet|abmeld|desabonn|desinscri|disiscri|(?:af|ud|ut)meld(?:t|ing|er)|afgemeld|uitgeschreven|uitschrij|opzegg|descadastr|(?<![a-z])bajas?(?![a-z])|(?<![a-z])(?:former|past|lapsed|ex)[\s_-]?(?:subscribers?|members?|contacts?|abonn\w*)|wypisan|rezygn|avregistr|avanmal|avslutade|avmeld|frameld|perut(?:u|tut)|perune|poistetut|estetyt|odhlas|zrusen|leiratkoz|dezabon|отпис|配信停止|退会|解約|退订|退訂|수신거부|탈퇴|[cç][iı]kanlar|ayr[iı]lanlar|(?<![a-z])(?:gone(?:[\s_-]?aways?)?|left|quit|stop|leavers?|churned|rejects|rejected|refus|declined|resigned|terminated|withdrawn|withdrawals|objections|opposition|revoked|exclus|esclusi|rimossi|removidos|removals|(?:to[\s_-])?(?:remove|delete|purge))(?![a-z])|not[\s_-]interested|erasure|(?<![a-z])forget[\s_-]?me(?![\s_-]?not)|ku?e?ndigung|wider(?:spr|ruf)|ausgetreten|austritt|austrag|lo?e?sch(?:ung|liste)|gelo?e?scht|geku?e?ndigt|objected|objectors|withdrew|refused|cancelaciones|cancelacoes|cancellazioni|revo[cg]ad[oa]s|revocat[ie]|resiliations|resilie(?!n)|verstorben|ausgeschieden|(?<![a-z])(?:ehemalige?|aufgehort|liste[\s_-]rouge|anciens)(?![a-z])|desuscri|verwijderd|odjav|deceased|fallecid|deleted|removed/i,
    'unsubscribed',
  ],
  [/(?:un|not[\s_-])confirmed|pending/i, 'pending'],
  [UNUSED, 'skip'],
  [
    // A file named `cleaned` can have the removed addresses, or the remaining ones.
    /cleaned|(?:non|never|not)[\s_-]?subscribed|invalid(?!ity)|unzustellbar|ungu?e?ltig|(?:bad|wrong)[\s_-](?:e?-?mails?|addresses)|mail[\s_-]returned|returned[\s_-]mail/i,
    'skip',
  ],
];

// Matches words about people who were removed from a list: `newsletter without bounces`, `duplicates removed`. Such a
// list has the other people.
const TAKEN_OUT =
  /(?:without|w\/o|minus|no|excl(?:uding|\.)?|except|ohne|sans|sin|senza|zonder|bez|utan|uden)[\s_-]+(?:all[\s_-]|the[\s_-])?(?:unsub|bounce|opt(?:ed)?[\s_-]?out|complain|spam|invalid|inactive|abgemeldet|abmeld|desabonn|desinscri|bajas|disiscri)\w{0,20}|(?:unsub|bounce|opt[\s_-]?out|complain|spam|invalid|inactive|dup)\w{0,20}[\s_-]+(?:removed|deleted|excluded)|(?:removed|deleted)[\s_-]dup\w{0,20}/gi;

// Matches the filter of a report that leaves people out: `Email opt out = false`.
const FILTERED_OUT = /(?<![^,;&|])[^,;&|]+(?:=|:|\bequals|\bis)\s*(?:false|no|nein|0)(?![\p{L}\p{N}])/giu;

/** True for the name of a list whose people get no more mail: `inactive`, `archived`. */
export function namesUnusedList(title: string): boolean {
  return UNUSED.test(withoutAccents(title));
}

/**
 * The state that the titles of a list mean. Titles are names of files, lines above the header, and the header of the
 * address column. Undefined if they mean none.
 */
export function stateByTitle(titles: readonly string[]): State | undefined {
  const texts = titles.map((title) =>
    withoutCompounds(withoutAccents(title).replace(TAKEN_OUT, '').replace(FILTERED_OUT, '')),
  );
  const found = OPT_OUT_NAME_PATTERNS.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
  return found ?? (texts.some(asksToStop) ? 'unsubscribed' : undefined);
}

function withoutAccents(name: string): string {
  // Hangul is composed again, because the patterns above have whole syllables.
  return name.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

/** How names of opt-out files begin, without blanks. The word filter must find cells such as `bounces.csv`. */
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
];

/** True for a cell that names an opt-out list: `bounces.csv` under `Source file`. */
export function namesOptOutFile(cell: string): boolean {
  return LIST_FILE.test(cell) && stateByTitle([cell]) !== undefined;
}

// Matches the name of a file, as in a column that says where a row comes from: `bounces.csv`,
// `cleaned_members_export_1`.
const LIST_FILE = /\.(?:csv|tsv|txt|xlsx?|xlsm|ods|zip)$|[_-]export(?:[_-]|$)/i;
