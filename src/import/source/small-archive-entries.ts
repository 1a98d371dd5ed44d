import { closeSync, openSync, readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';

/** Room for the bytes of small entries, and the largest one that is held. */
const ROOM = 16 * 1024 * 1024;
const LARGEST = 64 * 1024;

/**
 * The bytes of the small entries of an archive, read in one go: an archive may hold thousands of them, and each is read
 * several times. An entry with any irregularity is left out, so that its ordinary read reports the problem.
 */
export function readSmallEntries(place: string, entries: readonly Entry[]): ReadonlyMap<Entry, Buffer> {
  let room = ROOM;
  const chosen = entries.filter(({ uncompressedSize }) => {
    const fits = uncompressedSize <= Math.min(room, LARGEST);
    room -= fits ? uncompressedSize : 0;
    return fits;
  });
  const found = new Map<Entry, Buffer>();
  // One block for all entries. A small buffer for each would keep a larger block in memory.
  const block = Buffer.allocUnsafeSlow(ROOM - room);
  let at = 0;
  const fd = openSync(place, 'r');
  try {
    for (const entry of chosen) {
      const bytes = contentOf(entry, fd);
      if (bytes !== undefined) {
        bytes.copy(block, at);
        found.set(entry, block.subarray(at, at + bytes.length));
        at += bytes.length;
      }
    }
  } finally {
    closeSync(fd);
  }
  return found;
}

const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_SIZE = 30;
/**
 * Room for the extra fields before the data. They differ from those in the directory, and are usually shorter than
 * this.
 */
const EXTRA_FIELDS = 256;
const [STORED, DEFLATED] = [0, 8];

/** The content of an entry; undefined where anything about it is irregular. */
function contentOf(entry: Entry, fd: number): Buffer | undefined {
  const { compressedSize, uncompressedSize, fileNameLength, relativeOffsetOfLocalHeader } = entry;
  if (compressedSize > 2 * LARGEST) {
    return undefined;
  }
  const part = Buffer.allocUnsafe(LOCAL_HEADER_SIZE + fileNameLength + EXTRA_FIELDS + compressedSize);
  const size = readSync(fd, part, 0, part.length, relativeOffsetOfLocalHeader);
  if (size < LOCAL_HEADER_SIZE || part.readUInt32LE(0) !== LOCAL_HEADER) {
    return undefined;
  }
  const from = LOCAL_HEADER_SIZE + part.readUInt16LE(26) + part.readUInt16LE(28);
  const data = part.subarray(from, from + compressedSize);
  if (from + compressedSize > size) {
    return undefined;
  }
  const content = unpackEntry(data, entry);
  return content?.length === uncompressedSize && crc32(content) === entry.crc32 ? content : undefined;
}

function unpackEntry(data: Buffer, { compressionMethod, uncompressedSize }: Entry): Buffer | undefined {
  if (compressionMethod !== DEFLATED) {
    return compressionMethod === STORED ? data : undefined;
  }
  try {
    const limits = { maxOutputLength: uncompressedSize, chunkSize: Math.max(64, uncompressedSize) };
    return inflateRawSync(data, limits);
  } catch {
    return undefined;
  }
}
