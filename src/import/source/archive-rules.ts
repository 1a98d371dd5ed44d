import type { Entry } from 'yauzl';
import { badArchive } from './not-csv.ts';

/** True for folders, and for files that file managers add to archives. */
export function isJunk(name: string): boolean {
  return /(^|\/)(__MACOSX|\.[^/]+|Thumbs\.db|desktop\.ini)(\/|$)/i.test(name) || name.endsWith('/');
}

/** True for an entry that is read as a table. Its name decides. */
export function isTable(name: string): boolean {
  return /\.(csv|tsv|txt)$/i.test(name);
}

/** True for an entry that isn't read although it may be a list. */
export function mayBeList(name: string): boolean {
  return /\.(xls[xmb]?|ods|numbers|gz|zip|tab|dat|json|ndjson)$/i.test(name);
}

/** The kind of workbook, with its article, that these entries make up; undefined where they are none. */
export function workbookIn(names: readonly string[]): string | undefined {
  return WORKBOOKS.find(([mark]) => names.some((name) => mark.test(name)))?.[1];
}

/**
 * Refuses an entry that can't be read safely (archives are streamed: K6). Those are links, encrypted entries, entries
 * over 2 GiB, and entries compressed more than 200:1.
 */
export function checkTable(label: string, entry: Entry): void {
  const why = faultOf(entry);
  if (why !== undefined) {
    throw badArchive(label, `${entry.fileName} ${why}`);
  }
}

const MOST_BYTES = 2 * 1024 ** 3;
const MOST_RATIO = 200;

const WORKBOOKS: readonly (readonly [RegExp, string])[] = [
  [/^xl\//, 'an Excel workbook (XLSX)'],
  [/^\[Content_Types\]\.xml$/, 'an Office document'],
  [/^content\.xml$/, 'an OpenDocument spreadsheet'],
  [/^Index\/Document\.iwa$/, 'a Numbers spreadsheet'],
];

// Archives made on Unix hold the file type in the upper half of the attributes.
const FILE_TYPE = 0o170000;
const LINK = 0o120000;

function faultOf(entry: Entry): string | undefined {
  if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK) {
    return 'is a link';
  }
  if (entry.isEncrypted()) {
    return 'is encrypted';
  }
  if (entry.uncompressedSize > MOST_BYTES) {
    return 'is larger than 2 GiB';
  }
  return entry.uncompressedSize > MOST_RATIO * entry.compressedSize
    ? `is compressed more than ${MOST_RATIO}:1, as no list is`
    : undefined;
}
