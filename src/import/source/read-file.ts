import { createHash } from 'node:crypto';
import { constants, createReadStream, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { createGunzip, Gunzip } from 'node:zlib';
import { bytesAfterGzipError, damagedCopyError, toReadError } from './input-errors.ts';

/** How many bytes are parsed at once. V8 frees small buffers sooner than large ones. */
const CHUNK_BYTES = 64 * 1024;
/**
 * How many bytes one read takes while rows are parsed. The reads are small, because svc notices only at the next read
 * that a file was truncated.
 */
const READ_BYTES = 128 * 1024;
/** How many bytes one read takes if a file is only hashed or copied. */
const LARGE_READ_BYTES = 1024 * 1024;

/** A file on disk (`diskPath`), and its name in messages (`label`). */
export interface DiskFile {
  readonly diskPath: string;
  readonly label: string;
  /** True for svc's own copy of an input. If it can't be read, the state folder is damaged. */
  readonly isCopy?: boolean | undefined;
  /** The size of a copy in bytes. A copy of another size is damaged: its rows are not the user's list. */
  readonly size?: number | undefined;
  /** Throws `input_changed` if the file changed since the run began. Called before and after each read. */
  readonly check?: (() => Promise<void>) | undefined;
}

/** Runs `work` on a file, and calls `check` of the file before and after it. */
export async function withChecks<T>(file: DiskFile, work: () => T | Promise<T>): Promise<T> {
  await file.check?.();
  try {
    return await work();
  } finally {
    await file.check?.();
  }
}

/** Yields what `read` reads. Calls `check` of the file before and after, also if the caller stops reading early. */
export async function* checkedBytes<T = Buffer>(
  file: DiskFile,
  read: () => AsyncIterable<T> | Iterable<T>,
): AsyncGenerator<T> {
  await file.check?.();
  try {
    yield* read();
  } finally {
    await file.check?.();
  }
}

/**
 * Yields the bytes of a file. Use each buffer before asking for the next one, which overwrites it. Throws SvcError
 * `input_unreadable`, or `state_damaged` for a damaged copy.
 */
export async function* fileBytes(file: DiskFile): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    const handle = await open(file.diskPath);
    try {
      for await (const buffer of readAlternately(handle, READ_BYTES)) {
        size += buffer.length;
        for (let position = 0; position < buffer.length; position += CHUNK_BYTES) {
          yield buffer.subarray(position, position + CHUNK_BYTES);
        }
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw toReadError(error, file);
  }
  if (file.size !== undefined && size !== file.size) {
    throw damagedCopyError(file.label, `has ${size} bytes instead of ${file.size}`);
  }
}

/**
 * Yields the bytes of an open file in large buffers, and leaves the file open. Use each buffer before asking for the
 * next one, which overwrites it. Throws SvcError `input_unreadable`.
 */
export async function* handleBytes(handle: FileHandle, file: DiskFile): AsyncGenerator<Buffer> {
  try {
    yield* readAlternately(handle, LARGE_READ_BYTES);
  } catch (error) {
    throw toReadError(error, file);
  }
}

/**
 * Yields the bytes of a named pipe until its last writer closes it. It reads the pipe as a socket, because no signal
 * can stop a blocking read of a file. Throws the reason of the signal, or SvcError `input_unreadable`.
 */
export async function* pipeBytes(file: DiskFile, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    const fd = openSync(file.diskPath, constants.O_RDONLY | constants.O_NONBLOCK);
    yield* new Socket({ fd, signal, readable: true, writable: false });
  } catch (error) {
    signal.throwIfAborted();
    throw toReadError(error, file);
  }
}

/** Opens a file for reading. Throws SvcError `input_unreadable`. */
export async function openHandle(file: DiskFile): Promise<FileHandle> {
  try {
    return await open(file.diskPath);
  } catch (error) {
    throw toReadError(error, file);
  }
}

/** The SHA-256 of a file in hex, and its size in bytes. Throws SvcError `input_unreadable`. */
export async function hashFile(file: DiskFile): Promise<{ readonly sha256: string; readonly size: number }> {
  const handle = await openHandle(file);
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const buffer of handleBytes(handle, file)) {
      hash.update(buffer);
      size += buffer.length;
    }
    return { sha256: hash.digest('hex'), size };
  } finally {
    await handle.close();
  }
}

// Yields the bytes of a file, in parts. Two buffers take turns: one is filled while the caller uses the other. So svc
// allocates no new buffer for each read, unlike a stream.
async function* readAlternately(handle: FileHandle, length: number): AsyncGenerator<Buffer> {
  let [buffer, next] = [Buffer.allocUnsafe(length), Buffer.allocUnsafe(length)];
  let reading = readAhead(handle, buffer);
  try {
    for (let { bytesRead } = await reading; bytesRead > 0; { bytesRead } = await reading) {
      reading = readAhead(handle, next);
      yield buffer.subarray(0, bytesRead);
      [buffer, next] = [next, buffer];
    }
  } finally {
    // The caller closes the file next, so a running read must end first.
    await reading.catch(() => undefined);
  }
}

/**
 * Starts a read. The caller gets an error of the read when it awaits the read. If the read fails before that, the empty
 * handler keeps Node from ending the process because of an unhandled rejection.
 */
function readAhead(handle: FileHandle, into: Buffer) {
  const reading = handle.read(into, 0, into.length, null);
  reading.catch(() => undefined);
  return reading;
}

/**
 * The unpacked bytes of a gzip file of one or more parts. Zero bytes may fill up the end of the file, and Node ends
 * there without an error. Throws SvcError `input_unreadable` if the file is damaged, or if other bytes follow the zero
 * bytes.
 */
export async function* gunzippedBytes(file: DiskFile): AsyncGenerator<Buffer> {
  const input = createReadStream(file.diskPath, { highWaterMark: CHUNK_BYTES });
  const stream = createGunzip({ chunkSize: CHUNK_BYTES });
  // `pipe` does not pass an error of `input` on to `stream`.
  input.on('error', (error) => stream.destroy(error));
  // Node ends the stream at the first zero byte. So svc passes no further piece of the file on: it would be an error,
  // or change the count of bytes.
  let end = 0;
  stream.push = (part: unknown) => {
    if (part === null) {
      input.unpipe(stream);
      end = stream.bytesWritten;
    }
    return Gunzip.prototype.push.call(stream, part);
  };
  try {
    yield* input.pipe(stream);
    await refuseBytesFrom(file, end);
  } catch (error) {
    throw toReadError(error, file);
  } finally {
    input.destroy();
    stream.destroy();
  }
}

async function refuseBytesFrom(file: DiskFile, start: number): Promise<void> {
  for await (const part of createReadStream(file.diskPath, { start, highWaterMark: CHUNK_BYTES })) {
    if (part.some((byte: number) => byte !== 0)) {
      throw bytesAfterGzipError(file);
    }
  }
}
