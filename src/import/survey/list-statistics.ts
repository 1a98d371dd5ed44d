import { sumOf } from '../../base/lib/rows.ts';
import { readDate } from '../record/dates.ts';
import type { ParsedRecord } from '../record/parse-record.ts';
import { addCounts } from './table-counts.ts';

/** What a list holds, in counts for the charts of a report. Holds no addresses. */
export interface ListStatistics {
  /** Rows by mail domain, at most ten, the largest first. */
  readonly domains: readonly { readonly domain: string; readonly rows: number }[];
  /** Rows of all other domains. */
  readonly other_domains: number;
  /** Rows by the month (`2024-05`) of the sign-up date, if a column has one. */
  readonly signed_up: Readonly<Record<string, number>>;
  /** Rows by the month of the opt-out date, if a column has one. */
  readonly opted_out: Readonly<Record<string, number>>;
}

export interface ListCounts {
  readonly domains: Map<string, number>;
  readonly signedUp: Map<string, number>;
  readonly optedOut: Map<string, number>;
  /** Rows of domains that were dropped because there were too many. */
  dropped: number;
  /** Index of the column with the sign-up date, or -1. */
  readonly signUpIndex: number;
}

/** Domains counted at once. Beyond that, domains of one row are dropped, so memory stays flat. */
const DOMAINS_AT_ONCE = 20_000;
const SHOWN_DOMAINS = 10;

/** Headers of sign-up dates, in lower case and without marks between words. */
const SIGN_UP = new Set(
  (
    'confirmtime createdat created createdon createdate datecreated creationdate dateadded added addedat ' +
    'addedon optintime optindate signupdate signedupat signuptime subscribedat subscribedon subscribedate ' +
    'subscriptiondate datesubscribed joined joinedat joindate registeredat registrationdate'
  ).split(' '),
);

export function createListCounts(header: readonly string[]): ListCounts {
  const signUpIndex = header.findIndex((name) => SIGN_UP.has(name.toLowerCase().replace(/[^a-z]/g, '')));
  return { domains: new Map(), signedUp: new Map(), optedOut: new Map(), dropped: 0, signUpIndex };
}

export function countListRow(counts: ListCounts, { table, cells, email, statusReading }: ParsedRecord): void {
  if (email === undefined) {
    return;
  }
  addDomain(counts, email.slice(email.indexOf('@') + 1));
  const signUp = counts.signUpIndex < 0 ? undefined : isoMonth(cells[counts.signUpIndex]);
  if (signUp !== undefined) {
    addCounts(counts.signedUp, signUp, 1);
  }
  const { unsubscribed_at: optOutIndex } = table.columnIndexes;
  // A bounce has a date too, and is no opt-out.
  const cell = optOutIndex < 0 || statusReading.state === 'bounced' ? '' : (cells[optOutIndex] ?? '');
  if (cell !== '') {
    const date = readDate(cell, table.dateStyle);
    if (date.kind === 'at') {
      addCounts(counts.optedOut, date.at.slice(0, 7), 1);
    }
  }
}

function addDomain(counts: ListCounts, domain: string): void {
  const { domains } = counts;
  if (domains.size >= DOMAINS_AT_ONCE && !domains.has(domain)) {
    for (const [name, rows] of domains) {
      if (rows === 1) {
        domains.delete(name);
        counts.dropped++;
      }
    }
    if (domains.size >= DOMAINS_AT_ONCE) {
      counts.dropped++;
      return;
    }
  }
  addCounts(domains, domain, 1);
}

/** `2024-05` if the cell begins with a date such as `2024-05-31` or `2024/05/31`. */
function isoMonth(cell: string | undefined): string | undefined {
  if (cell === undefined || cell.length < 8) {
    return undefined;
  }
  const found = ISO_MONTH.exec(cell);
  return found ? `${found[1]}-${found[2]}` : undefined;
}

// Year and month at the start of a date.
const ISO_MONTH = /^\s*((?:19|20)\d\d)[-/.](0[1-9]|1[0-2])[-/.]\d/;

export function listStatistics(tables: readonly ListCounts[]): ListStatistics {
  const domains = sum(tables.map((counts) => counts.domains));
  const ranked = [...domains].sort(([a, rowsA], [b, rowsB]) => rowsB - rowsA || (a < b ? -1 : 1));
  const rest = sumOf(ranked.slice(SHOWN_DOMAINS).map(([, rows]) => rows));
  return {
    domains: ranked.slice(0, SHOWN_DOMAINS).map(([domain, rows]) => ({ domain, rows })),
    other_domains: rest + sumOf(tables.map(({ dropped }) => dropped)),
    signed_up: byMonth(tables.map((counts) => counts.signedUp)),
    opted_out: byMonth(tables.map((counts) => counts.optedOut)),
  };
}

function sum(maps: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const [key, count] of maps.flatMap((map) => [...map])) {
    addCounts(total, key, count);
  }
  return total;
}

function byMonth(maps: readonly ReadonlyMap<string, number>[]): Record<string, number> {
  return Object.fromEntries([...sum(maps)].sort(([a], [b]) => (a < b ? -1 : 1)));
}
