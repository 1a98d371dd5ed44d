import type { SvcError } from '../../base/lib/errors.ts';
import { sha256Hex } from '../../base/lib/hash.ts';
import type { ApiError } from '../http/api-error.ts';

/** What svc must write to disk before it sends a request with a new key (I9). */
export interface KeyIntent {
  readonly key: string;
  readonly keyVersion: number;
  /** When the key is first sent, in milliseconds of the service's clock. */
  readonly firstSentAt: number;
}

/** Supplies the keys of a write request, and says what an earlier process did with them. */
export interface KeySource {
  keyForVersion(keyVersion: number): string;
  readonly keyVersion: number;
  /** When an earlier process first sent the key, by the service's clock. Given if the outcome is unknown. */
  readonly firstSentAt: number | undefined;
  readonly outcomeUnknown: boolean | undefined;
  /**
   * Writes the intent to disk. Called before the first byte of each key version, and again if svc uses a key once more
   * after 23 hours. If it throws, nothing is sent (D2).
   */
  beforeNewKey(intent: KeyIntent): void;
  /** Called before each attempt. If it throws, the attempt is not sent. */
  readonly beforeAttempt: (() => Promise<void>) | undefined;
  /**
   * Given for a write that must happen only once, if another machine can make the same key. Called if the service says
   * that the key is in flight although no attempt of this process reached it. Then another machine sent the key, and no
   * resume may send it again (I4).
   */
  readonly noteSentByOtherMachine: (() => void) | undefined;
  /** True if a wait made the last `beforeAttempt` too old. Then svc calls `beforeAttempt` again and sends after it. */
  readonly isStale: (() => boolean) | undefined;
}

/** The keys of a write request to send, and the signal that stops its attempts. */
export interface SendOptions {
  readonly keySource: KeySource;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One POST and all its attempts. A `repeatable` write has the same result when done twice. A `once` write mails a
 * person or creates an object. For `email`, the service promises one message for each key.
 */
export interface WriteRequest<T> extends KeySource {
  /** The path after /v1. */
  readonly segments: readonly string[];
  /** The exact bytes of the body. */
  readonly body: Buffer;
  readonly policy: 'repeatable' | 'once' | 'email';
  /** True if only one attempt may reach the service. After it nothing is sent again, not even with the same key. */
  readonly atMostOnce?: boolean | undefined;
  /**
   * True if the user decided that no earlier request with these keys had an effect. A replayed server error of a `once`
   * write then comes from such a request, so svc goes on with the next key version.
   */
  readonly isStoredErrorHarmless?: boolean | undefined;
  /**
   * True if svc must know the time of the service before it repeats a request of an earlier process with an unknown
   * outcome. The local clock may have been set back since that process sent it.
   */
  readonly needsServerTime?: boolean;
  /**
   * Reads the response. Undefined if it lacks documented fields (O4). `replayed` is true if the service repeated its
   * response.
   */
  parseResponse(json: unknown, replayed: boolean): T | undefined;
  /**
   * True for a response that reports no effect, if the reason may be gone now. A replay of such a response counts as a
   * replayed refusal, so svc goes on with the next key version (I1).
   */
  isCurable?(value: T): boolean;
}

/** How a write request ended. */
export type WriteOutcome<T> =
  | {
      readonly kind: 'accepted';
      readonly value: T;
      readonly status: number;
      readonly replayed: boolean;
      /**
       * True if the response of an earlier attempt was lost. Then a replay may describe that attempt, and a response
       * that is no replay may be a second effect.
       */
      readonly afterLostResponse?: boolean;
      /**
       * True if another process sent the key at the same time. Then a replay may describe a write that was made just
       * now.
       */
      readonly afterConflict?: boolean;
      readonly keyVersion: number;
    }
  | {
      readonly kind: 'refused';
      readonly error: ApiError;
      readonly replayed: boolean;
      readonly keyVersion: number;
      /**
       * True if an earlier attempt of this write may have had an effect, because its response was lost or it is still
       * in flight.
       */
      readonly mayHaveEffect?: boolean;
    }
  /**
   * svc gave up. `outcomeUnknown` is false if no attempt can have had an effect. If the API key stopped working after
   * an attempt with unknown outcome, `cause` has exit 4, and the caller must stop the run. `expired` says why the key
   * can't be repeated: the service replays a stored failure (I2), or too much time has passed (I3, I4).
   */
  | {
      readonly kind: 'gave_up';
      readonly cause: SvcError;
      readonly keyVersion: number;
      readonly outcomeUnknown: boolean;
      readonly expired?: 'stored' | 'time';
      /** How long the service asks to wait, if that is longer than the attempts may take together. */
      readonly retryAfterMs?: number;
    }
  /** The wait would be longer than --max-wait allows. `resumeAt` is a time of the local clock. */
  | { readonly kind: 'later'; readonly resumeAt: number; readonly keyVersion: number; readonly outcomeUnknown: boolean }
  | { readonly kind: 'interrupted'; readonly keyVersion: number; readonly outcomeUnknown: boolean };

/** The parts of a content key. The key has only hashes of destination and body: no names, addresses, paths (I8). */
export interface ContentKeyParts {
  /** The word for the kind of request: `contacts`, `canary`, `upsert`, `suppressions` or `enroll`. */
  readonly op: string;
  /** The origin, and the audience or automation if there is one. */
  readonly destination: readonly string[];
  /** The exact bytes sent. */
  readonly body: Buffer;
  /**
   * The key version, from 0 to 9. It grows if the service replays a response whose cause can be removed (I1). It also
   * grows after a replayed server error, if the write is repeatable or the user decided that the error is harmless
   * (I2).
   */
  readonly keyVersion: number;
  /** Random hex digits, so that the same content gets a new key. The journal records them. */
  readonly keySuffix?: string | undefined;
}

/**
 * The idempotency key of a repeatable write or an enrollment, at most 80 characters of `[a-z0-9.]`. Without
 * `keySuffix`, the same bytes to the same destination give the same key on every machine. Other bytes never give the
 * same key.
 */
export function contentKey({ op, destination, body, keyVersion, keySuffix }: ContentKeyParts): string {
  const mark = keySuffix === undefined ? '' : `a${keySuffix}.`;
  return `svc1.${op}.${shortHash(destination.join('\n'))}.${shortHash(body)}.${mark}g${keyVersion}`;
}

/** True if a content key has no random part. Other runs with the same content send the same key. */
export function isSharedKey(key: string): boolean {
  return key.split('.').length === SHARED_PARTS;
}

/** The idempotency key of a creation or a transactional email. The journal records its 24 random hex digits. */
export function creationKey(op: string, random24: string, keyVersion: number): string {
  return keyVersion === 0 ? `svc1.${op}.${random24}` : `svc1.${op}.${random24}.g${keyVersion}`;
}

const SHARED_PARTS = 5;

function shortHash(data: string | Buffer): string {
  return sha256Hex(data).slice(0, 16);
}
