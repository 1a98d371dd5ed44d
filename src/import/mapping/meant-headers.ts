import type { TableShape } from '../../platforms/lib/platform.ts';
import { OPT_OUT_MEANINGS } from '../consent-columns/column-meaning.ts';
import { readHeader } from '../consent-columns/headers/read-header.ts';
import { isPlainYesNo, readYesNo } from '../consent-columns/words/value-words.ts';
import { namesAddresses } from '../dialect/header-row.ts';
import { undoDoubleEncoding } from '../encoding/double-encoding.ts';

/**
 * The shape with corrected and completed headers. By these headers, svc decides what each column is about (C10).
 * Messages, answers and attributes keep the headers of the list. `above` is the row above the header, and
 * `maxQuestions` the maximum number of rows below it that can belong to it.
 */
export function withMeantHeaders(
  shape: TableShape,
  above: readonly string[],
  emailAt: number,
  maxQuestions: number,
): TableShape {
  const joined = withSecondHeaderLine(shape, above, emailAt, maxQuestions);
  return { ...joined, header: joined.header.map(completeHeader) };
}

/** Restores a header that was encoded twice or cut: `DÃ©sabonnÃ©` becomes `Désabonné`, `DO_NOT_EMA` `do not email`. */
function completeHeader(header: string): string {
  // Only a blank separates words here. A non-breaking space may be the second byte of `à`.
  const name = header.replace(/[^ ]+/g, (word) => undoDoubleEncoding(word) ?? word);
  return CUT_HEADERS.get(name.toLowerCase()) ?? name;
}

// Headers about consent that svc does not understand when they are cut. dBase files (.dbf), from which many programs
// export, cut each header after ten letters.
const HEADERS_TO_COMPLETE =
  'accepts email marketing, accepts marketing, dado de baja, data de baixa, do not contact, do not email, do not send, email status, email sperre, fecha de baja, global opt out, global unsubscribe, has opted out of email, ingen reklam, kein newsletter, keine werbung, kontaktsperre, left the list, ne pas contacter, ne pas envoyer, never contact, niet benaderen, no contactar, no email please, no marketing, no publicidad, no pubblicita, non contattare, not subscribed, schwarze liste, versand gesperrt, wants email, werbesperre, werbewiderspruch';

const DBASE_LENGTH = 10;

// Cut headers that may have meant the opposite (`HAS_OPTED_IN`) or something else (`FECHA_DE_BODA`, `DATA_DE_BATISMO`).
// So svc asks what their cells mean.
const AMBIGUOUS_CUTS = ['global_opt', 'has_opted_', 'versand_ge', 'versandges', 'fecha_de_b', 'data_de_ba'];
const ASKS_ABOUT_CELLS = 'opted in or out';

const CUT_HEADERS: ReadonlyMap<string, string> = new Map([
  ...HEADERS_TO_COMPLETE.split(', ').flatMap((header) =>
    ['_', '', ' '].map((blank) => [header.replaceAll(' ', blank).slice(0, DBASE_LENGTH), header] as const),
  ),
  ...AMBIGUOUS_CUTS.flatMap((cut) => [cut, cut.replaceAll('_', ' ')]).map((cut) => [cut, ASKS_ABOUT_CELLS] as const),
]);

/**
 * Joins a header with a second line that changes what it says about consent. The second line can be a group heading
 * above the header: `Do not contact by` above `E-Mail`. It can also be a question below it: `Tick if you want no
 * newsletter` below `Q1`. `above` is the row above the header.
 */
function withSecondHeaderLine(
  shape: TableShape,
  above: readonly string[],
  emailAt: number,
  maxQuestions: number,
): TableShape {
  const { header, sample } = shape;
  const firstPerson = sample.findIndex((cells) => !explainsHeader(cells[emailAt]));
  const questions = firstPerson > 0 ? sample.slice(0, Math.min(firstPerson, maxQuestions)) : [];
  const groups = groupsOf(above, header.length);
  if (groups.length === 0 && questions.length === 0) {
    return shape;
  }
  const people = sample.slice(questions.length);
  const [question = []] = questions;
  return {
    ...shape,
    header: header.map((name, index) => {
      const cells = people.map((row) => row[index] ?? '').filter((cell) => cell !== '');
      return withGroup(name, groups[index], cells) ?? withQuestion(name, question[index]) ?? name;
    }),
    sample: people,
  };
}

// True if a cell in the address column explains the header, such as `(address)`, `E-Mail` or JSON. Its row is then not
// about a person, because a row about a person has an address or a blank in this column.
function explainsHeader(cell = ''): boolean {
  return !cell.includes('@') && (/^\s*[({[]/.test(cell) || namesAddresses(cell));
}

// The heading of the group above each column. It stands in a merged cell, so it applies to all columns up to the next
// heading.
function groupsOf(above: readonly string[], width: number): readonly string[] {
  if (!above.some((cell, index) => index > 0 && cell.trim() !== '')) {
    return [];
  }
  let group = '';
  return Array.from({ length: width }, (_, index) => {
    group = above[index]?.trim() || group;
    return group;
  });
}

// The heading of the group and the header, joined, if the heading changes what the column says about consent. This
// needs the header `Yes` or `No`, or cells with yes and no and a joined header about an opt-out. Otherwise undefined.
function withGroup(name: string, group = '', cells: readonly string[]): string | undefined {
  const joined = `${group} ${name}`;
  const reading = group === '' ? undefined : readHeader(joined);
  const holdsAnswers = cells.length > 0 && cells.every((cell) => readYesNo(cell) !== undefined);
  return reading && (isPlainYesNo(name) || (holdsAnswers && OPT_OUT_MEANINGS.has(reading.meaning)))
    ? joined
    : undefined;
}

// The header with the question below it, if the question changes its meaning for consent. Otherwise undefined.
function withQuestion(name: string, question = ''): string | undefined {
  const joined = `${name} ${question}`;
  const reading = question === '' || isPlainYesNo(question) ? undefined : readHeader(joined);
  const headerReading = reading && readHeader(name);
  return reading &&
    (headerReading === undefined || headerReading.meaning === 'text' || OPT_OUT_MEANINGS.has(reading.meaning))
    ? joined
    : undefined;
}
