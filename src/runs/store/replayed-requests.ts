import type { DatabaseSync } from 'node:sqlite';
import { cachedStatement, transaction } from '../../base/os/sqlite.ts';

/**
 * The contact requests of a run whose responses are replays. Also the writes of this run that other runs must know
 * (I7).
 */
export interface ReplayJournal {
  /**
   * The accepted contact requests whose response is a replay. With `batch`, only the requests of this batch and its
   * parts.
   */
  replays(batch?: string): RecordedReplay[];
  /**
   * True if a contact request with rows must still be sent, or sent again. With `batch`, looks only at the requests of
   * this batch and its parts.
   */
  hasOpenRequests(batch?: string): boolean;
  /**
   * True if this batch or a part of it was sent and may have had an effect. False if the service refused all requests,
   * and certainly no attempt had one.
   */
  mayHaveEffect(batch: string): boolean;
  /** Makes these replays count as not sent: they had no effect, so the next send uses another key. */
  reopenReplays(replays: readonly RecordedReplay[]): void;
  /** The keys of all contact requests, and the time of the latest contact write by the service's clock. */
  contactWrites(): ContactWrites;
}

/** A contact request that was answered with a replay. */
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
  /** The time of the latest write, by the service. Undefined if no write is known, or if the service shows no time. */
  readonly until: number | undefined;
}

/** Reads and reopens contact requests in an open run.db. */
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
    mayHaveEffect: (batch) => db.prepare(WITH_EFFECT).get({ batch }) !== undefined,
    hasOpenRequests: (batch) => db.prepare(OPEN).get({ batch: batch ?? null }) !== undefined,
    contactWrites: () => {
      const keys = db.prepare(`SELECT key FROM units WHERE kind = 'contacts'`).all();
      const time = db.prepare(`SELECT MAX(answer ->> 'at') AS at FROM units WHERE kind = 'contacts'`).get()?.at;
      return { keys: keys.map(({ key }) => String(key)), until: typeof time === 'number' ? time : undefined };
    },
  };
}

const REOPEN = `UPDATE units SET state = 'refused', answer = NULL WHERE id = ?`;

// The parts of batch 7 have names such as `7.0.1` and `7.new`.
const OF_BATCH = `kind = 'contacts' AND ($batch IS NULL OR name = $batch OR name GLOB $batch || '.*')`;

const REPLAYS = `
  SELECT id, key, first_sent_at AS at, answer ->> 'ours' AS afterLostResponse FROM units
  WHERE ${OF_BATCH} AND state = 'done' AND answer ->> 'replayed' AND answer ->> 'status' = 200`;

const WITH_EFFECT = `
  SELECT 1 FROM units WHERE ${OF_BATCH} AND rows > 0
    AND NOT (state = 'refused' AND ifnull(answer ->> 'hadNoEffect', 0)) LIMIT 1`;

// Only after a 400 is a refused request not sent again.
const OPEN = `
  SELECT 1 FROM units WHERE ${OF_BATCH} AND rows > 0
    AND (state IN ('pending', 'doubt') OR (state = 'refused' AND answer ->> 'status' IS NOT 400)) LIMIT 1`;
