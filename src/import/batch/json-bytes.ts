import { MAX_BYTES_PER_UNIT } from '../../base/lib/text.ts';

/** Writes JSON directly as bytes, text after text. The caller must write valid JSON. */
export interface JsonWriter {
  /** Writes a text that is already JSON. */
  writeJson(text: string): void;
  /** Writes bytes that are already JSON, for parts that occur often. */
  writeJsonBytes(bytes: Uint8Array): void;
  writeString(text: string): void;
  /** Writes UTF-8 bytes as a JSON string. Writes nothing and returns false if the string needs escapes. */
  writePlainString(from: Uint8Array, start: number, end: number): boolean;
  /**
   * Returns the bytes written so far, and starts a new text. The bytes are copied into the last buffer of `reusable`,
   * which is removed from there. If there is none, or it is too small, they are copied into new memory.
   */
  take(reusable?: ArrayBuffer[]): Buffer<ArrayBuffer>;
  /** Like `take`, but without copying. The bytes are valid until the next write. */
  borrow(): Uint8Array;
}

// The first size of the buffer. A thousand contacts of a usual list fit into it.
const USUAL_BYTES = 512 * 1024;

/** Makes an empty writer. It avoids strings, because strings would be the largest cost of reading a long list. */
export function createJsonWriter(): JsonWriter {
  let bytes = Buffer.allocUnsafe(USUAL_BYTES);
  let length = 0;
  const makeRoom = (maxBytes: number) => {
    if (length + maxBytes > bytes.length) {
      bytes = Buffer.concat([bytes.subarray(0, length)], 2 * (length + maxBytes));
    }
  };
  const writeJson = (text: string) => {
    makeRoom(MAX_BYTES_PER_UNIT * text.length);
    length += bytes.write(text, length);
  };
  return {
    writeJson,
    writeJsonBytes(from) {
      makeRoom(from.length);
      length = copyBytes(from, bytes, length);
    },
    writeString(text) {
      makeRoom(MAX_BYTES_PER_UNIT * text.length + 2);
      const end = writePlain(text, bytes, length);
      if (end === NOT_PLAIN) {
        writeJson(JSON.stringify(text));
      } else {
        length = end;
      }
    },
    writePlainString(from, start, end) {
      makeRoom(end - start + 2);
      const to = bytes;
      let after = length;
      to[after++] = QUOTE;
      for (let position = start; position < end; position++) {
        const byte = from[position] as number;
        if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH) {
          return false;
        }
        to[after++] = byte;
      }
      to[after++] = QUOTE;
      length = after;
      return true;
    },
    take(reusable) {
      const json = Buffer.from(reusable ? roomFor(length, reusable) : newMemory(length), 0, length);
      bytes.copy(json, 0, 0, length);
      length = 0;
      return json;
    },
    borrow() {
      const json = bytes.subarray(0, length);
      length = 0;
      return json;
    },
  };
}

// Buffers of nearly the same length get memory of the same size, so that they can reuse it.
const MEMORY_STEP = 64 * 1024;

function roomFor(length: number, reusable: ArrayBuffer[]): ArrayBuffer {
  const memory = reusable.pop();
  return memory && memory.byteLength >= length ? memory : newMemory(Math.ceil(length / MEMORY_STEP) * MEMORY_STEP);
}

/** Allocates outside Node's shared pool, because a buffer from that pool can't be transferred to another thread. */
function newMemory(length: number): ArrayBuffer {
  return Buffer.allocUnsafeSlow(length).buffer;
}

// A loop copies a few bytes faster than `set`.
function copyBytes(from: Uint8Array, to: Uint8Array, start: number): number {
  const { length } = from;
  for (let position = 0; position < length; position++) {
    to[start + position] = from[position] as number;
  }
  return start + length;
}

const NOT_PLAIN = -1;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Writes a string as UTF-8 and returns the index after it. Returns NOT_PLAIN if the string needs escapes or has
 * surrogate pairs.
 */
function writePlain(text: string, bytes: Uint8Array, start: number): number {
  const { length } = text;
  let end = start;
  bytes[end++] = QUOTE;
  for (let position = 0; position < length; position++) {
    const unit = text.charCodeAt(position);
    if (unit < 0x80) {
      if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH) {
        return NOT_PLAIN;
      }
      bytes[end++] = unit;
    } else if (unit < 0x800) {
      bytes[end++] = 0xc0 | (unit >> 6);
      bytes[end++] = 0x80 | (unit & 0x3f);
    } else if (unit < 0xd800 || unit > 0xdfff) {
      bytes[end++] = 0xe0 | (unit >> 12);
      bytes[end++] = 0x80 | ((unit >> 6) & 0x3f);
      bytes[end++] = 0x80 | (unit & 0x3f);
    } else {
      return NOT_PLAIN;
    }
  }
  bytes[end++] = QUOTE;
  return end;
}
