import type { SvcError } from '../../base/lib/errors.ts';
import { sha256Hex } from '../../base/lib/hash.ts';
import type { ApiError } from '../api-error.ts';

/** What the journal must hold before the first byte of a key goes out (rule I9). */
export interface Intent {
  readonly key: string;
  readonly generation: number;
  /** Milliseconds by the service's clock. */
  readonly firstSentAt: number;
}

/** How a unit is keyed, and how it was left by an earlier process. */
export interface Keyed {
  keyAt(generation: number): string;
  readonly generation: number;
  /** Where an earlier process left the unit in doubt: when it first sent the key, by the service's clock. */
  readonly firstSentAt?: number | undefined;
  readonly inDoubt?: boolean | undefined;
  /**
   * Writes the intent to disk; called synchronously right before the first byte of each generation, and again where a
   * key is used anew after its 24 hours. What it throws ends the unit with nothing sent (rule D2).
   */
  beforeKey(intent: Intent): void;
}

/**
 * One POST and all its attempts. `repeatable` may be written twice without harm, `once` mails a person or makes a unique
 * thing, `email` is promised to be sent once however often it is repeated.
 */
export interface WriteRequest<T> extends Keyed {
  /** Path after /v1. */
  readonly segments: readonly string[];
  /** The exact bytes of the body. */
  readonly body: Buffer;
  readonly policy: 'repeatable' | 'once' | 'email';
  /** Not even the same key is sent again after an attempt that may have reached the service. */
  readonly atMostOnce?: boolean | undefined;
  /** Reads the answer; undefined when it lacks what the service promises (rule O4). */
  read(json: unknown): T | undefined;
  /** True for an answer that did nothing and whose cause may be gone by now: its replay is treated as a refusal's (rule I1). */
  isCurable?(value: T): boolean;
}

/** How a unit ended. */
export type UnitOutcome<T> =
  | {
      readonly kind: 'answered';
      readonly value: T;
      readonly status: number;
      readonly replayed: boolean;
      /** True after an attempt of this unit whose answer was lost: a replay may tell of it, a fresh answer may come on top of it. */
      readonly ours?: boolean;
      readonly generation: number;
      readonly requestId: string | undefined;
    }
  | { readonly kind: 'refused'; readonly error: ApiError; readonly replayed: boolean; readonly generation: number }
  /**
   * Gave up. `inDoubt`: false where no attempt can have reached the service or had an effect. `cause` is an ApiError with
   * exit 4 where the key stopped working after an attempt in doubt: stop the run, and keep the doubt. `over`: why this
   * key can't be asked again: the service stored its failure and repeats it (rule I2), or the time is up (rules I3, I4).
   */
  | {
      readonly kind: 'doubt';
      readonly cause: SvcError;
      readonly generation: number;
      readonly inDoubt: boolean;
      readonly over?: 'stored' | 'time';
    }
  /** Waiting on would pass --max-wait. `resumeAt` is local time. */
  | { readonly kind: 'later'; readonly resumeAt: number; readonly generation: number; readonly inDoubt: boolean }
  | { readonly kind: 'interrupted'; readonly generation: number; readonly inDoubt: boolean };

/** What a content key is made of. The key holds hashes only: no names, addresses or paths (rule I8). */
export interface KeyParts {
  /** `contacts`, `suppressions` or `enroll`. */
  readonly op: string;
  /** Origin, and audience or automation where there is one. */
  readonly destination: readonly string[];
  /** The exact bytes sent. */
  readonly body: Buffer;
  /** 0 to 9; moves on only over replayed refusals (rule I1). */
  readonly generation: number;
  /** Random hex of `--again`, journaled by the run: the same content becomes a new request, on purpose. */
  readonly again?: string | undefined;
}

/**
 * The idempotency key of a repeatable unit or an enrolment: the same bytes to the same place make the same key on any
 * machine, and another body can never meet an old key. At most 80 characters of `[a-z0-9.]`.
 */
export function contentKey({ op, destination, body, generation, again }: KeyParts): string {
  const mark = again === undefined ? '' : `a${again}.`;
  return `svc1.${op}.${short(destination.join('\n'))}.${short(body)}.${mark}g${generation}`;
}

/** The idempotency key of a creation or a transactional email, around 24 random hex characters that are journaled. */
export function creationKey(op: string, random24: string, generation = 0): string {
  return generation === 0 ? `svc1.${op}.${random24}` : `svc1.${op}.${random24}.g${generation}`;
}

function short(data: string | Buffer): string {
  return sha256Hex(data).slice(0, 16);
}
