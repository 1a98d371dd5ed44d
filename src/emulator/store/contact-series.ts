import type { SQLInputValue } from 'node:sqlite';
import type { PageRequest } from './rows.ts';
import type { Store } from './store.ts';

// Contacts that were inserted together form a series: they have one audience, and their row numbers follow each other.
// The series replace an index of contacts by audience. With such an index, each contact would take a sixth longer to
// insert.

/**
 * The part of an SQL text that selects the contacts of an audience, up to a row number. It has the audience as its
 * first parameter. With `cross join`, SQLite reads the series first, in the order of their index.
 */
function selectUpTo(last: string): string {
  return `contact_series as series cross join contacts on series.audience = ? and contacts.seq between series.first and ${last}`;
}

/** The part of an SQL text that selects all contacts of an audience. Its one parameter is the audience. */
export const CONTACTS_OF_AUDIENCE = selectUpTo('series.last');

/**
 * A page of the contacts of an audience, newest first. Reads one contact more than the limit, so that the caller sees
 * whether a further page follows. With a status, only contacts with this status are listed.
 */
export function listContacts<Row>(
  store: Store,
  { audience, status }: { readonly audience: number; readonly status?: string | undefined },
  page: PageRequest,
): Row[] {
  const chosen: SQLInputValue[] = status === undefined ? [] : [status];
  const sql = `select contacts.* from ${selectUpTo('min(series.last, ? - 1)')} where series.first < ?
    ${status === undefined ? '' : 'and contacts.status = ?'} order by series.first desc, contacts.seq desc limit ?`;
  return store.all<Row>(sql, audience, page.before, page.before, ...chosen, page.limit + 1);
}

/** Deletes all contacts of an audience. */
export function deleteContacts(store: Store, audience: number): void {
  store.run(`delete from contacts where seq in (select contacts.seq from ${CONTACTS_OF_AUDIENCE})`, audience);
  store.run('delete from contact_series where audience = ?', audience);
}
