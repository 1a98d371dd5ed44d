import { keepsMailAway } from '../combine-readings.ts';
import { asksToStop, speaksOfEnd } from '../phrases.ts';
import { isStateWord, keyOf, STATE_WORDS } from '../value-words.ts';
import { plainWordsOf } from './compounds.ts';
import { inText } from './sentences.ts';

/** True for a row with one filled cell that is a heading of opted-out people: `Unsubscribed:`, `--- OPTED OUT ---`. */
export function headsPeopleWhoLeft(cells: readonly string[]): boolean {
  const [heading, ...others] = cells.filter((cell) => /\p{L}/u.test(cell));
  if (heading === undefined || others.length > 0 || heading.includes('@')) {
    return false;
  }
  const state = STATE_WORDS.get(keyOf(heading));
  return state === undefined
    ? isStateWord(heading) ||
        FORMER.test(plainWordsOf(heading)) ||
        isBriefEnd(plainWordsOf(heading)) ||
        asksToStop(heading) ||
        inText(heading, 'status') !== undefined
    : keepsMailAway(state);
}

const FEW_WORDS = 3;

// True for a few words about an end: `Removed below`, `Left in 2023`. `no-address` is not about the person.
function isBriefEnd(words: string): boolean {
  return words.split(' ').length <= FEW_WORDS && speaksOfEnd(words) && !ADDRESS.test(words);
}

const ADDRESS = /mail|adress|address|direcci|indirizz|contact|kontakt/u;

// Words before the people of a list: `Former members`, `Ex-Mitglieder`.
const FORMER =
  /^(?:former|past|ex|ehemalig\w*|anciens?|anciennes?|antigu[oa]s|antig[oa]s|oud|byli|tidigare|tidligere|entiset) ?(?:members?|subscribers?|contacts?|mitglied\w*|abonn\w*|membres?|socios?|soci|leden|medlem\w*|kontakt\w*)$/u;
