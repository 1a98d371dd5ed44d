import { basename } from 'node:path';
import type { ColumnTarget } from '../../platforms/lib/platform.ts';
import type { State, StatusReading } from '../../platforms/lib/states.ts';
import { withoutCompounds } from '../consent-columns/cells/compounds.ts';
import { holdsDates } from '../consent-columns/cells/days.ts';
import type { RecognizedTable } from '../consent-columns/column-meaning.ts';
import type { ConsentColumn } from '../consent-columns/find-consent-columns.ts';
import { asksToStop } from '../consent-columns/phrases.ts';
import type { Source } from '../source/source.ts';
import { mayNameLeavers, saysOnly, typedFolder } from './opt-out-file-names.ts';
import { type ReadingOptions, readStateAnswer } from './reading-answers.ts';
import type { Table } from './table.ts';

// Words for people out of use. They may have left, or only be silent.
const UNUSED =
  /inactive|inaktiv|inactif|inactiv[oae]|inattiv|inativ[oa]|inactief|nieaktywn|neaktivn|неактивн|ανενεργ|休眠|휴면|archived|suspended|(?<![a-z])disabled/i;

// Words in file names and the state they suggest, named as in --default-status. The first match wins. Names are
// compared without accents.
const NAME_PATTERNS: readonly (readonly [pattern: RegExp, state: State])[] = [
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
    /suppress|block(?!chain|buster)|blacklist|denylist|exclu(?:de|sion)|quarantin|(?:do[\s_-]?not|never)[\s_-]?(?:contact|send|e?-?mail|use)|sperrliste|gesperrt|werbesperre|robinson|keine[\s_-]werbung|nicht[\s_-]anschreiben|niet[\s_-]mailen|na?o[\s_-]enviar|non[\s_-]contattare|(?<![a-z])(?:dn[cde]|nix|no[\s_-]?(?:e?-?mail|marketing)s?|banned|(?:stop|kill)[\s_-]?(?:list|file))(?![a-z])|zwarte[\s_-]?lijst|kara[\s_-]liste|list[ae][\s_-](?:noire|nera|negra)|czarna[\s_-]lista|cerna[\s_-]listina|sparrlist|svartlist|フラックリスト|除外リスト|黑名单|черныи список|стоп-?лист/i,
    'suppressed',
  ],
  [
    /unsub|(?:formerly|no[\s_-]longer|previously)[\s_-](?:subscri|member)|opt(?:ed|ing)?[\s_-]?out|cancel(?:l?ed|ad|lations?(?![a-z])|lati|ament)|abgemeldet|abmeld|desabonn|desinscri|disiscri|(?:af|ud|ut)meld(?:t|ing|er)|afgemeld|uitgeschreven|uitschrij|opzegg|descadastr|(?<![a-z])bajas?(?![a-z])|(?<![a-z])(?:former|past|lapsed|ex)[\s_-]?(?:subscribers?|members?|contacts?|abonn\w*)|wypisan|rezygn|avregistr|avanmal|avslutade|avmeld|frameld|perut(?:u|tut)|perune|poistetut|estetyt|odhlas|zrusen|leiratkoz|dezabon|отпис|配信停止|退会|解約|退订|退訂|수신거부|탈퇴|[cç][iı]kanlar|ayr[iı]lanlar|(?<![a-z])(?:gone(?:[\s_-]?aways?)?|left|quit|stop|leavers?|churned|rejects|rejected|refus|declined|resigned|terminated|withdrawn|withdrawals|objections|opposition|revoked|exclus|esclusi|rimossi|removidos|removals|(?:to[\s_-])?(?:remove|delete|purge))(?![a-z])|not[\s_-]interested|erasure|(?<![a-z])forget[\s_-]?me(?![\s_-]?not)|ku?e?ndigung|wider(?:spr|ruf)|ausgetreten|austritt|austrag|lo?e?sch(?:ung|liste)|gelo?e?scht|resilie(?!n)|verstorben|ausgeschieden|(?<![a-z])(?:ehemalige?|aufgehort|liste[\s_-]rouge|anciens)(?![a-z])|desuscri|verwijderd|odjav|deceased|fallecid|deleted|removed/i,
    'unsubscribed',
  ],
  [/(?:un|not[\s_-])confirmed|pending/i, 'pending'],
  [UNUSED, 'skip'],
  [
    // A cleaned list may hold the bad addresses, or all others.
    /cleaned|(?:non|never|not)[\s_-]?subscribed|invalid(?!ity)|unzustellbar|ungu?e?ltig|(?:bad|wrong)[\s_-](?:e?-?mails?|addresses)|mail[\s_-]returned|returned[\s_-]mail/i,
    'skip',
  ],
];

// `newsletter without bounces` and `duplicates removed` name people who were taken out, so the list holds the others.
const TAKEN_OUT =
  /(?:without|w\/o|minus|no|excl(?:uding|\.)?|except|ohne|sans|sin|senza|zonder|bez|utan|uden)[\s_-]+(?:all[\s_-]|the[\s_-])?(?:unsub|bounce|opt(?:ed)?[\s_-]?out|complain|spam|invalid|inactive|abgemeldet|abmeld|desabonn|desinscri|bajas|disiscri)\w*|(?:unsub|bounce|opt[\s_-]?out|complain|spam|invalid|inactive|dup)\w*[\s_-]+(?:removed|deleted|excluded)|(?:removed|deleted)[\s_-]dup\w*/gi;

// The filter of a report that leaves out these people: `Email opt out = false`.
const FILTERED_OUT = /[^,;&|]+(?:=|:|\bequals|\bis)\s*(?:false|no|nein|0)(?![\p{L}\p{N}])/giu;

