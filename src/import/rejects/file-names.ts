import { sha256Hex } from '../../base/lib/hash.ts';

/** The longest file name in bytes. All file systems accept this length, also encrypted ones. */
const MAX_BYTES = 140;

/**
 * Makes a function that turns names of inputs into file names. They are valid on each file system, and differ even if
 * case is ignored. The same names in the same order always give the same file names.
 */
export function createFileNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    const plain = shortenName(plainName(name), '');
    let file = plain;
    for (let number = 2; taken.has(comparableName(file)); number += 1) {
      file = shortenName(plain, `-${number}`);
    }
    taken.add(comparableName(file));
    return file;
  };
}

// Matches path separators, characters that control text direction, and characters that Windows refuses.
const UNSAFE = /[/\\<>:"|?*\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]/g;
// Matches names that Windows reserves for devices, with any extension.
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

function plainName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(UNSAFE, '_')
    .replace(/^\.+/, '_')
    .replace(/(?<![. ])[. ]+$/, '_');
  return plain.replace(DEVICE, '_$1') || 'list.csv';
}

/**
 * The name with `suffix` before its extension: `list-2.csv`. A name that is too long is cut, and gets a hash of the
 * whole name.
 */
function shortenName(name: string, suffix: string): string {
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,16})?$/s.exec(name) ?? [];
  const whole = `${stem}${suffix}${extension}`;
  if (Buffer.byteLength(whole) <= MAX_BYTES) {
    return whole;
  }
  const tail = `-${sha256Hex(name).slice(0, 8)}${suffix}${extension}`;
  return `${startOf(stem, MAX_BYTES - Buffer.byteLength(tail))}${tail}`;
}

/** The longest beginning of the text that fits into this many bytes, in whole characters. */
function startOf(text: string, maxBytes: number): string {
  let start = '';
  for (const character of text) {
    if (Buffer.byteLength(start) + Buffer.byteLength(character) > maxBytes) {
      break;
    }
    start += character;
  }
  return start;
}

function comparableName(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
