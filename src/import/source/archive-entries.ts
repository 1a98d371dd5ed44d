import { closeSync, openSync, readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';

/**
 * What an archive entry is, by its name alone. `table`: svc reads it. `document`: a page or a text, hardly ever a list.
 * `ignored`: a folder, a picture, a file of a file manager or of a program. `unread`: svc does not read it, although it
 * may be a list.
 */
type EntryKind = 'table' | 'document' | 'ignored' | 'unread';

/**
 * The kind of an archive entry, by its name. A name that is not known to be harmless is `unread`, because the entry may
 * be an opt-out list (C4).
 */
export function kindOfEntry(name: string): EntryKind {
  if (OF_FILE_MANAGERS.test(name) || MEDIA.test(name)) {
    return 'ignored';
  }
  if (!isHidden(name) && /\.(?:csv|tsv|txt)$/i.test(name)) {
    return 'table';
  }
  return DOCUMENT.test(name) ? 'document' : 'unread';
}

/** True for an entry whose name, or a folder above it, begins with a dot: `.unsubscribed.csv`. */
export function isHidden(name: string): boolean {
  return /(?:^|\/)\./.test(name);
}

/**
 * True for a page of a site or a mail: `posts/4.unsubscribed.html`. Its name is the title of a text, so an opt-out word
 * in this name says nothing about people.
 */
export function isPage(name: string): boolean {
  return DOCUMENT.test(name) && /(?:^|\/)(?:posts|broadcasts|templates|campaigns|pages)\//i.test(name);
}

const OF_FILE_MANAGERS =
  /\/$|(?:^|\/)(?:__MACOSX|\.git|\.svn|\.Spotlight-V100|\.Trashes|\.fseventsd|\.TemporaryItems)\/|(?:^|\/)(?:\._[^/]*|\.DS_Store|\.localized|\.git(?:ignore|keep|attributes)|\.htaccess|\.editorconfig|Thumbs\.db|ehthumbs\.db|desktop\.ini|Icon\r)$/i;
const MEDIA =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|heic|eps|psd|ai|mp[34]|m4[av]|mov|avi|webm|wav|ogg|css|scss|less|m?js|ts|map|woff2?|ttf|otf|eot|asc|sig|md5|sha1|sha256)$/i;
const DOCUMENT =
  /\.(?:x?html?|mjml|md|markdown|rst|rtf|pdf|docx?|odt|pages|pptx?|odp|key|url|webloc|lnk)$|(?:^|\/)(?:readme|licen[cs]e|copying|changelog|authors|notice)$/i;

/** The limits for entries in memory: the size of all of them together, and the size of one. */
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
const MAX_ENTRY_BYTES = 64 * 1024;

/**
 * Reads the small entries of an archive into memory, because an archive can have thousands of them and svc reads each
 * several times. An irregular entry, such as a damaged one, is left out: svc then reads it in the ordinary way, which
 * reports the problem.
 */
export function readSmallEntries(diskPath: string, entries: readonly Entry[]): ReadonlyMap<Entry, Buffer> {
  let room = MAX_TOTAL_BYTES;
  const chosen = entries.filter(({ uncompressedSize }) => {
    const fits = uncompressedSize <= Math.min(room, MAX_ENTRY_BYTES);
    room -= fits ? uncompressedSize : 0;
    return fits;
  });
  const found = new Map<Entry, Buffer>();
  // All entries share one block of memory. A small buffer for each entry could be part of a larger block, which would
  // then stay in memory too.
  const block = Buffer.allocUnsafeSlow(MAX_TOTAL_BYTES - room);
  let position = 0;
  const fd = openSync(diskPath, 'r');
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
 * How many bytes svc reads for the extra fields that stand before the data of an entry. The directory of the archive
 * does not give their length, but they are usually shorter than this.
 */
const EXTRA_FIELDS = 256;
const [STORED, DEFLATED] = [0, 8];

/** The content of an entry. Undefined if the entry is damaged, or packed in a way that this reader does not know. */
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
