import { keepsMailAway } from './combine.ts';
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
