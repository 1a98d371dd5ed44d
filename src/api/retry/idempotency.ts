import { sha256Hex } from '../../base/hash.ts';

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
