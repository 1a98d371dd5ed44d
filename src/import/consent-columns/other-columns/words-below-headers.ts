import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/status-words.ts';
import { saysZero } from '../sentences/limited-mail.ts';
import { questionReading } from '../several-columns/combine-readings.ts';
import { mayMeanFormerPeople } from '../words/former-people.ts';
import { isBoughtList, isOptOutListName } from '../words/opt-out-lists.ts';
import { wordsOf } from '../words/plain-words.ts';
import { CUSTOMERS, namesPaidSubscription } from '../words/status-headers.ts';
import { INACTIVE_WORDS, STATE_WORDS, wordLookupKey } from '../words/value-words.ts';
import { compileWords } from '../words/word-patterns.ts';

// Words about which svc asks only below some headers: `closed` below `Account status`, `Bounces` below `Source`,
// `dec'd` below `Title`.

const STATUS =
  'ステータス|状態|状态|狀態|상태|status|statuts?|stato|estado|etat|stav|stan|state|zustand|situacao|situacion|κατασταση|статус|tila';
const PARTY = `account|acct|users?|customers?|clients?|login|profile|membership|donors?|supporter|patron|constituent|volunteer|konto|kund(?:en?)?|klant(?:en)?|benutzer|nutzer|gebruikers?|mitglied(?:s|er|schafts)?|spender|lid|leden|lidmaatschaps?|medlems?(?:kaps)?|anvandar|bruger|bruker|clientes?|clienti|cliente|compte|adherents?|adhesion|mitgliedschaft|cuenta|conta|conto|usuarios?|utente|utilisateur|utilizador|donantes?|donatore|donateur|doador|klienta?|uzytkownika|zakaznika|uzivatele?|darczyncy|asiakkaan|kayttajan|ugyfel|πελατη|χρηστη|клиента?|пользователя|soci[oa]|iscritto|${CUSTOMERS}`;
const BETWEEN = '(?:of|du|de|des|der|vom|del|della|dell|do|da|van|the|la|l|het)';
const ACCOUNT_STATUS = compileWords(
  `^(?:${PARTY})(?: account)? ?(?:${STATUS})$|^(?:${STATUS}) (?:${BETWEEN} ){0,2}(?:${PARTY})$`,
);

/**
 * Beginnings of words for the end of an account, also after `account`. Words for a deletion are in `STATE_WORDS` too.
 */
export const ENDED_ACCOUNT_WORDS: readonly string[] = [
  'former banned banni removed terminated deactivated suspended suspendu suspendid sospes suspens closed locked blocked',
  'gesperrt deaktiviert geloscht geschlossen blockiert ehemalig desactive supprime ferme bloque bloquead bloccat eliminad eliminat cerrad chius',
  'excluid encerrad verwijderd gesloten geblokkeerd usuniet zamkniet zablokowan raderad slettet poistettu удален заблокирован',
  '無効 停止 退会 解約 削除 休眠 休止 无效 無效 停用 注销 註銷 休眠 冻结 已删除 휴면 탈퇴 정지 해지 삭제 비활성',
].flatMap((words) => words.split(' ').flatMap((word) => [word, `account${word}`, `konto${word}`]));
const ENDED_ACCOUNT = new RegExp(`^(?:${ENDED_ACCOUNT_WORDS.join('|')})(?:[aeoyаоы]?s?)$`, 'u');
// Matches beginnings of words for a cancelled order or contract, and for a refused loan. They end no account.
const ENDED_ORDER =
  /^(?:cancel|annul|anul|storn|gekund|resili|opgezegd|uppsagd|op+sagt|zrus|iptal|отмен|скасов|ακυρ|declin|refus|reject|dibatal)/u;
