import { createHmac, timingSafeEqual } from 'node:crypto';

/** The value of the header `Service-Signature`, and the body as it was received. */
interface SignedBody {
  readonly header: string;
  readonly body: Uint8Array;
}

/**
 * The secrets and the time of a receiver. While a secret is replaced by a new one, there are two. Times are in
 * milliseconds.
 */
export interface Receiver {
  readonly secrets: readonly string[];
  readonly now: number;
  readonly toleranceMs: number;
}

/** The result of a signature check. `ageMs` is the age of the signature, negative for a time in the future. */
export type SignatureCheck =
  | { readonly kind: 'verified'; readonly ageMs: number }
  | { readonly kind: 'malformed' | 'no_match' }
  | { readonly kind: 'out_of_tolerance'; readonly ageMs: number };

/**
 * Checks a signature (service document, "Signature"; W4): HMAC-SHA256 over `<t>.<raw body>`. It is valid if any `v1`
 * matches any secret, and if the time `t` is within the tolerance, before or after now. Needs only node:crypto, so that
 * it can be copied into a receiver.
 */
export function verifySignature({ header, body }: SignedBody, receiver: Receiver): SignatureCheck {
  const signature = parseHeader(header);
  if (!signature) {
    return { kind: 'malformed' };
  }
  const matches = receiver.secrets.map((secret) => isSignedBy(secret, signature, body));
  if (!matches.includes(true)) {
    return { kind: 'no_match' };
  }
  const ageMs = receiver.now - Number(signature.t) * 1_000;
  return { kind: Math.abs(ageMs) > receiver.toleranceMs ? 'out_of_tolerance' : 'verified', ageMs };
}

interface Signature {
  /** The time as text, unchanged, because the signature is made over this text. */
  readonly t: string;
  readonly v1: readonly string[];
}

function parseHeader(header: string): Signature | undefined {
  const parts = header.split(',').map((part) => part.trim());
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [t, another] = valuesOf('t');
  const v1 = valuesOf('v1');
  const isTime = t !== undefined && another === undefined && /^\d{1,12}$/.test(t);
  return isTime && v1.length > 0 ? { t, v1 } : undefined;
}

function isSignedBy(secret: string, { t, v1 }: Signature, body: Uint8Array): boolean {
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest();
  // Compares with every signature, so that the time this takes does not show which one matched.
  return v1.map((hex) => isSameSignature(expected, hex)).includes(true);
}

/**
 * True if the hex text stands for the expected bytes. Compares in constant time. Checks the hex first, because
 * `Buffer.from` drops everything after a wrong character.
 */
function isSameSignature(expected: Buffer, hex: string): boolean {
  const given = /^[0-9a-f]{64}$/i.test(hex) ? Buffer.from(hex, 'hex') : Buffer.alloc(0);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