type Named = Pick<Source, 'path' | 'entry' | 'name'>;

/**
 * True if the name or platform of an input says that these people must not be mailed, even if no row says so. False if
 * `--default-status` names the input and calls them subscribed.
 */
export function isOptOutList({
  source,
  reading,
  withoutStatus,
  isDefaultNamed,
}: Pick<Table, 'source' | 'reading' | 'withoutStatus' | 'isDefaultNamed'>): boolean {
  const isDenied = isDefaultNamed && withoutStatus.state === 'subscribed';
  return !isDenied && (reading.offers !== undefined || stateByName(source) !== undefined || hasDoubtfulName(source));
}

/**
 * True if the name of an input, or its folder as typed, may say that its people left. Then svc asks about rows without
 * a status. Rows with a status are believed.
 */
export function hasDoubtfulName(source: Named): boolean {
  const folder = typedFolder(source);
  return (
    stateByName(source) === undefined &&
    (mayNameLeavers(source) || (folder !== undefined && NAME_PATTERNS.some(([word]) => saysOnly(folder, word))))
  );
}

/** True for a name such as `inactive.csv`. These people may have left. If so, no other input may sign them up. */
export function isNamedUnused(source: Named): boolean {
  return stateByName(source) === 'skip' && titlesOf(source).some((title) => UNUSED.test(withoutAccents(title)));
}

/** The state that the name of a file or entry suggests; undefined if it suggests none. */
export function stateByName(source: Named): State | undefined {
  return stateByTitle(titlesOf(source));
}

// Only folders inside an archive count, because its author named them. See `hasDoubtfulName` for other folders.
function titlesOf(source: Named): readonly string[] {
  return [...namesOf(source).map((name) => basename(name)), source.entry ?? ''];
}

/** The state that titles suggest: names, the lines above a header, or the header over the addresses. */
export function stateByTitle(titles: readonly string[]): State | undefined {
  const texts = titles.map((title) =>
    withoutCompounds(withoutAccents(title).replace(TAKEN_OUT, '').replace(FILTERED_OUT, '')),
  );
  const found = NAME_PATTERNS.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
  return found ?? (texts.some(asksToStop) ? 'unsubscribed' : undefined);
}

function withoutAccents(name: string): string {
  // Hangul is composed again, because the patterns above hold whole syllables.
  return name.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

/**
 * The answer of `--default-status` for rows of an input without any state. `subscribed` for every input doesn't apply
 * to known opt-out lists, or to inputs whose name suggests another state. The answer has to name such an input.
 */
export function defaultStatus(source: Named, options: ReadingOptions, leftHere = false): StatusReading | undefined {
  const answers = options.defaultStatus;
  const named = answeredName(source, options);
  if (named !== undefined) {
    return readStateAnswer(named, answers[named] ?? '');
  }
  const general = Object.hasOwn(answers, '*') ? answers['*'] : undefined;
  const status = general === undefined ? undefined : readStateAnswer('--default-status', general);
  const isNamed = stateByName(source) !== undefined || hasDoubtfulName(source);
  return status?.state === 'subscribed' && (leftHere || isNamed) ? undefined : status;
}

/** The name by which an answer of `--default-status` names this input; undefined if none does. */
export function answeredName(
  source: Named,
  { defaultStatus }: Pick<ReadingOptions, 'defaultStatus'>,
): string | undefined {
  return namesOf(source).find((name) => Object.hasOwn(defaultStatus, name));
}

/**
 * True for an input that is named as an opt-out list. Its rows that say subscribed are not trusted (rule C10: evidence
 * against mail wins), unless an answer names the input and says `subscribed`.
 */
export function contradictsRows(source: Named, options: Pick<ReadingOptions, 'defaultStatus'>): boolean {
  const named = answeredName(source, options);
  const answer = named === undefined ? undefined : readStateAnswer(named, options.defaultStatus[named] ?? '').state;
  return stateByName(source) !== undefined && answer !== 'subscribed';
}

export function namesOf({ path, entry, name }: Named): readonly string[] {
  return [path, basename(path), name, ...(entry === undefined ? [] : [entry, basename(entry)])];
}

/** The targets of all columns, once the consent columns are known. The columns of --map keep theirs. */
export function stateTargets(table: RecognizedTable, consent: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const { columns, named } = table;
  const free = consent.filter(({ at }) => !named.has(at) && columns[at]?.kind !== 'unsubscribed_at');
  return withStatus(withOptOutDate(table, free), free);
}

/** If no column gives the date of the opt-out, the first consent column that holds such dates gives it. */
function withOptOutDate({ columns, shape }: RecognizedTable, free: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const isGiven = columns.some(({ kind }) => kind === 'unsubscribed_at');
  const dates = free.find(({ meaning, at }) => meaning === 'left' && holdsDates(shape.sample, at));
  return isGiven || !dates ? columns : columns.with(dates.at, { kind: 'unsubscribed_at' });
}

/** A column whose words are states is not sent as an attribute. A column with the date or the cause of a state is. */
function withStatus(targets: readonly ColumnTarget[], free: readonly ConsentColumn[]): readonly ColumnTarget[] {
  const spoken = new Map(
    free.flatMap((column) => (column.speaks && !column.detail ? [[column.at, column] as const] : [])),
  );
  return targets.map((target, at) => {
    const column = target.kind === 'attribute' ? spoken.get(at) : undefined;
    return (column && statusTarget(column)) ?? target;
  });
}

function statusTarget({ meaning, permits }: ConsentColumn): ColumnTarget | undefined {
  if (meaning === 'reason') {
    return { kind: 'reason' };
  }
  return meaning === 'status' || meaning === 'left' || permits ? { kind: 'status' } : undefined;
}
