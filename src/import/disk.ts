import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { SNIFF_BYTES } from './sniff.ts';
import { inputUnreadable } from './unreadable.ts';

const CHUNK_BYTES = 64 * 1024;

/** A file on disk and how messages name it. */
export interface DiskFile {
  readonly place: string;
  readonly label: string;
}

/** The bytes of a file from its start; a piece is good until the next is asked for. Throws SvcError `input_unreadable`. */
export async function* fileBytes({ place, label }: DiskFile): AsyncGenerator<Buffer> {
  try {
    const handle = await open(place);
    try {
      yield* pieces(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw readError(error, label);
  }
}

// Two buffers in turn: while one is looked at, the other is filled. A stream would make a new one for every piece.
async function* pieces(handle: FileHandle): AsyncGenerator<Buffer> {
  let [piece, next] = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)];
  let reading = handle.read(piece, 0, CHUNK_BYTES, null);
  try {
    for (let { bytesRead } = await reading; bytesRead > 0; { bytesRead } = await reading) {
      reading = handle.read(next, 0, CHUNK_BYTES, null);
      yield piece.subarray(0, bytesRead);
      [piece, next] = [next, piece];
    }
  } finally {
    // The file must not be closed under a read.
    await reading.catch(() => undefined);
  }
}

/** The bytes inside a gzip file of one or more members. Throws SvcError `input_unreadable` where it is cut or damaged. */
export async function* gunzipped(file: DiskFile): AsyncGenerator<Buffer> {
  const input = createReadStream(file.place, { highWaterMark: CHUNK_BYTES });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // pipe() keeps errors to itself.
  input.on('error', (error) => gunzip.destroy(error));
  try {
    yield* input.pipe(gunzip);
  } catch (error) {
    throw readError(error, file.label);
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}

/** The first bytes of a file. Throws SvcError `input_unreadable`, for a folder too. */
export async function firstBytes({ place, label }: DiskFile): Promise<Buffer> {
  try {
    const handle = await open(place);
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw readError(error, label);
  }
}

/** The first bytes of what is read piece by piece. */
export async function firstOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) {
    chunks.push(Buffer.from(chunk.subarray(0, SNIFF_BYTES)));
    if (chunks.reduce((sum, { length }) => sum + length, 0) >= SNIFF_BYTES) {
      break;
    }
  }
  return Buffer.concat(chunks);
}

/** A problem of the system while reading, as a sentence with the file's name. Others pass through. */
function readError(error: unknown, label: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = code.startsWith('Z_') ? 'the gzip data is damaged or cut off' : WHY[code];
  return why === undefined && !/^E[A-Z]+$/.test(code)
    ? error
    : inputUnreadable(label, why ?? `can't be read (${code})`, { hint: HINTS[code] ?? 'Check the file', cause: error });
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'is a folder',
  EACCES: 'you are not allowed to read it',
  EPERM: 'you are not allowed to read it',
};

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'Check the name, for example with ls',
  EISDIR: 'Name the files in it, for example folder/*.csv',
  EACCES: 'Check its permissions, for example with ls -l',
  Z_BUF_ERROR: 'Download the file again',
  Z_DATA_ERROR: 'Download the file again',
};
