import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/lib/clock.ts';
import { invalid, refuse } from './envelope.ts';
import { ConnectionEnded, LARGEST_BODY, TOO_LARGE } from './request-response.ts';

/** Milliseconds that a client has for its body, and again for the rest of an unwanted one. */
const UPLOAD_MS = 30_000;

/** False if the headers announce no body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** The body of a request as it arrives. */
export interface Upload {
  /**
   * Reads a body of at most 32 MiB. Rejects with a Refusal as soon as it is longer, and frees its memory. Also rejects
   * if it is incomplete after 30 seconds. Rejects with ConnectionEnded if the client hung up.
   */
  read(): Promise<Buffer>;
  /** Reads the rest and drops it. False if it did not end within 30 seconds. */
  drop(): Promise<boolean>;
}

/** The upload of a request. Nothing of it is read yet. */
export function createUpload(request: IncomingMessage, clock: Clock): Upload {
  let late = false;
  const all = async (take: (part: Buffer) => void) => {
    const isWhole = !late && (await consume(request, take, clock));
    late = !isWhole;
    return isWhole;
  };
  return {
    async read() {
      const parts: Buffer[] = [];
      let size = 0;
      const isWhole = await all((part) => {
        size += part.length;
        if (size > LARGEST_BODY) {
          parts.splice(0).forEach(freeMemory);
          throw invalid(TOO_LARGE);
        }
        parts.push(part);
      });
      if (!isWhole) {
        throw request.destroyed
          ? new ConnectionEnded({ kind: 'reset' })
          : refuse(408, 'invalid_request', 'The body did not arrive in time.');
      }
      const body = Buffer.concat(parts);
      parts.forEach(freeMemory);
      return body;
    },
    drop: () => all(freeMemory),
  };
}

/** Frees the memory of a part of the body at once. The garbage collector would let 100 MB of parts accumulate. */
function freeMemory({ buffer, length }: Buffer): void {
  // A part of Node's shared pool may hold other data.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) {
    buffer.transfer(0);
  }
}

/**
 * Passes on the parts of a body. False if it did not end in time or the client hung up; rejects with what `take`
 * throws.
 */
function consume(request: IncomingMessage, take: (part: Buffer) => void, clock: Clock): Promise<boolean> {
  // A body that had arrived whole loses its unread parts when the client hangs up: only a body that was read counts.
  const isWhole = () => request.readableEnded && request.complete;
  if (request.readableEnded || request.destroyed) {
    return Promise.resolve(isWhole());
  }
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const stop = () => {
      over.abort();
      request.pause().off('data', onData).off('end', onEnd).off('close', onEnd);
    };
    const onEnd = () => {
      stop();
      resolve(isWhole());
    };
    const onData = (part: Buffer) => {
      try {
        take(part);
      } catch (error) {
        stop();
        reject(error);
      }
    };
    request.on('data', onData).on('end', onEnd).on('close', onEnd).resume();
    clock.sleep(UPLOAD_MS, over.signal, true).then(
      () => {
        stop();
        resolve(false);
      },
      () => undefined,
    );
  });
}
