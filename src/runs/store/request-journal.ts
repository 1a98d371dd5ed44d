import type { DatabaseSync } from 'node:sqlite';
import { eachRow, transaction, unsyncedTransaction } from '../../base/os/sqlite.ts';
import {
  type RecordedFailure,
  type RecordedRequest,
  type RecordedResponse,
  type RequestKind,
  type RequestState,
  readFailure,
  readRequest,
  writeResponse,
} from './recorded-request.ts';

/** The next key version (rule I1), or the same key in a new 24-hour window (rule I6). */
export interface NextKey {
  readonly key: string;
  readonly keyVersion: number;
  readonly firstSentAt: number;
}

/** A write request before its first byte is sent. */
export interface RequestIntent extends NextKey {
  readonly kind: RequestKind;
  readonly name: string;
  readonly rows: number;
}

/** The write requests of a run. An intent is synced to disk before its method returns (rule I9). */
export interface RequestJournal {
  /** Records the intent and returns the id of the request. A name is unique per kind. */
  begin(intent: RequestIntent): number;
  /** Records the next key. The request is pending again, and its response is deleted. */
  replaceKey(id: number, next: NextKey): void;
  /**
   * Records the outcome with all failures, and replaces an earlier outcome. While other requests are in flight, a known
   * outcome is synced with the next intent: a power cut leaves those requests unknown, so a resume must send again
   * anyway. An unknown outcome is synced at once, because it may say that the key must not be sent again (I4).
   */
  recordOutcome(id: number, state: RequestState, answer?: RecordedResponse): void;
  find(kind: RequestKind, name: string): RecordedRequest | undefined;
  /** True if there is at least one request. A creation counts only while its outcome is open. */
  any(): boolean;
  /** Rows with an unknown outcome, and rows of pending requests. */
  unknownRows(): number;
  /** Refused rows in the order of the inputs. */
  failures(): Iterable<RecordedFailure>;
}

/** The write requests in an open run.db. */
export function createRequestJournal(db: DatabaseSync): RequestJournal {
  const begin = prepareBegin(db);
  const recordOutcome = prepareRecordOutcome(db);
  const inFlight = new Set<number>();
  const rekey = db.prepare(
    `UPDATE units SET key = ?, generation = ?, first_sent_at = ?, state = 'pending', answer = NULL WHERE id = ?`,
  );
  const forget = db.prepare('DELETE FROM failures WHERE unit = ?');
  return {
    begin(intent) {
      const id = transaction(db, () => begin(intent));
      inFlight.add(id);
      return id;
    },
    replaceKey(id, next) {
      transaction(db, () => {
        forget.run(id);
        expectOne(rekey.run(next.key, next.keyVersion, next.firstSentAt, id), id);
      });
      inFlight.add(id);
    },
    recordOutcome(id, state, answer) {
      inFlight.delete(id);
      const inTransaction = inFlight.size > 0 && state !== 'doubt' ? unsyncedTransaction : transaction;
      inTransaction(db, () => recordOutcome(id, state, answer));
    },
    ...prepareReads(db),
  };
}

function prepareBegin(db: DatabaseSync): RequestJournal['begin'] {
  const insert = db.prepare(
    `INSERT INTO units (kind, name, key, generation, rows, first_sent_at, state) VALUES (?, ?, ?, ?, ?, ?, 'pending')`,
  );
  return ({ kind, name, key, keyVersion, rows, firstSentAt }) =>
    Number(insert.run(kind, name, key, keyVersion, rows, firstSentAt).lastInsertRowid);
}

function prepareRecordOutcome(db: DatabaseSync): RequestJournal['recordOutcome'] {
  const close = db.prepare('UPDATE units SET state = ?, answer = ? WHERE id = ?');
  const forget = db.prepare('DELETE FROM failures WHERE unit = ?');
  const fail = db.prepare('INSERT INTO failures (unit, source, line, code, detail) VALUES (?, ?, ?, ?, ?)');
  return (id, state, answer) => {
    forget.run(id);
    expectOne(close.run(state, answer ? writeResponse(answer) : null, id), id);
    for (const { source, line, code, detail } of answer?.failures ?? []) {
      fail.run(id, source, line, code, detail ?? null);
    }
  };
}

function prepareReads(db: DatabaseSync): Pick<RequestJournal, 'find' | 'any' | 'unknownRows' | 'failures'> {
  const byName = db.prepare('SELECT * FROM units WHERE kind = ? AND name = ?');
  const failuresOf = db.prepare('SELECT source, line, code, detail FROM failures WHERE unit = ? ORDER BY rowid');
  const toRequest = (row: unknown) => readRequest(row, (id) => failuresOf.all(id));
  return {
    any: () => db.prepare(ANY).get() !== undefined,
    unknownRows: () => Number(db.prepare(UNKNOWN_ROWS).get()?.sum),
    find(kind, name) {
      const row = byName.get(kind, name);
      return row && toRequest(row);
    },
    *failures() {
      for (const row of eachRow(db, FAILURES_IN_ORDER)) {
        yield readFailure(row);
      }
    },
  };
}

const ANY = `SELECT 1 FROM units WHERE kind <> 'creation' OR state IN ('pending', 'doubt') LIMIT 1`;

const UNKNOWN_ROWS = `SELECT TOTAL(rows) AS sum FROM units WHERE state IN ('pending', 'doubt')`;

const FAILURES_IN_ORDER = `
  SELECT units.kind, units.name AS unit, failures.source, failures.line, failures.code, failures.detail
  FROM failures JOIN units ON units.id = failures.unit
  ORDER BY failures.source, failures.line, failures.rowid`;

/** A missing id is a bug of the program, never a disk problem. */
function expectOne(result: { readonly changes: number | bigint }, id: number): void {
  if (Number(result.changes) !== 1) {
    throw new Error(`no request ${id} in this run`);
  }
}
