import { plainWordsOf } from '../cells/compounds.ts';
import { ANYTIME, MAY, NO_LONGER } from '../phrases.ts';
import { isStateWord, readYesNo, STATE_WORDS, wordLookupKey } from '../value-words.ts';

// The texts of forms often end with the right to opt out, because the law asks for it. Its words must not turn an
// agreement into an opt-out.

/**
 * The header without its clauses about the right to opt out: `I agree to get news` for `I agree to get news. I can
 * unsubscribe at any time.` Undefined if it has no such clause.
 */
export function withoutRightToLeave(header: string): string | undefined {
  const clauses = header.split(CLAUSE_END);
  const kept = clauses.filter((clause) => !namesRight(clause));
  return kept.length === clauses.length ? undefined : kept.join(' ');
}

const CLAUSE_END =
  /[.,;:!?()[\]\n\u2013\u2014\u3002\uff08\uff09]|\s(?:-|and|und|et|y|e|en(?! cualquier)|och|og|oraz)\s/iu;
// Matches `at any time` in scripts without blanks between words.
const ANYTIME_SIGNS = /いつでも|随时|隨時|언제든/u;

function namesRight(clause: string): boolean {
  const words = plainWordsOf(clause);
  return (ANYTIME.test(words) || ANYTIME_SIGNS.test(clause)) && !NO_LONGER.test(words);
}

/**
 * True if a clause with `at any time` says that the person left: `unsubscribed until revoked`. Such a clause states no
 * right.
 */
export function saysLeft(header: string): boolean {
  return header.split(CLAUSE_END).filter(namesRight).some(holdsRefusal);
}

function holdsRefusal(clause: string): boolean {
  const words = plainWordsOf(clause);
  return !MAY.test(words) && words.replace(ANYTIME, ' ').split(' ').some(isRefusal);
}

// The imperative in `Unsubscribe at any time` states the right, so `unsubscribe` is no refusal here.
function isRefusal(word: string): boolean {
  const isState = isStateWord(word) && STATE_WORDS.get(wordLookupKey(word))?.state !== 'subscribed';
  return word.length > 2 && word !== 'unsubscribe' && (isState || readYesNo(word) === false);
}
