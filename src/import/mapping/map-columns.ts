import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { attributeKey } from '../../platforms/lib/attribute-keys.ts';
import { headerOrNumber } from '../../platforms/lib/headers.ts';
import {
  ADDRESS_COLUMN_KINDS,
  type ColumnTarget,
  type Platform,
  type TableReading,
  type TableShape,
} from '../../platforms/lib/platform.ts';
import { bareWord } from '../../platforms/lib/status-words.ts';
import { platformById, platformIds, recognizePlatform } from '../../platforms/registry.ts';
import type { DateStyle } from '../values/dates.ts';
import { createZoneOffset } from '../values/time-zones.ts';
import { namedColumns } from './answers/named-columns.ts';
import type { MapAnswer } from './map-flag.ts';
import type { InputAnswers, ReadingOptions } from './reading-answers.ts';
import type { ColumnIndexes, KeyedColumn } from './table.ts';

/** What each column of a table becomes. An answer of `--map` counts first, then the platform decides. */
export interface MappedTable {
  readonly platform: string;
  readonly reading: TableReading;
  readonly columns: readonly ColumnTarget[];
  /** The answers of `--map`. Each key is the index of a column that the answer names. */
  readonly named: ReadonlyMap<number, MapAnswer>;
  /** The indexes of address columns that `--map` sends as attributes. */
  readonly addressesAsAttributes: readonly number[];
}

/** Decides what each column becomes. An answer of `--map` overrides the platform. */
export function mapColumns(shape: TableShape, options: ReadingOptions, answers: InputAnswers): MappedTable {
  const platform = platformNamed(options.from) ?? recognizePlatform(shape);
  const named = namedColumns(shape.header, answers);
  // The platform sees a blank header for each column that `--map` names. So the platform gives this column no use of
  // its own.
  const headerForPlatform =
    named.size > 0 ? shape.header.map((header, index) => (named.has(index) ? '' : header)) : shape.header;
  const reading = platform.read({ ...shape, header: headerForPlatform });
  const given = new Set([...named.values()].map(({ target }) => target.kind));
  const columns = shape.header.map((header, index) => {
    const answer = named.get(index);
    return answer ? answer.target : displacedTarget(reading.columns[index] ?? { kind: 'ignore' }, header, given);
  });
  return {
    platform: platform.id,
    reading,
    columns,
    named,
    addressesAsAttributes: named.size > 0 ? addressesAsAttributes(platform.read(shape).columns, columns) : [],
  };
}

/**
 * The indexes of columns that were address columns in `before` and are attributes in `after`. An opt-out in a row still
 * counts for the addresses in them (C9).
 */
export function addressesAsAttributes(before: readonly ColumnTarget[], after: readonly ColumnTarget[]): number[] {
  return after.flatMap(({ kind }, index) =>
    kind === 'attribute' && ADDRESS_COLUMN_KINDS.has(before[index]?.kind) ? [index] : [],
  );
}

/** The platform that the user named. Undefined for `auto`. Throws SvcError (exit 2) for an unknown one. */
export function platformNamed(from: string): Platform | undefined {
  const platform = platformById(from);
  if (!platform && from !== 'auto') {
    throw new SvcError(EXIT.usage, 'unknown_platform', `--from: unknown platform ${JSON.stringify(from)}`, {
      hint: `Platforms are: ${platformIds().join(' ')}. To let svc recognize it:\n--from auto`,
    });
  }
  return platform;
}

const UNIQUE_KINDS: readonly ColumnTarget['kind'][] = ['email', 'first_name', 'last_name', 'name', 'unsubscribed_at'];

// The target of a column. If `--map` gives its field to a different column, this column becomes an attribute. But an
// address column stays one, because an opt-out counts for all addresses of a row (C9). Other columns keep their target.
function displacedTarget(target: ColumnTarget, header: string, given: ReadonlySet<ColumnTarget['kind']>): ColumnTarget {
  if (target.kind === 'email' && given.has('email')) {
    return { kind: 'other_email' };
  }
  return UNIQUE_KINDS.includes(target.kind) && given.has(target.kind)
    ? { kind: 'attribute', key: attributeKey(header) }
    : target;
}

// The kinds of columns that `--attributes` can include or exclude.
const OPTIONAL_KINDS: readonly ColumnTarget['kind'][] = ['attribute', 'ignore', 'other_email'];

interface ChosenColumns {
  readonly columns: readonly ColumnTarget[];
  readonly header: readonly string[];
  readonly named: ReadonlyMap<number, MapAnswer>;
}

/**
 * Applies `--attributes`, which only decides what is sent. To be called after the consent columns were found, because
 * they decide the state even if they are not sent (C10).
 */
export function chooseAttributes(
  { columns, header, named }: ChosenColumns,
  { attributes }: ReadingOptions,
): ColumnTarget[] {
  if (attributes === 'all') {
    return [...columns];
  }
  const wanted = new Set(attributes === 'none' ? [] : attributes.map(bareWord));
  return columns.map((target, index): ColumnTarget => {
    const key = attributeKey(header[index] ?? '');
    if (named.has(index) || !OPTIONAL_KINDS.includes(target.kind)) {
      return target;
    }
    if (wanted.has(bareWord(header[index] ?? '')) || (key !== '' && wanted.has(bareWord(key)))) {
      return { kind: 'attribute', key };
    }
    return target.kind === 'other_email' ? target : { kind: 'ignore' };
  });
}

export function keyedColumns(
  columns: readonly ColumnTarget[],
  header: readonly string[],
  isNamed: boolean,
): KeyedColumn[] {
  return columns.flatMap((target, index) =>
    // In a table without headers, a column is sent only if `--map` gives it a key.
    target.kind === 'attribute' && (isNamed || target.key !== '')
      ? [{ index, header: header[index] ?? '', key: target.key }]
      : [],
  );
}

export function columnIndexesOf(
  columns: readonly ColumnTarget[],
  header: readonly string[],
): Omit<ColumnIndexes, 'email'> {
  const indexOfOnly = (kind: keyof ColumnIndexes) => {
    const found = columns.flatMap((target, index) => (target.kind === kind ? [index] : []));
    if (found.length > 1) {
      const quotedHeaders = found.map((index) => JSON.stringify(headerOrNumber(header, index))).join(' and ');
      throw new SvcError(EXIT.usage, 'mapped_twice', `${quotedHeaders} can't both be ${kind}`, {
        hint: `--map ${(found[1] ?? 0) + 1}=ignore`,
      });
    }
    return found[0] ?? -1;
  };
  return {
    first_name: indexOfOnly('first_name'),
    last_name: indexOfOnly('last_name'),
    name: indexOfOnly('name'),
    unsubscribed_at: indexOfOnly('unsubscribed_at'),
  };
}

/** How the dates of a table are read: as the user says, else as the platform writes them. */
export function dateStyle(reading: TableReading, { dateOrder, timezone }: ReadingOptions): DateStyle {
  return {
    form: reading.dateForm,
    order: dateOrder ?? reading.dateOrder,
    zone: createZoneOffset(timezone ?? reading.timezone ?? 'UTC'),
  };
}
