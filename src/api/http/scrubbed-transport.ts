import type { Scrub } from '../../base/lib/scrub.ts';
import type { Transport, WireResponse } from '../../base/transport.ts';

/**
 * Removes the API key from every response, request ids and headers included, before any other code reads it (K8). A
 * response without the key passes through byte for byte.
 */
export function scrubbedTransport(transport: Transport, scrub: Scrub): Transport {
  return {
    close: () => transport.close(),
    send: async (request, signal) => scrubResponse(await transport.send(request, signal), scrub),
  };
}

function scrubResponse({ status, headers, body }: WireResponse, scrub: Scrub): WireResponse {
  const clean = Object.entries(headers).map(([name, value]) => [name, scrub(value)] as const);
  return { status, headers: Object.fromEntries(clean), body: scrubBody(body, scrub) };
}

/** Latin-1 preserves every byte, and a key is ASCII. */
function scrubBody(body: Buffer, scrub: Scrub): Buffer {
  const text = body.toString('latin1');
  const plain = ESCAPED.test(text) ? text.replace(ANY_ESCAPE, unescapeCharacter) : text;
  const clean = scrub(plain);
  return clean === plain ? body : Buffer.from(clean, 'latin1');
}

// JSON can escape any character, so a key can be hidden behind escapes.
const ESCAPED = /\\(?:u00[2-7]|\/)/;
// An escape of JSON: of one ASCII character by its code, or of any character.
const ANY_ESCAPE = /\\(?:u00([2-7][0-9a-f])|[\s\S])/gi;

function unescapeCharacter(written: string, hex: string | undefined): string {
  if (hex === undefined) {
    return written === '\\/' ? '/' : written;
  }
  const character = String.fromCharCode(Number.parseInt(hex, 16));
  return '"\\\u007f'.includes(character) ? written : character;
}
