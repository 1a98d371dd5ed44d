import type { StatusReading } from '../../../platforms/lib/states.ts';
import { SUBSCRIBED } from '../../../platforms/lib/status-words.ts';
import type { ConsentColumn } from '../find-consent-columns.ts';
import { keyOf, STATE_WORDS, yesNoIn } from '../value-words.ts';
import { wordsOf } from '../words-and-stems.ts';

/** The word that svc asks about if a person is subscribed by one list column and unsubscribed by another. */
export const DISAGREEMENT = 'subscribed and unsubscribed';

// Words that name no list. `Email status` and `Account status` are about the person, `News status` is about a list.
const GENERAL = new Set(
  [
    'e email emails mail mails mailing mailings correo correos courriel post posta marketing werbung advertising publicidad',
    'status state estado stato etat stand zustand statut subscribed unsubscribed subscribe unsubscribe subscription',
    'subscriptions subscriber abo abonnement opt opted in out optin optout double doi confirmed consent permission',
    'einwilligung consentement consentimiento consenso gdpr dsgvo rgpd account konto compte cuenta contact kontakt contacto',
    'customer kunde kunden client cliente klant member mitglied membre socio user date datum fecha data time at on by since',
    'reason grund motif motivo source quelle ip global all alle overall general total active aktiv current is has was are',
    'do not no nicht kein keine ne pas non of from for to the a an der die das de du la le les el los per via and und et y',
    'left leave removed deleted cancelled canceled blocked blacklisted suppressed bulk my our your id code flag type method campaign title other comment note',
  ].flatMap((line) => line.split(' ')),
);

/**
 * The indexes of the columns that each stand for one list, such as `List: News` and `List: Offers`. Empty if there are
 * fewer than two. Their headers differ only by the name of the list.
 */
export function listColumns(columns: readonly ConsentColumn[], header: readonly string[]): ReadonlySet<number> {
  const open = columns
    .filter(isPlainState)
    .map((column) => ({ column, words: wordsOf(header[column.at] ?? '').split(' ') }));
  const found = new Set<number>();
  for (const [index, one] of open.entries()) {
    for (const other of open.slice(index + 1)) {
      // A table can have thousands of lists. Two that were found are not compared again.
      const isFound = found.has(one.column.at) && found.has(other.column.at);
      if (
        !isFound &&
        areTwoLists(one.words, other.words, one.column.meaning === 'optedOut') &&
        isSameKind(one, other)
      ) {
        found.add(one.column.at).add(other.column.at);
      }
    }
  }
  return found;
}

const STATES: ReadonlySet<string> = new Set(['status', 'agreed', 'optedOut']);

function isPlainState(column: ConsentColumn): boolean {
  const { meaning, holdsGroups, holdsStates, isPreviousStatus, needsConfirmation, statusOfOtherThing } = column;
  const isState = STATES.has(meaning) || holdsGroups === true;
  // A reason or a campaign is text. The day of an opt-out says as much as a yes.
  const isText = column.filledMeansHappened && !column.dates;
  return holdsStates && isState && !isText && !isPreviousStatus && !needsConfirmation && !statusOfOtherThing;
}

function isSameKind(one: { column: ConsentColumn }, other: { column: ConsentColumn }): boolean {
  return (one.column.meaning === 'optedOut') === (other.column.meaning === 'optedOut');
}

// True if each header has a word that names a list. Headers about opt-outs must also share a word, because
// `Unsubscribed` and `Gone` are two signs of one opt-out. Beside a word such as `list`, each other word is a name.
function areTwoLists(one: readonly string[], other: readonly string[], mustShare: boolean): boolean {
  const shared = one.filter((word) => other.includes(word));
  const areNames = shared.some((word) => LIST.test(word));
  const names = (words: readonly string[]) =>
    words.some((word) => !shared.includes(word) && (areNames || !GENERAL.has(word)));
  return names(one) && names(other) && (!mustShare || shared.length > 0);
}

const LIST = /^(?:mailing)?(?:lists?|listen?|listas?|listes?|lijst|verteiler|newsletters?|topics?|themen?|groups?)$/u;

/**
 * True for a row in which one list column says subscribed and another says unsubscribed. An unsubscribed cell for which
 * `isAnswered` is true does not count.
 */
export function listsDisagree(
  columns: readonly ConsentColumn[],
  cells: readonly string[],
  isAnswered: (column: ConsentColumn, cell: string) => boolean,
): boolean {
  let [stays, leaves] = [false, false];
  for (const column of columns) {
    const cell = cells[column.at] ?? '';
    const { subscribed, unsubscribed } = readListCell(column, cell, column.stateOf(cell));
    [stays, leaves] = [stays || subscribed, leaves || (unsubscribed && !isAnswered(column, cell))];
  }
  return stays && leaves;
}

/** What the cell of a list column says of its list. */
interface ListReading {
  readonly subscribed: boolean;
  readonly unsubscribed: boolean;
}

// A blank or a no in a column of opt-outs means that the person stayed.
function readListCell({ meaning }: ConsentColumn, cell: string, status: StatusReading): ListReading {
  const stays = meaning === 'optedOut' && (cell.trim() === '' || yesNoIn(cell) === false);
  const agrees = status.state === 'subscribed' || status.agreesToMail || STATE_WORDS.get(keyOf(cell)) === SUBSCRIBED;
  return { subscribed: stays || agrees === true, unsubscribed: status.state === 'unsubscribed' };
}
