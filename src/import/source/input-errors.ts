import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, errorCode, SvcError } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';

interface NamedFile {
  readonly label: string;
  /** True for svc's own copy of an input. If it can't be read, the state folder is damaged, not the user's file. */
  readonly isCopy?: boolean | undefined;
  readonly diskPath?: string | undefined;
}

/** Turns a system error into an SvcError that names the file and the cause. Returns other errors unchanged. */
export function toReadError(error: unknown, { label, isCopy, diskPath }: NamedFile): unknown {
  const code = errorCode(error);
  if (isCopy && /^E[A-Z0-9]+$/.test(code)) {
    return damagedCopyError(label, `can't be read (${code})`, error);
  }
  const why = code.startsWith('Z_') ? 'the gzip data is damaged or cut off' : REASONS[code];
  return why === undefined && !/^E[A-Z0-9]+$/.test(code)
    ? error
    : new SvcError(EXIT.usage, 'input_unreadable', `${label}: ${why ?? `can't be read (${code})`}`, {
        hint: hintForCode(code, diskPath),
        cause: error,
      });
}

/** The error for a gzip file with other bytes after the zero bytes at its end. These bytes may be rows. */
export function bytesAfterGzipError({ label }: Pick<NamedFile, 'label'>): SvcError {
  const message = `${label}: after the gzip data come zero bytes, and then more data that svc can't read`;
  const hint = 'Unpack each part of the file and give all of them, or export the list again';
  return new SvcError(EXIT.usage, 'input_unreadable', message, { hint });
}

// Matches the names of files that may be lists.
const LISTS = /\.(?:csv|tsv|txt|zip|gz)$/i;
const MAX_NAMED = 8;

/** The hint for a system error. If the user named a folder, the hint lists the files in it that may be lists. */
function hintForCode(code: string, diskPath: string | undefined): string {
  if (code !== 'EISDIR' || diskPath === undefined) {
    return HINTS[code] ?? 'Check the file';
  }
  const lists = readdirSync(diskPath).filter((name) => LISTS.test(name));
  const shownNames = lists.toSorted().slice(0, MAX_NAMED);
  const more = lists.length > shownNames.length ? `\nand ${lists.length - shownNames.length} more` : '';
  return shownNames.length === 0
    ? 'It holds no list (.csv, .tsv, .txt, .zip or .gz). Name a file.'
    : `Name the files in it:\n${shownNames.map((name) => shellWord(join(diskPath, name))).join(' ')}${more}`;
}

export function damagedCopyError(label: string, why: string, cause?: unknown): SvcError {
  return new SvcError(EXIT.failed, 'state_damaged', `the copy of ${label} in the run's folder ${why}`, {
    hint: 'Check the disk and the state folder, then run the same command again with the same file',
    cause,
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'is a folder',
  EACCES: 'you are not allowed to read it',
  EPERM: 'you are not allowed to read it',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'no such file: the name is too long',
  EMFILE: 'this program may not open more files',
  ENFILE: 'this machine cannot open more files',
  EIO: 'the disk reports an error',
};

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'Check the name, for example with ls',
  EACCES: 'Check its permissions, for example with ls -l',
  EMFILE: 'Raise the limit: ulimit -n 1024',
  Z_BUF_ERROR: 'Download the file again',
  Z_DATA_ERROR: 'Download the file again',
};

/** The error for a quote that opens on this line and is never closed: all text after it would be one cell. */
export function unterminatedQuoteError(label: string, line: number): SvcError {
  return new SvcError(
    EXIT.usage,
    'unterminated_quote',
    `${label}, line ${line}: a quote opens here and is never closed, so the rows after it can't be separated`,
    { hint: `Close or remove the quote in line ${line}` },
  );
}

/** The error for a row of more than 16 MiB. A file with such a row is no list of people. */
export function rowTooLongError(label: string, line: number): SvcError {
  return new SvcError(EXIT.usage, 'row_too_long', `${label}, line ${line}: a row of more than 16 MiB`, {
    hint: 'Give a CSV file with one person per line',
  });
}

/** The error for bytes that are not valid in the encoding of the table. */
export function mixedEncodingError(label: string, line: number, bad: { encoding: string; bytes: string }): SvcError {
  return new SvcError(
    EXIT.usage,
    'encoding_mixed',
    `${label}, line ${line}: ${bad.bytes} is not ${bad.encoding}; the file mixes encodings or was cut`,
    {
      hint:
        bad.encoding === 'utf-8'
          ? `If all of the file is in another encoding: --encoding windows-1252; else correct line ${line}`
          : `Name the encoding of the file, for example --encoding utf-8; else correct line ${line}`,
    },
  );
}

/** The error for an encoding that svc recognizes but can't read. */
export function unsupportedEncodingError(label: string, path: string): SvcError {
  return new SvcError(EXIT.usage, 'encoding_unsupported', `${label} is in ISO-2022-JP, which svc does not read`, {
    hint: `Convert it first: iconv -f ISO-2022-JP -t UTF-8 ${shellWord(path)} > list-utf-8.csv`,
  });
}

/** The error for a file that is not a table. `what` says what it is, such as `an XML file`. */
export function notCsvError(label: string, what: string): SvcError {
  return new SvcError(EXIT.usage, 'not_csv', `${label} is ${what}, not CSV`, { hint: hintForKind(what) });
}

export function emptyFileError(label: string): SvcError {
  return new SvcError(EXIT.usage, 'empty_file', `${label} is empty`, { hint: 'Export the list again' });
}

/** The error for an archive that is unsafe to read, or has no table (K6). */
export function badArchiveError(label: string, why: string, cause?: unknown): SvcError {
  return new SvcError(EXIT.usage, 'bad_archive', `${label}: ${why}`, {
    hint: 'Unpack the archive yourself and name the CSV files in it',
    cause,
  });
}

function hintForKind(what: string): string {
  if (/workbook|spreadsheet/.test(what)) {
    return 'Open it and save it as "CSV UTF-8"';
  }
  return /archive/.test(what) ? 'Unpack it and name the CSV files in it' : 'Export the list as CSV';
}
