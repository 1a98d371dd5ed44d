import { plainWordsOf } from '../cells/compounds.ts';
import { AT_ANY_TIME, MAY_WORDS, STOP_REQUEST_WORDS } from '../words/phrases.ts';
import { isStateWord, readYesNo, STATE_WORDS, wordLookupKey } from '../words/value-words.ts';

// Finds clauses about the right to opt out. The texts of forms often end with one, because the law asks for it. Its
// words must not turn an agreement into an opt-out.

/**
 * The header without its clauses about the right to opt out: `I agree to get news` for `I agree to get news. I can
 * unsubscribe at any time.` Undefined if it has no such clause.
 */
export function withoutRightToLeave(header: string): string | undefined {
  const clauses = header.split(CLAUSE_END);
  const otherClauses = clauses.filter((clause) => !namesRightToLeave(clause));
  return otherClauses.length === clauses.length ? undefined : otherClauses.join(' ');
}

const CLAUSE_END =
  /[.,;:!?()[\]\n\u2013\u2014\u3002\uff08\uff09]|\s(?:-|and|und|et|y|e|en(?! cualquier)|och|og|oraz|but|aber|jedoch|mais|pero|maar|men|ale)\s/iu;
// Matches `at any time` in Chinese, Japanese and Korean.
const ANYTIME_IN_OTHER_SCRIPTS = /いつでも|随时|隨時|언제든/u;
const MAY_IN_OTHER_SCRIPTS = /できます|できる|可|能|수 있/u;

function namesRightToLeave(clause: string): boolean {
  const words = plainWordsOf(clause);
  return (AT_ANY_TIME.test(words) || ANYTIME_IN_OTHER_SCRIPTS.test(clause)) && !STOP_REQUEST_WORDS.test(words);
}

/**
 * True if a clause with `at any time` may say that the person left: `opted out until revoked`. A yes below the header
 * may then be an opt-out. False for a plain right: it has a verb such as `can`, or only words that svc knows.
 */
export function maySayLeft(header: string): boolean {
  return header.split(CLAUSE_END).some((clause) => namesRightToLeave(clause) && !isPlainRight(clause));
}

function isPlainRight(clause: string): boolean {
  const words = plainWordsOf(clause);
  if (ANYTIME_IN_OTHER_SCRIPTS.test(clause)) {
    return MAY_IN_OTHER_SCRIPTS.test(clause);
  }
  const may = MAY_WORDS.exec(words) ?? POSSIBLE_WORDS.exec(words);
  if (may !== null) {
    const before = words.slice(0, may.index).split(' ');
    // `unsubscribe` before `possible` names the right, and no state of the person: `Unsubscribe possible at any time`.
    return !NEGATION.test(words) && before.every((word) => !isRefusal(word) || OPT_OUT_VERBS.test(word));
  }
  const isUntilRevoked = UNTIL_REVOKED.test(words);
  const otherWords = words.replace(AT_ANY_TIME, ' ').replace(isUntilRevoked ? AT_ANY_TIME : OPT_OUT, ' ');
  return otherWords
    .split(' ')
    .every(
      (word) => USUAL_WORDS.test(word) || AGREED_WORDS.test(word) || (!isUntilRevoked && OPT_OUT_VERBS.test(word)),
    );
}

const POSSIBLE_WORDS =
  /(?:^| )(?:possible|moglich|mogelijk|mozliwe|mozliwa|mojligt|muligt?|possibile|posible|possivel|mahdollista|mozne)(?= |$)/u;

// Matches how long a state lasts. Beside it, an opt-out word is a state, and not a right: `opt-out until revoked`.
const UNTIL_REVOKED = /until revoked|bis auf widerruf|jusqu a revocation/u;

const OPT_OUT = /(?:^| )opt out(?= |$)/u;
// Matches a "no" in some languages. Words for `without` are left out, because they can belong to the right: `Without
// giving a reason`.
const NEGATION = /(?:^| )(?:non|pas|niet|geen|nie|inte|ikke|ej|ei|ingen|inga|не|nao)(?= |$)/u;

const USUAL_WORDS =
  /^$|^(?:yes|ja|oui|at|i|you|we|my|your|this|it|is|are|the|a|an|to|of|from|by|with|in|free|link|click|each|every|e|e?mails?|newsletters?|ich|sie|du|mich|dich|sich|ist|sind|die|der|das|dem|den|ein|einen|mit|im|per|von|vom|zum|je|vous|me|est|le|la|les|du|par|el|los|mi|es|il|lo|di|de|het|is|een|det|jag|din|mit)$/u;
const AGREED_WORDS =
  /^(?:valid|granted|agreed|consent|consents|gultig|gilt|erteilt|erlaubt|zugestimmt|einwilligung|zustimmung|valable|accord|consentement)$/u;
const OPT_OUT_VERBS =
  /^(?:unsubscribe|withdraw|withdrawal|withdrawable|revoke|revocable|revocation|cancel|cancell?able|opting|abmelden|abmeldung|abbestellen|abbestellbar|austragen|widerrufen|widerrufbar|widerruflich|widerruf|kundbar|kundigen|desinscription|desinscrire|desabonner|desabonnement|baja|darme|darse|revocar|cancelar|disiscriversi|disiscrivermi|disiscrizione|revocabile|cancellarsi|revogar|uitschrijven|afmelden|afmelding|opzeggen|opzegbaar|intrekken|herroepen|wypisac|rezygnacja|cofnac|odwolac|avregistrera|avanmalan|avsluta|aterkalla|avmelde|avmelding|afmelde|framelde|peruuttaa|perua|odhlasit|odvolat|leiratkozas|leiratkozhat|отписаться|отозвать)$/u;

// True for a no or a status word other than `subscribed`, with at least three letters.
function isRefusal(word: string): boolean {
  const isState = isStateWord(word) && STATE_WORDS.get(wordLookupKey(word))?.state !== 'subscribed';
  return word.length > 2 && (isState || readYesNo(word) === false);
}
