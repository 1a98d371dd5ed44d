import type { TableShape } from '../../../platforms/lib/platform.ts';
import type { HeaderReading, Meaning } from '../headers/header-reading.ts';
import { readHeader } from '../headers/read-header.ts';
import { wordsOf } from '../words/plain-words.ts';
import { isPlainYesNo, isStateWord, readYesNo } from '../words/value-words.ts';
import { compileWords } from '../words/word-patterns.ts';
import { filledCells } from './named-lists.ts';

// Columns that mean something only beside another one: `meta_key` and `meta_value` of WordPress, `Yes` and `No`.

const NAME = compileWords(
  '^(?:(?:meta|user|contact|custom|field|setting|option|attribute|property|data) ?)?(?:keys?|names?|fields?|settings?|types?|variables?|attributes?|options?|propert(?:y|ies)|preferences?|params?|parameters?|questions?|labels?|schlussel|feld|merkmal|einstellung|cle|champ|clave|campo|chiave|veld|sleutel)$',
);
const VALUE = compileWords(
  '^(?:(?:meta|user|contact|custom|field|setting|option|attribute|property|variable|preference|key|data) ?)?(?:values?|val|answers?|wert|valeur|valor|valore|waarde|wartosc|varde|antwort)$',
);

/** The reading of a column that means something only beside another one. Undefined for any other column. */
export function readBesidePartner(shape: TableShape, index: number): HeaderReading | undefined {
  return holdsValuesOfFields(shape, index) ? EITHER : readPlainNo(shape, index);
}

const EITHER: HeaderReading = { meaning: 'either', asksAboutUnknown: true, filledMeansHappened: false };
// A 1 or `TRUE` under `No` refuses mail, and svc asks. A 0 or `FALSE` there says nothing.
const REFUSES: HeaderReading = { ...EITHER, meaning: 'optedOut', needsConfirmation: true };

// The reading of a column `No`. Alone it may have numbers of rows, so there only `TRUE` and `FALSE` are answers. Beside
// a column `Yes` each yes and no is an answer.
function readPlainNo(shape: TableShape, index: number): HeaderReading | undefined {
  const cells = answersUnder(shape, index, false);
  if (cells === undefined || cells.every((cell) => TRUE_OR_FALSE.test(cell))) {
    return cells && REFUSES;
  }
  const isBesideYes = shape.header.some((_, at) => answersUnder(shape, at, true));
  return isBesideYes ? (cells.every((cell) => BIT.test(cell)) ? REFUSES : EITHER) : undefined;
}

// The cells of the first rows under a plain yes or a plain no. Undefined under other headers, and if one is no answer.
function answersUnder(shape: TableShape, index: number, yes: boolean): readonly string[] | undefined {
  const header = shape.header[index] ?? '';
  const cells = isPlainYesNo(header) && readYesNo(header) === yes ? filledCells(shape, index) : [];
  return cells.length > 0 && cells.every((cell) => readYesNo(cell) !== undefined) ? cells : undefined;
}

const TRUE_OR_FALSE = /^\s*(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|vero|verdadeiro|waar|onwaar)\s*$/iu;
const BIT = /^\s*[01]\s*$/u;

/**
 * True for a column of yes and no that is the value of a field in another column: `newsletter_optin` and `0`. A word
 * such as `subscribed` in the other column is then the name of the field, and not the state of the person.
 */
function holdsValuesOfFields(shape: TableShape, index: number): boolean {
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
