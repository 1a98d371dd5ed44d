import { closeSync, openSync, readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';

/** Limits for the entries that are kept in memory: the total size, and the size of one entry. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
const MAX_ENTRY_BYTES = 64 * 1024;

/**
 * Reads the small entries of an archive into memory. An archive may have thousands of them, and svc reads each several
 * times. An irregular entry is left out, so that its ordinary read reports the problem.
 */
export function readSmallEntries(place: string, entries: readonly Entry[]): ReadonlyMap<Entry, Buffer> {
  let room = MAX_TOTAL_BYTES;
  const chosen = entries.filter(({ uncompressedSize }) => {
    const fits = uncompressedSize <= Math.min(room, MAX_ENTRY_BYTES);
    room -= fits ? uncompressedSize : 0;
    return fits;
  });
  const found = new Map<Entry, Buffer>();
  // All entries share one block of memory, because each small buffer would keep a larger block alive.
  const block = Buffer.allocUnsafeSlow(MAX_TOTAL_BYTES - room);
  let position = 0;
  const fd = openSync(place, 'r');
  try {
    for (const entry of chosen) {
      const bytes = contentOf(entry, fd);
      if (bytes !== undefined) {
        bytes.copy(block, position);
        found.set(entry, block.subarray(position, position + bytes.length));
        position += bytes.length;
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
 * How many bytes svc reads for the extra fields before the data of an entry. The directory does not give their length.
 * Extra fields are usually shorter than this.
 */
const EXTRA_FIELDS = 256;
const [STORED, DEFLATED] = [0, 8];

/** The content of an entry. Undefined if anything about it is irregular. */
function contentOf(entry: Entry, fd: number): Buffer | undefined {
  const { compressedSize, uncompressedSize, fileNameLength, relativeOffsetOfLocalHeader } = entry;
  if (compressedSize > 2 * MAX_ENTRY_BYTES) {
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