// Matches headers about a membership. Below them `mayEndAccount` ignores a word such as `left`, because another rule
// reads it.
const MEMBERSHIP = /(?:^| )(?:member|mitglied|adhe|soci[oa]|lid|leden|medlem|iscritto)/u;
// Matches what says how and why an account ended: `by admin` in `closed by admin`.
const HOW_IT_ENDED = /(?:\(|[\s_][-–:]|[,;/]|\s(?:by|due|since|on|at|am|seit|von|le|par)\s).*$/isu;

/**
 * True for a word such as `deleted`, `left` or `inactive` under the status of an account, a customer or a member, and
 * for the end of a paid plan. The person may have left, or asked to be deleted.
 */
export function mayEndAccount(cell: string, headerWords = ''): boolean {
  if (namesPaidSubscription(headerWords)) {
    return STATE_WORDS.get(wordLookupKey(cell))?.state === 'unsubscribed';
  }
  if (!ACCOUNT_STATUS.test(headerWords)) {
    return false;
  }
  const word = wordLookupKey(cell.replace(HOW_IT_ENDED, ''));
  const { state, why } = STATE_WORDS.get(word) ?? NONE;
  const hasLeft = state === 'unsubscribed' && !ENDED_ORDER.test(word) && !MEMBERSHIP.test(headerWords);
  return ENDED_ACCOUNT.test(word) || INACTIVE_WORDS.has(word) || why === 'deleted' || hasLeft;
}

/** Makes `stateOf` also ask about the end of an account: `gelöscht` under `Kundenstatus`. */
export function askAboutEndedAccounts(
  headerWords: string,
  stateOf: (cell: string) => StatusReading,
): (cell: string) => StatusReading {
  return ACCOUNT_STATUS.test(headerWords)
    ? (cell) => {
        const status = stateOf(cell);
        return status === NONE && mayEndAccount(cell, headerWords) ? questionReading(cell) : status;
      }
    : stateOf;
}

// Matches headers that say where a row comes from: `Source`, `Imported from`.
const ORIGIN_HEADER =
  /^(?:(?:lead|list|original|first|contact|customer|record|data|sign ?up|acquisition|import) )?(?:source|origin|herkunft|quelle|provenance|origine|origen|procedencia|fuente|fonte|provenienza|origem|herkomst|bron|zrodlo|pochodzenie|kalla|ursprung|kilde|lahde|kaynak|zdroj|puvod|источник)(?: (?:list|sheet|file|liste|datei|name))?$|^(?:imported|came|comes|stammt|import|importiert) (?:from|aus|de|von)$|^(?:listen|datei|blatt|tabellen)name$/u;
// Matches headers of the list, the sheet or the file: `Tabellenblatt`. Below them `Old` means former people. Below
// `Source` it may mean the previous program.
const SHEET_HEADER =
  /^(?:sheet|worksheet|work sheet|tab|tabellenblatt|tabelle|arbeitsblatt|blatt|registerblatt|reiter|feuille|onglet|hoja|pestana|foglio|scheda|planilha|aba|tabblad|werkblad|blad|arkusz|flik|fane|list|liste|lista|lijst|file|datei|fichier|archivo|ficheiro|bestand|batch|table)(?: ?(?:name|naam|namn|navn|nom|de origen|d origine))?$/u;

/** True for header words that say where a row comes from: the list, the sheet, the file or another source. */
export function namesOrigin(headerWords: string): boolean {
  return SHEET_HEADER.test(headerWords) || ORIGIN_HEADER.test(headerWords);
}

// Matches headers of what stands before or after a name: `Title`, `Suffix`, `Anrede`.
const HONORIFIC =
  /^(?:name ?|personal )?(?:titles?|prefix|suffix|salutation|honorific|anrede|titel|namenszusatz|titre|civilite|tratamiento|titulo|titolo|aanhef|tussenvoegsel)(?: ?(?:prefix|suffix|s))?$/u;
// Matches what users write below a header such as `Title` about a person who died: `(dec.)`, `dec'd`, `The late`.
const DEAD_PERSON =
  /^(?:\p{L}{1,6} )?(?:dec|decd|decsd|deced|verst|gest|fallec|overl|the late|late|rip|the estate|estate of(?: the late)?)$/u;

// Matches headers about the kind of mail that a person gets, or how often: `Email type`, `Mailformat`, `Turnus`.
const MAIL_FORMAT =
  /^(?:preferred |customers? )?(?:e ?)?(?:mail|mailing|newsletter|digest|message)s? ?(?:type|typ|format|mode|modus|art|option|setting|delivery)s?$|^(?:type|format|tipo|formato|typ|modo|mode) (?:d ?|de |del |di |da |van )?(?:e ?mails?|correos?|courriels?|newsletter|boletin|posta)$|^(?:mail |list )?(?:delivery|digest|subscription)(?: (?:mode|type|setting|option|preference|frequency)s?)?$|^comms?$|^(?:mail |mailing |versand|sende)?(?:intervals?|intervall|rhythm|rhythmus|rythme|turnus|takt|periodicidad|periodicidade|periodicita|periodicite|periodiciteit|czestosc|interwal|intervalo|intervallo|intervalle|ritme|ritmo|rytm)$/u;
const NO_MAIL =
  /^(?:none|never|off|disabled|no ?(?:e ?)?mails?|kein(?:e|er|es)?|nie|nein|aus|aucune?|jamais|ningun[oa]?|nunca|nessun[oa]?|mai|nenhum|geen|nooit|aldrig|aldri|nigdy|nikdy|ingen|inget|essentials?|essential only|transactional|vacation|hold|paused?|suspended|web ?only)$/u;

/** Matches header words that name a mark, such as `Kennz`. */
export const RECORD_MARK = /^(?:kennz|kz)$/u;
// Marks of an end below a header such as `Kennz`. `OPT_OUT_STARTS` must have their first letters: otherwise a quick
// test rules these cells out.
const ENDED_RECORD = /^(?:gel|gesp|sperr|abg|abgem|aus|ausgetr)$/u;

// For each kind of header: the test whether a cell below it may say that the person left.
const TESTS_BELOW_HEADERS: readonly (readonly [header: RegExp, saysLeft: (cell: string) => boolean])[] = [
  [SHEET_HEADER, (cell) => isOptOutListName(cell) || mayMeanFormerPeople(cell) || isBoughtList(wordsOf(cell))],
  [ORIGIN_HEADER, (cell) => isOptOutListName(cell) || isBoughtList(wordsOf(cell))],
  [HONORIFIC, (cell) => DEAD_PERSON.test(wordsOf(cell))],
  [MAIL_FORMAT, (cell) => NO_MAIL.test(wordsOf(cell)) || saysZero(wordsOf(cell))],
  [RECORD_MARK, (cell) => ENDED_RECORD.test(wordsOf(cell))],
];

/**
 * Makes `stateOf` also ask about a person who died (`dec'd` under `Suffix`) and about a mark of an end (`ABG` under
 * `Kennz`). It also asks about the name of a list of people who left (`Bounces` under `Source`, `Archiv` under
 * `Sheet`), and about people who get no mail (`None` under `Email type`).
 */
export function askAboutOriginsAndTitles(
  headerWords: string,
  stateOf: (cell: string) => StatusReading,
): (cell: string) => StatusReading {
  const [, saysLeft] = TESTS_BELOW_HEADERS.find(([header]) => header.test(headerWords)) ?? [];
  return saysLeft === undefined
    ? stateOf
    : (cell) => {
        const status = stateOf(cell);
        return status === NONE && saysLeft(cell) ? questionReading(cell) : status;
      };
}
