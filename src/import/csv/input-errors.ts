import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { shellWord } from '../../base/lib/text.ts';

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

// Matches a blank cell. NUL padding and the DOS end-of-file mark (0x1A) count as blank.
const NOTHING = /^[\s\0\u001a\ufeff]*$/;

/** True for a row without content: an empty line, a row of delimiters only, or padding. */
export function isBlankRow(cells: readonly string[]): boolean {
  return cells.every(
    (cell) => cell === '' || ((cell.charCodeAt(0) <= 32 || cell.charCodeAt(0) > 127) && NOTHING.test(cell)),
  );
}
