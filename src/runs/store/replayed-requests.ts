import type { DatabaseSync } from 'node:sqlite';
import { cachedStatement, transaction } from '../../base/os/sqlite.ts';
import { BISECTED, NO_EFFECT, writeResponse } from './recorded-request.ts';

/** The replays among the requests of a run, and its contact writes, which other runs must know about (I7). */
export interface ReplayJournal {
  /**
   * The accepted contact requests whose response is a replay. With `batch`, only those of this batch, its parts and
   * halves.
   */
  replays(batch?: string): RecordedReplay[];
  /** The accepted requests of these suppressions whose response answers a request of another run. */
  foreignSuppressionReplays(name: string): Pick<RecordedReplay, 'id'>[];
  /** True if a contact request with rows must still be sent, or sent again. */
  hasOpenRequests(): boolean;
  /** True if an attempt of any contact request may have had an effect. */
  mayHaveWrittenContacts(): boolean;
  /** What is recorded about the requests of a batch: its own request, and those of its parts and halves. */
  stateOf(batch: string): BatchState;
  /**
   * Makes these requests count as not sent, so that svc sends them again under new keys. If an earlier attempt of this
   * run may have caused the replayed response, the request still counts as one that may have had an effect.
   */
  reopenReplays(replays: readonly Pick<RecordedReplay, 'id'>[]): void;
  /** The keys of all contact requests, and the time of the latest contact write by the service's clock. */
  contactWrites(): ContactWrites;
}

/** What run.db records about all requests of a batch. Each field is false if no request was recorded. */
export interface BatchState {
  /** True if a request was recorded. Its key depends on its bytes, so a resume must send the same bytes (I9). */
  readonly isRecorded: boolean;
  /** True if an attempt may have had an effect. False if svc knows that no attempt of any request had one. */
  readonly mayHaveEffect: boolean;
  /** True if a recorded request must still be sent, or sent again. */
  readonly isOpen: boolean;
  /**
   * True if the whole batch has its final response. False for a batch in parts or halves, because some may not be
   * recorded yet. False for a replay, because an outdated replay is sent again (I7).
   */
  readonly hasResponse: boolean;
}

/** A contact request whose response was a replay. */
export interface RecordedReplay {
  readonly id: number;
  readonly key: string;
  /** When this run first sent the key, by the service's clock. */
  readonly firstSentAt: number;
  /** True if an earlier attempt of this run may have caused the response. */
  readonly afterLostResponse: boolean;
}

interface ContactWrites {
  readonly keys: readonly string[];
  /** When the service last wrote, by its clock. Undefined if no write is known, or if the service shows no time. */
  readonly until: number | undefined;
}

/** Reads and reopens contact and suppression requests in an open run.db. */
export function createReplayJournal(db: DatabaseSync): ReplayJournal {
  return {
    reopenReplays(replays) {
      transaction(db, () => {
        for (const { id } of replays) {
          cachedStatement(db, 'DELETE FROM failures WHERE unit = ?').run(id);
          cachedStatement(db, REOPEN).run(id);
        }
      });
    },
    replays: (batch) =>
      db
        .prepare(REPLAYS)
        .all({ batch: batch ?? null })
        .map(({ id, key, at: time, afterLostResponse }) => ({
          id: Number(id),
          key: String(key),
          firstSentAt: Number(time),
          afterLostResponse: Boolean(afterLostResponse),
        })),
    foreignSuppressionReplays: (name) =>
      db
        .prepare(FOREIGN_SUPPRESSIONS)
        .all({ name })
        .map(({ id }) => ({ id: Number(id) })),
    hasOpenRequests: () => db.prepare(ANY_OPEN).get() !== undefined,
    mayHaveWrittenContacts: () => db.prepare(ANY_WITH_EFFECT).get() !== undefined,
    stateOf(batch) {
      const state = cachedStatement(db, BATCH_STATE).get({ batch });
      return {
        isRecorded: state?.isRecorded === 1,
        mayHaveEffect: state?.mayHaveEffect === 1,
        isOpen: state?.isOpen === 1,
        hasResponse: state?.hasResponse === 1,
      };
    },
    contactWrites: () => {
      const keys = db.prepare(`SELECT key FROM units WHERE kind = 'contacts'`).all();
      const time = db.prepare(`SELECT MAX(answer ->> 'at') AS at FROM units WHERE kind = 'contacts'`).get()?.at;
      return { keys: keys.map(({ key }) => String(key)), until: typeof time === 'number' ? time : undefined };
    },
  };
}

const REOPEN = `
  UPDATE units SET state = 'refused', answer = CASE WHEN answer ->> 'ofOtherRun' THEN '${writeResponse(NO_EFFECT)}' END
  WHERE id = ?`;

// Parts and halves of batch 7 have names such as `7.new` and `7.0.1`.
const OF_BATCH = `kind = 'contacts' AND ($batch IS NULL OR name = $batch OR name GLOB $batch || '.*')`;

const REPLAYS = `
  SELECT id, key, first_sent_at AS at, answer ->> 'ours' AS afterLostResponse FROM units
  WHERE ${OF_BATCH} AND state = 'done' AND answer ->> 'replayed' AND answer ->> 'status' = 200`;

const FOREIGN_SUPPRESSIONS = `
  SELECT id FROM units WHERE kind = 'suppressions' AND (name = $name OR name GLOB $name || '.*')
    AND state = 'done' AND answer ->> 'status' = 200 AND answer ->> 'ofOtherRun'`;

// A refused request is sent again, except after a 400.
const IS_OPEN = `(state IN ('pending', 'doubt') OR (state = 'refused' AND answer ->> 'status' IS NOT 400))`;

const ANY_OPEN = `SELECT 1 FROM units WHERE kind = 'contacts' AND rows > 0 AND ${IS_OPEN} LIMIT 1`;

const MAY_HAVE_EFFECT = `NOT ifnull(answer ->> 'hadNoEffect', 0)`;

const ANY_WITH_EFFECT = `SELECT 1 FROM units WHERE kind = 'contacts' AND ${MAY_HAVE_EFFECT} LIMIT 1`;

// A request that only tests `upsert: false` (`7.upsert.0.17`) writes no row of batch 7, so it does not count. The
// bounds let SQLite use its index of names: '/' is the character after '.'.
const BATCH_STATE = `
  SELECT COUNT(*) > 0 AS isRecorded,
    MAX(${MAY_HAVE_EFFECT}) AS mayHaveEffect,
    MAX(${IS_OPEN}) AS isOpen,
    MAX(name = $batch AND state = 'done' AND answer ->> 'word' IS NOT '${BISECTED}'
      AND NOT (answer ->> 'replayed' AND answer ->> 'status' = 200)) AS hasResponse
  FROM units WHERE kind = 'contacts' AND name NOT GLOB '*.upsert.*'
    AND (name = $batch OR (name > $batch || '.' AND name < $batch || '/'))`;
