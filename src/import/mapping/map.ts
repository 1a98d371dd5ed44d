import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';
import { bareWord } from '../../platforms/lib/words.ts';
import { platformById, platformIds, recognisePlatform } from '../../platforms/registry.ts';
import type { ColumnTarget, Platform, ReadingOptions, TableReading, TableShape } from '../types.ts';
import type { Answers, MapAnswer } from './answers.ts';
import { attributeKey } from './keys.ts';

/** A table as its platform reads it, with the answers of --map put over it. */
export interface MappedTable {
  readonly platform: string;
  readonly reading: TableReading;
  readonly columns: readonly ColumnTarget[];
  /** Positions that --map named, with what they were named as. */
  readonly named: ReadonlyMap<number, MapAnswer>;
}

/** Decides what every column becomes: --map first, then the platform's reading. `chooseAttributes` comes later. */
export function mapTable(shape: TableShape, options: ReadingOptions, answers: Answers): MappedTable {
  const vendor = chooseVendor(shape, options.from);
  const named = namedColumns(shape.header, answers.maps);
  // A column named by --map is hidden from the platform, so that it can't serve twice.
  const masked = shape.header.map((header, at) => (named.has(at) ? '' : header));
  const reading = vendor.read({ ...shape, header: masked });
  const taken = new Set([...named.values()].map(({ target }) => target.kind));
  const columns = shape.header.map((header, at) => {
    const answer = named.get(at);
    return answer ? answer.target : displaced(reading.columns[at] ?? { kind: 'ignore' }, header, taken);
  });
  return {
    platform: vendor.id,
    reading,
    columns,
    named,
  };
}

/** Columns of this header that an answer means: the exact name, else without case and blanks, else a number from 1. */
export function columnsNamed(header: readonly string[], column: string): number[] {
  const exact = positions(header, (name) => name === column);
  if (exact.length > 0) {
    return exact;
  }
  const wanted = column.trim().toLowerCase();
  const alike = wanted === '' ? [] : positions(header, (name) => name.trim().toLowerCase() === wanted);
  const number = /^[1-9]\d*$/.test(column) ? Number(column) : 0;
  return alike.length > 0 ? alike : number >= 1 && number <= header.length ? [number - 1] : [];
}

function chooseVendor(shape: TableShape, from: string): Platform {
  if (from === 'auto') {
    return recognisePlatform(shape);
  }
  const vendor = platformById(from);
  if (!vendor) {
    throw new SvcError(EXIT.usage, 'unknown_platform', `not a platform svc knows: ${from}`, {
      hint: `--from auto, or one of: ${platformIds().join(' ')}`,
    });
  }
  return vendor;
}

function namedColumns(header: readonly string[], maps: readonly MapAnswer[]): Map<number, MapAnswer> {
  return new Map(maps.flatMap((answer) => columnsNamed(header, answer.column).map((at) => [at, answer] as const)));
}

const SINGLE: readonly ColumnTarget['kind'][] = ['email', 'first_name', 'last_name', 'name', 'unsubscribed_at'];

// A column that lost its field to --map keeps its data: it becomes an attribute under its own key. An answer about another
// input takes nothing here. A column of addresses is still read for people who left (rule C9).
function displaced(target: ColumnTarget, header: string, taken: ReadonlySet<ColumnTarget['kind']>): ColumnTarget {
  if (target.kind === 'email' && taken.has('email')) {
    return { kind: 'other_email' };
  }
  return SINGLE.includes(target.kind) && taken.has(target.kind)
    ? { kind: 'attribute', key: attributeKey(header) }
    : target;
}

// What --attributes decides about.
const OPTIONAL: readonly ColumnTarget['kind'][] = ['attribute', 'ignore', 'other_email'];

interface Chosen {
  readonly columns: readonly ColumnTarget[];
  readonly header: readonly string[];
  readonly named: ReadonlyMap<number, MapAnswer>;
}

/**
 * Applies --attributes. It decides what is sent and nothing else, so it comes after the consent columns were found: a column
 * that is not sent still says who left (C10).
 */
export function chooseAttributes({ columns, header, named }: Chosen, { attributes }: ReadingOptions): ColumnTarget[] {
  if (attributes === 'all') {
    return [...columns];
  }
  const wanted = new Set(attributes === 'none' ? [] : attributes.map(bareWord));
  return columns.map((target, at): ColumnTarget => {
    const key = attributeKey(header[at] ?? '');
    if (named.has(at) || !OPTIONAL.includes(target.kind)) {
      return target;
    }
    if (wanted.has(bareWord(header[at] ?? '')) || (key !== '' && wanted.has(bareWord(key)))) {
      return { kind: 'attribute', key };
    }
    return target.kind === 'other_email' ? target : { kind: 'ignore' };
  });
}

function positions(header: readonly string[], is: (name: string) => boolean): number[] {
  return header.flatMap((name, at) => (is(name) ? [at] : []));
}
