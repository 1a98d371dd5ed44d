import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { LIMITS } from '../../wire/limits.ts';
import { createRefusal, invalidRequest, type Refusal } from '../protocol/envelope.ts';
import type { RequestHead, ServiceRequest } from '../protocol/request-response.ts';
import type { Store } from '../store/store.ts';

/**
 * What identifies a request with an idempotency key: the owner of the key (`scope`), the key, and a fingerprint of
 * method, path and body. Two requests are the same if all three are equal.
 */
export interface RequestIdentity {
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: Uint8Array;
}

/** The stored response of a finished request. */
export interface StoredResponse {
  readonly status: number;
  readonly body: Buffer;
}

interface ClaimRow {
  readonly seq: number;
  readonly fingerprint: Uint8Array;
  readonly state: 'held' | 'done';
  readonly status: number;
  readonly body: Uint8Array;
  readonly claimed_at: number;
  readonly created_at: number;
}

/** The used idempotency keys and their stored responses (service document, "Idempotency" under Limits). */
export interface Claims {
  /**
   * The stored response for a key. Undefined if the request must run: the key is new, it is older than 24 hours, or a
   * request claimed it at least 5 minutes ago and never finished. Throws 409 `idempotency_conflict` if a different
   * request used the key, or while an earlier request with the key runs. The caller must be in the transaction that
   * runs the request, because another process may use the same store.
   */
  find(identity: RequestIdentity): StoredResponse | undefined;
  /** Claims the key for a request that takes some time, so that a repeat does not run meanwhile. */
  block(identity: RequestIdentity): void;
  complete(identity: RequestIdentity, response: StoredResponse): void;
  /** Forgets the key, so that a repeat runs. */
  release(identity: RequestIdentity): void;
}

/** Opens the claims of a store. `now` returns the time in milliseconds. */
export function createClaims(store: Store, now: () => number): Claims {
  const pack = createPacker();
  const write = (identity: RequestIdentity, state: string, response: StoredResponse | undefined) => {
    const { scope, key, fingerprint } = identity;
    const createdAt = lookUp(store, identity)?.created_at ?? now();
    const body = response === undefined ? null : pack(response.body);
    store.run(PUT_CLAIM, scope, key, fingerprint, state, response?.status ?? null, body, now(), createdAt);
  };
  const release = ({ scope, key }: RequestIdentity) => {
    store.run('delete from claims where scope = ? and key = ?', scope, key);
  };
  return {
    find(identity) {
      purge(store, now());
      const claim = lookUp(store, identity);
      if (claim === undefined || !isClaimExpired(claim, now())) {
        return claim && storedResponse(claim, identity, now());
      }
      // The key is older than 24 hours, so this counts as a new request.
      release(identity);
      return undefined;
    },
    block: (identity) => write(identity, 'held', undefined),
    complete: (identity, response) => write(identity, 'done', response),
    release,
  };
}

/** Throws 400 if a POST has an `Idempotency-Key` of more than 255 characters. */
export function assertKeyLength(request: RequestHead): void {
  if (keyOf(request).length > LIMITS.idempotencyKeyLength) {
    throw invalidRequest(
      `Idempotency-Key must be ${LIMITS.idempotencyKeyLength} characters or fewer.`,
      'Idempotency-Key',
    );
  }
}

/** The identity of a POST with an `Idempotency-Key`. Undefined without this header, and for other methods. */
export function readIdentity(request: ServiceRequest, scope: string): RequestIdentity | undefined {
  const key = keyOf(request);
  if (key === '') {
    return undefined;
  }
  const { method, path, body } = request;
  // A cryptographic hash would take a thirtieth of the time that a batch needs. CRC-32 is enough, because the emulator
  // only compares two requests with one key. It finds each change within four bytes, and misses one of four billion
  // other changes.
  const fingerprint = Buffer.from(`${body.length} ${crc32(body)} ${method} ${path}`);
  return { scope, key, fingerprint };
}

/** The idempotency key of a POST. Empty if it has none, and for other methods. */
export function keyOf({ method, headers }: RequestHead): string {
  return method === 'POST' ? (headers['idempotency-key'] ?? '') : '';
}

const PUT_CLAIM = `insert or replace into claims (scope, key, fingerprint, state, status, body, claimed_at, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?)`;

function lookUp(store: Store, { scope, key }: RequestIdentity): ClaimRow | undefined {
  return store.get<ClaimRow>('select * from claims where scope = ? and key = ?', scope, key);
}

function isClaimExpired(claim: Pick<ClaimRow, 'created_at'>, now: number): boolean {
  return now - claim.created_at >= LIMITS.idempotencyReplayMs;
}

function storedResponse(claim: ClaimRow, identity: RequestIdentity, now: number): StoredResponse | undefined {
  if (!Buffer.from(claim.fingerprint).equals(identity.fingerprint)) {
    throw createRefusal(409, 'idempotency_conflict', 'This Idempotency-Key was used with a different request.');
  }
  if (claim.state === 'done') {
    return { status: claim.status, body: unpack(claim.body) };
  }
  if (now - claim.claimed_at < LIMITS.idempotencyClaimMs) {
    throw requestInProgressRefusal();
  }
  return undefined;
}

/** The error for a request that arrives while an earlier request with the same key runs. */
export function requestInProgressRefusal(): Refusal {
  return createRefusal(409, 'idempotency_conflict', 'A request with this Idempotency-Key is still in progress.');
}

// Looks at the four oldest claims, and deletes those that have expired. Each request with a key does this, so that the
// table does not grow without end.
function purge(store: Store, now: number): void {
  const oldest = store.all<ClaimRow>('select seq, created_at from claims order by seq limit 4');
  for (const claim of oldest) {
    if (isClaimExpired(claim, now)) {
      store.run('delete from claims where seq = ?', claim.seq);
    }
  }
}

const RAW = 0;
const DEFLATED = 1;
const WORTH_DEFLATING = 512;

/**
 * Returns a function that packs the body of a response: it compresses a body that is large enough. It keeps its last
 * result, because the batches of a new list all get the same response.
 */
function createPacker(): (body: Buffer) => Buffer {
  let last: { readonly body: Buffer; readonly packed: Buffer } = { body: Buffer.alloc(0), packed: Buffer.of(RAW) };
  return (body) => {
    if (!body.equals(last.body)) {
      const shouldDeflate = body.length > WORTH_DEFLATING;
      const bytes = shouldDeflate ? deflateRawSync(body, { level: 1 }) : body;
      last = { body, packed: Buffer.concat([Buffer.of(shouldDeflate ? DEFLATED : RAW), bytes]) };
    }
    return last.packed;
  };
}

function unpack(packed: Uint8Array): Buffer {
  const bytes = packed.subarray(1);
  return packed[0] === DEFLATED ? inflateRawSync(bytes) : Buffer.from(bytes);
}
