import { sha256Hex } from '../../base/lib/hash.ts';

/** Bytes that every file system takes in a name, encrypted ones included. */
const MOST_BYTES = 140;

/**
 * Makes names of files out of names that came with a list: one segment of a path, valid on every file system, and no two of
 * them the same, not even where case doesn't count. The same names in the same order give the same files.
 */
export function createFileNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    const plain = fitted(plainName(name), '');
    let file = plain;
    for (let number = 2; taken.has(folded(file)); number += 1) {
      file = fitted(plain, `-${number}`);
    }
    taken.add(folded(file));
    return file;
  };
}

// Separators, control and bidi characters, and what Windows refuses in a name.
const UNSAFE = /[/\\<>:"|?*\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]/g;
// Devices of Windows, whatever comes after the first dot.
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

function plainName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(UNSAFE, '_')
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '_');
  return plain.replace(DEVICE, '_$1') || 'list.csv';
}

/** The name with `suffix` before its extension; shortened, what is left out stays in it as a hash. */
function fitted(name: string, suffix: string): string {
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,16})?$/s.exec(name) ?? [];
  const whole = `${stem}${suffix}${extension}`;
  if (Buffer.byteLength(whole) <= MOST_BYTES) {
    return whole;
  }
  const tail = `-${sha256Hex(name).slice(0, 8)}${suffix}${extension}`;
  return `${startOf(stem, MOST_BYTES - Buffer.byteLength(tail))}${tail}`;
}

/** As many whole characters as fit into so many bytes. */
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

/** What two names have in common that some file system takes for one. */
function folded(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
