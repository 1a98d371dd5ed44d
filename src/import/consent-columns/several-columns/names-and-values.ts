import type { TableShape } from '../../../platforms/lib/platform.ts';
import type { Meaning } from '../headers/header-reading.ts';
import { readHeader } from '../headers/read-header.ts';
import { wordsOf } from '../words/plain-words.ts';
import { isStateWord, readYesNo } from '../words/value-words.ts';
import { compileWords } from '../words/word-patterns.ts';
import { filledCells } from './named-lists.ts';

// Tables in which one column names a field and another has its value: `meta_key` and `meta_value` of WordPress.

const NAME = compileWords(
  '^(?:(?:meta|user|contact|custom|field|setting|option|attribute|property|data) ?)?(?:keys?|names?|fields?|settings?|types?|variables?|attributes?|options?|propert(?:y|ies)|preferences?|params?|parameters?|questions?|labels?|schlussel|feld|merkmal|einstellung|cle|champ|clave|campo|chiave|veld|sleutel)$',
);
const VALUE = compileWords(
  '^(?:(?:meta|user|contact|custom|field|setting|option|attribute|property|variable|preference|key|data) ?)?(?:values?|val|answers?|wert|valeur|valor|valore|waarde|wartosc|varde|antwort)$',
);

/**
 * True for a column of yes and no that is the value of a field in another column: `newsletter_optin` and `0`. A word
 * such as `subscribed` in the other column is then the name of the field, and not the state of the person.
 */
export function holdsValuesOfFields(shape: TableShape, index: number): boolean {
  const { header } = shape;
  if (!VALUE.test(wordsOf(header[index] ?? ''))) {
    return false;
  }
  const cells = filledCells(shape, index);
  return (
    cells.length > 0 &&
    cells.every((cell) => readYesNo(cell) !== undefined) &&
    header.some((other, at) => NAME.test(wordsOf(other)) && filledCells(shape, at).some(namesConsent))
  );
}

function namesConsent(cell: string): boolean {
  const meaning = readHeader(cell)?.meaning;
  return isStateWord(cell) || (meaning !== undefined && !OTHER_MEANINGS.has(meaning));
}

const OTHER_MEANINGS: ReadonlySet<Meaning> = new Set(['text', 'reason', 'channel']);
