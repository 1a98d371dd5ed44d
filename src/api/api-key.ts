import type { Transport, WireResponse } from '../base/context.ts';
import { EXIT, SvcError } from '../base/lib/errors.ts';
import { sha256Hex } from '../base/lib/hash.ts';
import type { Scrub } from '../base/lib/scrub.ts';
import { TEST_KEY_PREFIX } from '../wire/service-words.ts';

/**
 * Returns the API key without blanks around it. Throws before any request if the key is empty, is a test key or is
 * longer than a header may be. Also throws for a blank inside the key, and for any character that is not printable
 * ASCII. The service document shows no format of live keys, so svc checks nothing else (K1). The error never shows the
 * key.
 */
export function checkApiKey(text: string): string {
  const key = text.trim();
  if (key === '') {
    throw keyError('missing_api_key', 'no API key', 'set SVC_API_KEY or --api-key-file');
  }
  if (key.startsWith(TEST_KEY_PREFIX)) {
    throw keyError('test_keys_not_supported', `keys that start with ${TEST_KEY_PREFIX} are not supported`, LIVE_KEY);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw keyError(
      'invalid_api_key',
      'the API key contains spaces or characters that are not allowed in a header',
      LIVE_KEY,
    );
  }
  if (key.length > LONGEST_KEY) {
    throw keyError('invalid_api_key', 'the API key has more characters than a header holds', LIVE_KEY);
  }
  return key;
}

const LONGEST_KEY = 8000;

/** The first 16 hex digits of the SHA-256 of a key. They identify the key without showing it. */
export function apiKeyFingerprint(key: string): string {
  return sha256Hex(key).slice(0, 16);
}

const LIVE_KEY = 'use a live key, created in the app';

function keyError(code: string, message: string, hint: string): SvcError {
  return new SvcError(EXIT.auth, code, message, { hint });
}

/**
 * Removes the API key from every response, including its headers and request id, before any other code reads the
 * response (K8). A response without the key stays the same, byte for byte.
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

/**
 * Returns the body without the key. Searches it as Latin-1 text, which keeps every byte. This search finds every key,
 * because a key is ASCII.
 */
function scrubBody(body: Buffer, scrub: Scrub): Buffer {
  const text = body.toString('latin1');
  const plain = ESCAPED.test(text) ? text.replace(ANY_ESCAPE, unescapeCharacter) : text;
  const clean = scrub(plain);
  return clean === plain ? body : Buffer.from(clean, 'latin1');
}

// JSON can escape any character: `\u0061` is `a`. So escapes are decoded before svc searches for the key.
const ESCAPED = /\\(?:u00[2-7]|\/)/;
// Matches one JSON escape. The group has the code of an ASCII character. It is undefined for any other escape.
const ANY_ESCAPE = /\\(?:u00([2-7][0-9a-f])|[\s\S])/gi;

/**
 * Decodes one escape. Keeps the escapes of quotes and backslashes, because JSON needs them. Keeps the escape of DEL
 * too, because no key contains DEL.
 */
function unescapeCharacter(written: string, hex: string | undefined): string {
  if (hex === undefined) {
    return written === '\\/' ? '/' : written;
  }
  const character = String.fromCharCode(Number.parseInt(hex, 16));
  return '"\\\u007f'.includes(character) ? written : character;
}
