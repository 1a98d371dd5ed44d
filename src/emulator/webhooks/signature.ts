import { createHmac } from 'node:crypto';

/** The `Service-Signature` of a raw body: HMAC-SHA256 over `<t>.<body>`, `t` in unix seconds. */
export function sign(secret: string, body: string, nowMs: number): string {
  const t = Math.floor(nowMs / 1_000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}
