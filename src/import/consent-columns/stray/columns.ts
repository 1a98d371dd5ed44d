import type { ColumnTarget } from '../../../platforms/lib/platform.ts';
import type { StatusReading } from '../../../platforms/lib/states.ts';
import { NONE } from '../../../platforms/lib/words.ts';
import type { Recognised } from '../column-meaning.ts';
import { keepsMailAway } from '../combine.ts';
import { type ConsentColumn, isLeftOut, platformColumns } from '../detect.ts';
import { ADDRESS_PART, namesChannelConsent } from '../header-words.ts';
import { mayStray, readHeader } from '../read-header.ts';
import { wordsOf } from '../text.ts';
import { keyOf } from '../value-words.ts';
import { placeOf } from './column-place.ts';
import { LEAVING_WORDS } from './leaving-words.ts';
import { addressCellState, questionAbout, strayReader } from './stray-words.ts';

/** A column about something else that may hold a word of leaving. */
export interface StrayColumn {
  readonly at: number;
  stateOf(cell: string): StatusReading;
}

/**
 * The columns in which a word of leaving has no place, with the reader of each: names, telephone numbers, addresses and
 * all other columns that nothing else reads (rule C10). Names are read too, because a second table in the same file may
 * be cut into other columns.
 */
export function strayColumns(table: Recognised, found: readonly ConsentColumn[]): readonly StrayColumn[] {
  const [own, taken] = [platformColumns(table), new Set(found.map(({ at }) => at))];
  return table.columns.flatMap(({ kind }, at) => {
    const isState = table.named.has(at) && STATE_KINDS.has(kind);
    const isOut = isState || isLeftOut(table, at, readHeader(table.shape.header[at] ?? ''));
    if (taken.has(at) || isOut || !STRAY_KINDS.has(kind)) {
      return [];
    }
    const stateOf = own.has(at) ? ownColumnReader(table, at) : readerOf(table, at, kind);
    return stateOf ? [{ at, stateOf }] : [];
  });
}

type Kind = ColumnTarget['kind'];

const NAMES: readonly Kind[] = ['first_name', 'last_name', 'name'];
const ADDRESSES: readonly Kind[] = ['email', 'other_email'];
/** If --map gives a column one of these kinds, nothing in it is out of place. */
const STATE_KINDS: ReadonlySet<Kind> = new Set(['state_part', 'status', 'unsubscribed_at']);
const STRAY_KINDS: ReadonlySet<Kind> = new Set([...NAMES, ...ADDRESSES, ...STATE_KINDS, 'attribute', 'ignore']);

// The words of a platform's own column are its own. Only a clear word or a death that it does not know is out of place.
function ownColumnReader({ shape, reading }: Recognised, at: number): StrayColumn['stateOf'] {
  const stateOf = strayReader('foreign');
  const blank = shape.header.map(() => '');
  const isKnown = (cell: string): boolean => {
    const { state, unknown } = reading.stateOf(blank.with(at, cell));
    return state !== 'none' && unknown === undefined;
  };
  return (cell) => {
    const found = stateOf(cell);
    return found === NONE || isKnown(cell) ? NONE : found;
  };
}

function readerOf({ shape }: Recognised, at: number, kind: Kind): StrayColumn['stateOf'] | undefined {
  if (ADDRESSES.includes(kind)) {
    return addressCellState;
  }
  const header = shape.header[at] ?? '';
  const cells = shape.sample.map((row) => row[at] ?? '').filter((cell) => /\p{L}|\d/u.test(cell));
  if (NAMES.includes(kind)) {
    return nameReader(cells);
  }
  if (!mayStray(header) && isChannel(header, cells)) {
    return undefined;
  }
  const stateOf = strayReader(placeOf(header));
  return mayStray(header) ? stateOf : (cell) => asQuestion(stateOf(cell), cell);
}

// `DNC` under `Phone` may be about calls only.
function asQuestion(status: StatusReading, cell: string): StatusReading {
  return keepsMailAway(status) ? questionAbout(cell) : status;
}

// `SMS status` is about another channel. `Mobile` and `Postal address` hold the number and the address of a person.
function isChannel(header: string, cells: readonly string[]): boolean {
  const words = wordsOf(header);
  const isNumber = NUMBER.test(words) || ADDRESS_PART.test(words) || PLACE.test(words);
  const figures = cells.filter((cell) => /\d.*\d.*\d/.test(cell)).length;
  return namesChannelConsent(words) || (!isNumber && (cells.length === 0 || figures < cells.length / 2));
}

const NUMBER = /\b(?:phones?|mobile|cell|cellphone|telephone|telefon\w*|tel|handy|fax|rufnummer)\b/u;
const PLACE = /\b(?:address|adresse|anschrift|direccion|indirizzo|endereco|adres|code|codes|box)\b/u;

// Among ordinary names, a word in capitals is a mark.
function nameReader(cells: readonly string[]): StrayColumn['stateOf'] {
  const [stateOf, anyWord] = [strayReader('name'), strayReader('other')];
  const loud = cells.filter((cell) => isLoud(cell) && !LEAVING_WORDS.other.has(keyOf(cell))).length;
  if (loud > cells.length / 3) {
    return stateOf;
  }
  return (cell) => {
    const status = stateOf(cell);
    return status === NONE && isLoud(cell) ? anyWord(cell) : status;
  };
}

const [SMALL_A, SMALL_Z] = [0x61, 0x7a];

function isLoud(cell: string): boolean {
  const second = cell.charCodeAt(1);
  // Nearly every name ends here.
  return !(second >= SMALL_A && second <= SMALL_Z) && /^\P{Ll}*\p{Lu}\P{Ll}*\p{Lu}\P{Ll}*\p{Lu}\P{Ll}*$/u.test(cell);
}
