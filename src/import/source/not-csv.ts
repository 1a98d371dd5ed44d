import { SvcError } from '../../base/lib/errors.ts';
import { EXIT } from '../../base/lib/exit.ts';

/** The error for a file that is no table, whatever its name is; `what` includes its article. */
export function notCsv(label: string, what: string): SvcError {
  return new SvcError(EXIT.usage, 'not_csv', `${label} is ${what}, not CSV`, { hint: hintFor(what) });
}

/** The error for an empty file. */
export function emptyFile(label: string): SvcError {
  return new SvcError(EXIT.usage, 'empty_file', `${label} is empty`, { hint: 'Export the list again' });
}

/** The error for an archive that is unsafe to read or holds no table (K6: archives are streamed). */
export function badArchive(label: string, why: string, cause?: unknown): SvcError {
  return new SvcError(EXIT.usage, 'bad_archive', `${label}: ${why}`, {
    hint: 'Unpack the archive yourself and name the CSV files in it',
    cause,
  });
}

function hintFor(what: string): string {
  if (/workbook|spreadsheet/.test(what)) {
    return 'Open it and save it as "CSV UTF-8"';
  }
  return /archive/.test(what) ? 'Unpack it and name the CSV files in it' : 'Export the list as CSV';
}
