import { keepsMailAway } from './combine-readings.ts';
import { LEFT, LEFT_WORD, NEGATED } from './header-words.ts';
import { isUsualBetween } from './phrases.ts';
import { answerIn, isBareAnswer, keyOf, STATE_WORDS } from './value-words.ts';

const OR = '(?<= )(?:or|oder|ou|o|of|eller|lub|czy|tai|nebo|veya|или)(?= )';
const PAIR = new RegExp(`([\\p{L}\\d]+)\\s*(?:[/|\\\\]|,(?=[^()]*\\))|${OR})\\s*([\\p{L}\\d]+)`, 'giu');
const BETWEEN_CHOICES = new RegExp(`[/|\\\\,;:()[\\]\\n]|${OR}`, 'iu');

/** A header without the answers that it lists: `Newsletter (yes/no)` asks for a newsletter and refuses none. */
export function withoutAnswers(header: string): string {
  return header.replace(PAIR, (pair, one: string, other: string) => {
    const isChoice = isBareAnswer(one) && isBareAnswer(other) && answerIn(one) !== answerIn(other);
    return isChoice ? ' ' : pair;
  });
}

/**
 * True for a header that explains its cells: `Status (1=active, 2=unsubscribed)`, `Subscribed/Unsubscribed`. Then a yes
 * or a number may mean either.
 */
export function explainsCells(header: string): boolean {
  const choices = withoutAnswers(header).split(BETWEEN_CHOICES);
  return header.includes('=') || (choices.some(saysYes) && choices.some(saysNo));
}

function saysYes(choice: string): boolean {
  const state = STATE_WORDS.get(keyOf(choice));
  return state?.state === 'subscribed' || answerIn(choice) === true;
}

function saysNo(choice: string): boolean {
  const state = STATE_WORDS.get(keyOf(choice));
  return (state !== undefined && keepsMailAway(state)) || answerIn(choice) === false;
}

/**
 * True for a header such as `Banned recipes newsletter`, in which a word for a no or an end may belong to the name of a
 * list. A yes may then mean that the person wants this list.
 */
export function mayNameList(words: string): boolean {
  const others = words.split(' ').filter((word) => !isUsualBetween(word) && !NEGATED.test(word));
  return (
    LIST_WORD.test(words) &&
    !CLEAR_END.test(words) &&
    others.some((word) => /^[a-z]{3,}$/.test(word) && !LIST_WORD.test(word) && !saysEnd(word))
  );
}

function saysEnd(word: string): boolean {
  return LEFT.test(word) || LEFT_WORD.test(word) || REFUSED_WORD.test(word);
}

const LIST_WORD =
  /(?:^| )(?:newsletters?|nieuwsbrie(?:f|ven)|infolettres?|boletin|nyhetsbrev|nyhedsbrev|mailings?|digest|news)(?= |$)/u;
// Words that are never part of such a name.
const CLEAR_END =
  /unsub|opt(?:ed)? ?(?:out|off)|meld(?:et|ung|t)|bestell|desabo|d?esinscri|disiscri|disiscriz|suscri|schrev|wypis|odhlas|regist|anmal|do ?nt?o?t|revo[ck]|withdr|wider|list|cancel|consent|kundig|beend|(?:removed|excluded|blocked|banned|barred|off) from/u;
const REFUSED_WORD = /^(?:bulk|reklam|reclam|werb|advert|market|publici|pubblic|propagand|post|mejl)/u;
