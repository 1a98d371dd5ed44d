import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/lib/clock.ts';
import { createRefusal, invalidRequest } from '../protocol/envelope.ts';
import { ConnectionEnded, MAX_BODY_BYTES, TOO_LARGE_MESSAGE } from '../protocol/request-response.ts';

/**
 * How long a client may take to send its body, in milliseconds. After a refusal, the client has the same time again to
 * send the rest.
 */
const BODY_MS = 30_000;

/**
 * The reason for aborting the timer of a body. Without a reason, Node would make an exception with a stack, which takes
 * 0.1 ms.
 */
const BODY_ENDED = 'the body ended';

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** The body of a request while it arrives. */
export interface IncomingBody {
  /**
   * Reads the body. Rejects with a Refusal if it is larger than 32 MiB or takes more than 30 seconds. Rejects with
   * ConnectionEnded if the client hangs up. Frees the memory of a refused body.
   */
  read(): Promise<Buffer>;
  /** Reads the rest of the body and drops it. Returns false if it did not end within 30 seconds. */
  drop(): Promise<boolean>;
}

/** Makes the reader of a request's body. It reads nothing before `read` or `drop` is called. */
export function createIncomingBody(request: IncomingMessage, clock: Clock): IncomingBody {
  let isLate = false;
  const consumeAll = async (take: (part: Buffer) => void) => {
    const isWhole = !isLate && (await consume(request, take, clock));
    isLate = !isWhole;
    return isWhole;
  };
  return {
    async read() {
      const parts: Buffer[] = [];
      let size = 0;
      const isWhole = await consumeAll((part) => {
        size += part.length;
        if (size > MAX_BODY_BYTES) {
          parts.splice(0).forEach(freeMemory);
          throw invalidRequest(TOO_LARGE_MESSAGE);
        }
        parts.push(part);
      });
      if (!isWhole) {
        throw request.destroyed
          ? new ConnectionEnded({ kind: 'reset' })
          : createRefusal(408, 'invalid_request', 'The body did not arrive in time.');
      }
      const body = Buffer.concat(parts);
      parts.forEach(freeMemory);
      return body;
    },
    drop: () => consumeAll(freeMemory),
  };
}

/**
 * Frees the memory of a part of the body at once. The garbage collector would free it only after 100 MB had gathered.
 */
function freeMemory({ buffer, length }: Buffer): void {
  // A small buffer is a part of Node's shared pool, which has other data too.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) {
    buffer.transfer(0);
  }
}

/**
 * Passes each part of a body to `take`. Returns false if the body did not end in time, or if the client hung up.
 * Rejects with an error that `take` throws.
 */
function consume(request: IncomingMessage, take: (part: Buffer) => void, clock: Clock): Promise<boolean> {
  // If the client hangs up, Node drops parts that are not read yet, even of a complete body. So `complete` alone does
  // not show that all parts were read.
  const isWhole = () => request.readableEnded && request.complete;
  if (request.readableEnded || request.destroyed) {
    return Promise.resolve(isWhole());
  }
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const stop = () => {
      over.abort(BODY_ENDED);
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
    clock.sleep(BODY_MS, over.signal, true).then(
      () => {
        stop();
        resolve(false);
      },
      () => undefined,
    );
  });
}
