/** An address in the form the service keeps: trimmed and lower-cased, nothing else. */
export function canonicalize(email: string): string {
  return email.trim().toLowerCase();
}

const ADDRESS = /^[^\s@<>(),;:\\"[\]]+@[^\s@<>(),;:\\"[\]]+\.[^\s@<>(),;:\\"[\].]+$/u;
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Whether the service takes a canonical address: one `@`, a dotted domain, no blanks or brackets, at most 254 octets. */
export function isAddress(email: string): boolean {
  const domain = email.slice(email.indexOf('@') + 1);
  const dots = domain.startsWith('.') || domain.includes('..');
  return ADDRESS.test(email) && !CONTROL.test(email) && !dots && Buffer.byteLength(email) <= 254;
}
