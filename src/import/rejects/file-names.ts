import { sha256Hex } from '../../base/lib/hash.ts';

/** Length in bytes that every file system accepts in a name, encrypted file systems included. */
const MOST_BYTES = 140;

/**
 * Makes file names out of names that come with a list. Each is one path segment that is valid on every file system. All
 * are different, also where case doesn't count. The same names in the same order give the same file names.
 */
export function createFileNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    const plain = shortenName(plainName(name), '');
    let file = plain;
    for (let number = 2; taken.has(comparable(file)); number += 1) {
      file = shortenName(plain, `-${number}`);
    }
    taken.add(comparable(file));
    return file;
  };
}

// Separators, control and bidi characters, and characters that Windows refuses in a name.
const UNSAFE = /[/\\<>:"|?*\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]/g;
// Device names of Windows, with any text after the first dot.
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

function plainName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(UNSAFE, '_')
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '_');
  return plain.replace(DEVICE, '_$1') || 'list.csv';
}

/** The name with `suffix` before its extension. A name that is too long is cut and ends in a hash of the whole name. */
function shortenName(name: string, suffix: string): string {
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,16})?$/s.exec(name) ?? [];
  const whole = `${stem}${suffix}${extension}`;
  if (Buffer.byteLength(whole) <= MOST_BYTES) {
    return whole;
  }
  const tail = `-${sha256Hex(name).slice(0, 8)}${suffix}${extension}`;
  return `${startOf(stem, MOST_BYTES - Buffer.byteLength(tail))}${tail}`;
}

/** The longest start of the text, in whole characters, that fits into this many bytes. */
function startOf(text: string, bytes: number): string {
  let start = '';
  for (const character of text) {
    if (Buffer.byteLength(start) + Buffer.byteLength(character) > bytes) {
      break;
    }
    start += character;
  }
  return start;
}

function comparable(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
