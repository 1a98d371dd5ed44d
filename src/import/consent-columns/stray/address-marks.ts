// Marks that operators put at an address, so that it gets no more mail: `UNSUB-anna@example.com`,
// `anna@example.com_deleted`, `#anna@example.com`.

import { createWordGate } from '../word-gate.ts';

const WORDS =
  'unsub unsubscribe unsubscribed optout opt-out opt_out optedout opted-out donotmail donotemail donotcontact do-not-mail do-not-email do-not-contact dnc nomail no-mail delete deleted removed bounce bounced suppressed deceased abgemeldet geloescht gelöscht gesperrt verstorben ungueltig ungültig desabonne désabonné desinscrit supprime supprimé eliminado fallecido disiscritto cancellato uitgeschreven afgemeld verwijderd wypisany usuniety'.split(
    ' ',
  );
/** Words that addresses begin with too: `left.bank@example.com`. */
const USUAL_WORDS = 'left dead inactive blocked baja gone out x xx xxx xxxx zz zzz'.split(' ');
const [MARK, USUAL_MARK] = [WORDS, USUAL_WORDS].map((words) => words.join('|').replaceAll('-', '[-_]?'));
const BEFORE = new RegExp(
  `^["'<\\s]*(?:(?:${MARK})(?:[-_.+:=#*!]+|\\s+)|(?:${USUAL_MARK})(?:[_:=#*!]+|\\s+)|[#*!/~-]+)(?=[^\\s@]+@)`,
  'iu',
);
const BEHIND = new RegExp(`(?<=@[^\\s@]+)[-_+#*!.]+(?:${MARK}|${USUAL_MARK})[\\s>"'*!.]*$`, 'iu');

const mayBegin = createWordGate([...WORDS, ...USUAL_WORDS].map((word) => word.replaceAll(/[-_]/g, '')));
/** The end of an address after its last dot is rarely longer. */
const LONGEST_END = 5;

/** The mark at the address in a cell, and the address without it. Undefined if there is none. */
export function markAt(cell: string): { readonly mark: string; readonly address: string } | undefined {
  const mark = mayBegin(cell) || FIRST_SIGN.has(cell.charCodeAt(0)) ? BEFORE.exec(cell)?.[0] : undefined;
  if (mark !== undefined) {
    return { mark: mark.trim(), address: cell.slice(mark.length).trim() };
  }
  const end = cell.length - cell.lastIndexOf('.') > LONGEST_END ? BEHIND.exec(cell)?.[0] : undefined;
  return end === undefined ? undefined : { mark: end.trim(), address: cell.slice(0, -end.length).trim() };
}

const FIRST_SIGN: ReadonlySet<number> = new Set([...'#*!/~-'].map((sign) => sign.charCodeAt(0)));
