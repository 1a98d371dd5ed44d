import { addToCount, sumOf } from '../../base/lib/rows.ts';
import { createTextCache } from '../csv/cell-text-cache.ts';
import { type AnyRow, cellEnd, cellStart, isByteRow } from '../csv/row-types.ts';
import type { Table } from '../mapping/table.ts';
import type { ParsedRecord } from '../record/parse-record.ts';
import { readDate } from '../values/dates.ts';

/** What a list contains, in numbers for the charts of a report. It has no addresses. */
export interface ListStatistics {
  /** The number of rows by mail domain: the ten largest, largest first. */
  readonly domains: readonly { readonly domain: string; readonly rows: number }[];
  /** The number of rows with a domain that is not among the ten largest. */
  readonly other_domains: number;
  /** The number of rows by month of the sign-up date (`2024-05`), if a column has dates that begin with the year. */
  readonly signed_up: Readonly<Record<string, number>>;
  /** The number of rows by month of the opt-out date, if a column has opt-out dates. */
  readonly opted_out: Readonly<Record<string, number>>;
}

/** The counts of one table while it is read. */
export interface ListCounts {
  readonly domains: Map<string, number>;
  readonly signedUp: Map<string, number>;
  readonly optedOut: Map<string, number>;
  /** The number of rows of domains that were dropped, because there were too many domains. */
  droppedRows: number;
  /** The index of the column with the sign-up date; -1 if there is none. */
  readonly signUpIndex: number;
}

/**
 * The number of domains that are counted at once. If there are more, svc drops the domains with one row, so that memory
 * is bounded.
 */
const MAX_DOMAINS = 20_000;
const MAX_SHOWN_DOMAINS = 10;

/** Headers of sign-up dates, in lower case and with letters only. */
const SIGN_UP = new Set(
  (
    'confirmtime createdat created createdon createdate datecreated creationdate dateadded added addedat ' +
    'addedon optintime optindate signupdate signedupat signuptime subscribedat subscribedon subscribedate ' +
    'subscriptiondate datesubscribed joined joinedat joindate registeredat registrationdate'
  ).split(' '),
);

export function createListCounts(header: readonly string[]): ListCounts {
  const signUpIndex = header.findIndex((name) => SIGN_UP.has(name.toLowerCase().replace(/[^a-z]/g, '')));
  return { domains: new Map(), signedUp: new Map(), optedOut: new Map(), droppedRows: 0, signUpIndex };
}

/** Counts a row by domain, sign-up month and opt-out month. `domain` is that of the address, if it is known. */
export function countListRow(counts: ListCounts, record: ParsedRecord, domain?: string): void {
  const { table, cells, email, statusReading } = record;
  if (email === undefined) {
    return;
  }
  addDomain(counts, domain ?? email.slice(email.indexOf('@') + 1));
  const signUp = counts.signUpIndex < 0 ? undefined : isoMonth(cells[counts.signUpIndex]);
  if (signUp !== undefined) {
    addToCount(counts.signedUp, signUp, 1);
  }
  const { unsubscribed_at: optOutIndex } = table.columnIndexes;
  // The date of a bounced row is the date of the bounce, not of an opt-out.
  const cell = optOutIndex < 0 || statusReading.state === 'bounced' ? '' : (cells[optOutIndex] ?? '');
  if (cell !== '') {
    const date = readDate(cell, table.dateStyle);
    if (date.kind === 'at') {
      addToCount(counts.optedOut, date.moment.slice(0, 7), 1);
    }
  }
}

const AT = 0x40;

/**
 * Makes a function that reads the domain of an ordinary row from its bytes. Equal domains give the same string object,
 * which makes counting fast. If it returns undefined, the caller takes the domain from the address.
 */
export function createDomainReader({
  columnIndexes,
}: Table): (row: AnyRow, record: ParsedRecord) => string | undefined {
  const index = columnIndexes.email;
  const domainText = createTextCache();
  return (row, { cells, email }) => {
    if (!isByteRow(row) || email !== cells[index]) {
      return undefined;
    }
    const { bytes, offsets } = row.block;
    const end = cellEnd(offsets, row.first + index);
    let start = cellStart(offsets, row.first + index);
    while (start < end && bytes[start] !== AT) {
      start++;
    }
    return domainText(row.block, start + 1, end, 0);
  };
}

function addDomain(counts: ListCounts, domain: string): void {
  const { domains } = counts;
  if (domains.size >= MAX_DOMAINS && !domains.has(domain)) {
    for (const [name, rows] of domains) {
      if (rows === 1) {
        domains.delete(name);
        counts.droppedRows++;
      }
    }
    if (domains.size >= MAX_DOMAINS) {
      counts.droppedRows++;
      return;
    }
  }
  addToCount(domains, domain, 1);
}

/** `2024-05` if the cell begins with a date such as `2024-05-31` or `2024/05/31`. */
function isoMonth(cell: string | undefined): string | undefined {
  if (cell === undefined || cell.length < 8) {
    return undefined;
  }
  const found = ISO_MONTH.exec(cell);
  return found ? `${found[1]}-${found[2]}` : undefined;
}

// Matches year and month at the start of a date that begins with the year: `2024-05-31`, but not `05/31/2024`.
const ISO_MONTH = /^\s*((?:19|20)\d\d)[-/.](0[1-9]|1[0-2])[-/.]\d/;

/** The statistics of the whole list, from the counts of its tables. */
export function listStatistics(tables: readonly ListCounts[]): ListStatistics {
  const domains = sum(tables.map((counts) => counts.domains));
  const ranked = [...domains].sort(([a, rowsA], [b, rowsB]) => rowsB - rowsA || (a < b ? -1 : 1));
  const otherRows = sumOf(ranked.slice(MAX_SHOWN_DOMAINS).map(([, rows]) => rows));
  return {
    domains: ranked.slice(0, MAX_SHOWN_DOMAINS).map(([domain, rows]) => ({ domain, rows })),
    other_domains: otherRows + sumOf(tables.map(({ droppedRows }) => droppedRows)),
    signed_up: byMonth(tables.map((counts) => counts.signedUp)),
    opted_out: byMonth(tables.map((counts) => counts.optedOut)),
  };
}

function sum(maps: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const [key, count] of maps.flatMap((map) => [...map])) {
    addToCount(total, key, count);
  }
  return total;
}

function byMonth(maps: readonly ReadonlyMap<string, number>[]): Record<string, number> {
  return Object.fromEntries([...sum(maps)].sort(([a], [b]) => (a < b ? -1 : 1)));
}
