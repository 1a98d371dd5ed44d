import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { SvcError } from '../../base/lib/errors.ts';
import { kindOfEntry, readSmallEntries } from './archive-entries.ts';
import { badArchiveError, notCsvError, toReadError } from './input-errors.ts';
import { checkedBytes, type DiskFile, withChecks } from './read-file.ts';

/**
 * One table in an archive. `bytes` streams its content, and throws if size or checksum differ from those in the
 * archive.
 */
interface ArchiveTable {
  readonly entry: string;
  readonly size: number;
  /** Names of archive entries that svc does not read, although they may contain a list, such as documents. */
  readonly unread: readonly string[];
  /** Names of archive entries that are tables by their name, but have no content. */
  readonly empty: readonly string[];
  bytes(): AsyncIterable<Buffer>;
}

/**
 * The tables of a ZIP file, in the order of its directory. No table is unpacked to disk. Throws SvcError `not_csv` for
 * a workbook, and `bad_archive` for an archive that is unsafe to read or has no table (K6).
 */
export async function listArchive(file: DiskFile): Promise<ArchiveTable[]> {
  const entries = await readDirectory(file);
  const workbook = workbookIn(entries.map(({ fileName }) => fileName));
  if (workbook) {
    throw notCsvError(file.label, workbook);
  }
  const tables = entries.filter(({ fileName }) => kindOfEntry(fileName) === 'table');
  const unread = entries.filter(mayBeList).map(({ fileName }) => fileName);
  for (const table of tables) {
    const why = faultOf(table);
    if (why !== undefined) {
      throw badArchiveError(file.label, `${table.fileName} ${why}`);
    }
  }
  const filled = tables.filter(({ uncompressedSize }) => uncompressedSize > 0);
  if (filled.length === 0) {
    throw badArchiveError(file.label, 'the archive has no CSV file, or only empty ones');
  }
  const empty = tables.filter(({ uncompressedSize }) => uncompressedSize === 0).map(({ fileName }) => fileName);
  const small = await readSmall(file, filled);
  return filled.map((entry) => {
    const content = small.get(entry);
    return {
      entry: entry.fileName,
      size: entry.uncompressedSize,
      unread,
      empty,
      bytes: () => checkedBytes(file, () => (content ? [content] : entryBytes(file, entry))),
    };
  });
}

async function readSmall(file: DiskFile, entries: readonly Entry[]): Promise<ReadonlyMap<Entry, Buffer>> {
  try {
    return await withChecks(file, () => readSmallEntries(file.diskPath, entries));
  } catch (error) {
    throw archiveError(file, error);
  }
}

async function readDirectory(file: DiskFile): Promise<Entry[]> {
  const zip = await open(file);
  try {
    return await Array.fromAsync(zip.eachEntry());
  } catch (error) {
    throw archiveError(file, error);
  } finally {
    zip.close();
  }
}

async function* entryBytes(file: DiskFile, entry: Entry): AsyncGenerator<Buffer> {
  const zip = await open(file);
  let sum = 0;
  try {
    for await (const buffer of await zip.openReadStreamPromise(entry)) {
      sum = crc32(buffer, sum);
      yield buffer;
    }
    if (sum !== entry.crc32) {
      throw badArchiveError(file.label, `${entry.fileName} is damaged`);
    }
  } catch (error) {
    throw archiveError(file, error);
  } finally {
    zip.close();
  }
}

// Opens an archive. yauzl refuses entry names that lead out of the archive, such as `../list.csv`. It also refuses
// entries whose length differs from the length in the directory.
async function open(file: DiskFile): Promise<ZipFile> {
  try {
    return await openPromise(file.diskPath, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
  } catch (error) {
    throw archiveError(file, error);
  }
}

function archiveError(file: DiskFile, error: unknown): unknown {
  const problem = toReadError(error, file);
  return problem instanceof SvcError || !(problem instanceof Error)
    ? problem
    : badArchiveError(file.label, problem.message, problem);
}

/** True for an entry with content that may be a list, although svc does not read it. */
function mayBeList({ fileName, uncompressedSize }: Entry): boolean {
  const kind = kindOfEntry(fileName);
  return uncompressedSize > 0 && (kind === 'unread' || kind === 'document');
}

/** What kind of workbook these entries form, for messages: `an Excel workbook (XLSX)`. Undefined if they form none. */
function workbookIn(names: readonly string[]): string | undefined {
  return WORKBOOKS.find(([mark]) => names.some((name) => mark.test(name)))?.[1];
}

const MAX_BYTES = 2 * 1024 ** 3;
const MAX_RATIO = 200;

const WORKBOOKS: readonly (readonly [RegExp, string])[] = [
  [/^xl\//, 'an Excel workbook (XLSX)'],
  [/^\[Content_Types\]\.xml$/, 'an Office document'],
  [/^content\.xml$/, 'an OpenDocument spreadsheet'],
  [/^Index\/Document\.iwa$/, 'a Numbers spreadsheet'],
];

// In an archive made on Unix, the upper half of an entry's attributes is its file type. It shows symbolic links.
const FILE_TYPE = 0o170000;
const LINK = 0o120000;

/** Why an entry is unsafe to read (K6). Undefined if it is safe. */
function faultOf(entry: Entry): string | undefined {
  if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK) {
    return 'is a link';
  }
  if (entry.isEncrypted()) {
    return 'is encrypted';
  }
  if (entry.uncompressedSize > MAX_BYTES) {
    return 'is larger than 2 GiB';
  }
  return entry.uncompressedSize > MAX_RATIO * entry.compressedSize
    ? `is compressed more than ${MAX_RATIO}:1, which no real list is`
    : undefined;
}
