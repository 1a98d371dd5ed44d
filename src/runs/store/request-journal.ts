import type { DatabaseSync } from 'node:sqlite';
import { cachedStatement, eachRow, transaction, unsyncedTransaction } from '../../base/os/sqlite.ts';
import {
  IS_ROW_OUTCOME,
  OUTCOME_UNKNOWN,
  type RecordedFailure,
  type RecordedRequest,
  type RecordedResponse,
  type RequestKind,
  type RequestState,
  readFailure,
  readRequest,
  writeResponse,
} from './recorded-request.ts';
import { createReplayJournal, type ReplayJournal } from './replayed-requests.ts';

/**
 * The key for the next attempts of a request. It has a new key version (I1). Or it is the same key once more, if more
 * than 23 hours have passed since its first use (I6).
 */
export interface NextKey {
  readonly key: string;
  readonly keyVersion: number;
  readonly firstSentAt: number;
}

/** What the journal records about a write request before it is sent. `rows` is its number of rows. */
export interface RequestIntent extends NextKey {
  readonly kind: RequestKind;
  readonly name: string;
  readonly rows: number;
}

/** The write requests of a run. `recordIntent` and `replaceKey` return once the key is on disk (I9). */
export interface RequestJournal extends ReplayJournal {
  /** Records a new request and returns its id. A name is unique among the requests of a kind. */
  recordIntent(intent: RequestIntent): number;
  /** Records the next key of a request. The request is `pending` again, and its recorded response is deleted. */
  replaceKey(id: number, next: NextKey): void;
  /**
   * Records the outcome of a request, in place of any earlier one. An unknown outcome is synced to disk at once,
   * because its key may never be used again (I4). A known outcome is synced together with the next key, if other
   * requests are in flight. If a power cut loses it, a resume repeats the request.
   */
  recordOutcome(id: number, state: RequestState, response?: RecordedResponse): void;
  /** The request of this name. Undefined if it was not recorded yet. */
  find(kind: RequestKind, name: string): RecordedRequest | undefined;
  /**
   * True if a request was sent, or may have been. A creation counts only while it is pending or its outcome is unknown.
   */
  hasAny(): boolean;
  /** The number of rows in requests that are pending or have an unknown outcome. */
  unknownRows(): number;
  /** When a new key was last sent, by the service's clock. Undefined if there is no request. */
  lastSentAt(): number | undefined;
  /** All refused rows, in the order of the inputs. */
  failures(): Iterable<RecordedFailure>;
  /** The refused rows in the order of the inputs, without rows whose outcome is an enrollment. */
  refusedRows(): Iterable<RecordedFailure>;
}

/** Reads and writes the requests in an open run.db. */
export function createRequestJournal(db: DatabaseSync): RequestJournal {
  const inFlight = new Set<number>();
  return {
    recordIntent({ kind, name, key, keyVersion, rows, firstSentAt }) {
      const insert = () => cachedStatement(db, INSERT).run(kind, name, key, keyVersion, rows, firstSentAt);
      const id = Number(transaction(db, insert).lastInsertRowid);
      inFlight.add(id);
      return id;
    },
    replaceKey(id, next) {
      transaction(db, () => {
        cachedStatement(db, FORGET_FAILURES).run(id);
        expectOne(cachedStatement(db, REKEY).run(next.key, next.keyVersion, next.firstSentAt, id), id);
      });
      inFlight.add(id);
    },
    recordOutcome(id, state, response) {
      inFlight.delete(id);
      const inTransaction = inFlight.size > 0 && state !== OUTCOME_UNKNOWN ? unsyncedTransaction : transaction;
      inTransaction(db, () => writeOutcome(db, id, state, response));
    },
    ...readsOf(db),
    ...createReplayJournal(db),
  };
}

function writeOutcome(db: DatabaseSync, id: number, state: RequestState, response: RecordedResponse | undefined): void {
  cachedStatement(db, FORGET_FAILURES).run(id);
  expectOne(cachedStatement(db, CLOSE).run(state, response ? writeResponse(response) : null, id), id);
  for (const { source, line, code, detail } of response?.failures ?? []) {
    cachedStatement(db, ADD_FAILURE).run(id, source, line, code, detail ?? null);
  }
}

function readsOf(
  db: DatabaseSync,
): Pick<RequestJournal, 'find' | 'hasAny' | 'unknownRows' | 'lastSentAt' | 'failures' | 'refusedRows'> {
  return {
    hasAny: () => cachedStatement(db, ANY_REQUEST).get() !== undefined,
    unknownRows: () => Number(cachedStatement(db, UNKNOWN_ROWS).get()?.sum),
    lastSentAt: () => {
      const time = cachedStatement(db, LAST_SENT_AT).get()?.at;
      return typeof time === 'number' ? time : undefined;
    },
    find(kind, name) {
      const row = cachedStatement(db, BY_NAME).get(kind, name);
      return row && readRequest(row, (id) => cachedStatement(db, FAILURES_OF).all(id));
    },
    failures: () => eachRow(db, failuresInOrder('TRUE')).map(readFailure),
    refusedRows: () => eachRow(db, failuresInOrder(IS_ROW_OUTCOME)).map(readFailure),
  };
}

const INSERT = `
  INSERT INTO units (kind, name, key, generation, rows, first_sent_at, state) VALUES (?, ?, ?, ?, ?, ?, 'pending')`;

const REKEY = `
  UPDATE units SET key = ?, generation = ?, first_sent_at = ?, state = 'pending', answer = NULL WHERE id = ?`;

const CLOSE = 'UPDATE units SET state = ?, answer = ? WHERE id = ?';

const BY_NAME = 'SELECT * FROM units WHERE kind = ? AND name = ?';

const FORGET_FAILURES = 'DELETE FROM failures WHERE unit = ?';

const ADD_FAILURE = 'INSERT INTO failures (unit, source, line, code, detail) VALUES (?, ?, ?, ?, ?)';

const FAILURES_OF = 'SELECT source, line, code, detail FROM failures WHERE unit = ? ORDER BY rowid';

const LAST_SENT_AT = 'SELECT MAX(first_sent_at) AS at FROM units';

const ANY_REQUEST = `SELECT 1 FROM units WHERE kind <> 'creation' OR state IN ('pending', 'doubt') LIMIT 1`;

const UNKNOWN_ROWS = `SELECT TOTAL(rows) AS sum FROM units WHERE state IN ('pending', 'doubt')`;

function failuresInOrder(condition: string): string {
  return `
    SELECT units.kind, units.name AS requestName, failures.source, failures.line, failures.code, failures.detail
    FROM failures JOIN units ON units.id = failures.unit WHERE ${condition}
    ORDER BY failures.source, failures.line, failures.rowid`;
}

/** Throws if a statement changed no request. Such a statement is a bug of svc, and never a problem of the disk. */
function expectOne(result: { readonly changes: number | bigint }, id: number): void {
  if (Number(result.changes) !== 1) {
    throw new Error(`no request ${id} in this run`);
  }
}
