import { readdir, readFile, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** Packs samples/mailchimp-export/*.csv into samples/mailchimp-export.zip, the same bytes every time. */
const folder = 'samples/mailchimp-export';
const names = (await readdir(folder)).sort();
const entries = await Promise.all(names.map(async (name) => ({ name, data: await readFile(`${folder}/${name}`) })));
await writeFile('samples/mailchimp-export.zip', zip(entries));

interface Entry {
  readonly name: string;
  readonly data: Buffer;
}

function zip(files: readonly Entry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), fields(file), Buffer.from(file.name), file.data]);
    directory.push(directoryEntry(file, offset));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...locals, central, endRecord(files.length, central.length, offset)]);
}

// Version, flags, method "stored", a fixed date (1 January 2026), checksum, sizes, length of the name, no extra field.
function fields({ name, data }: Entry): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.writeUInt16LE(20, 0);
  bytes.writeUInt16LE(((2026 - 1980) << 9) | (1 << 5) | 1, 8);
  bytes.writeUInt32LE(crc32(data), 10);
  bytes.writeUInt32LE(data.length, 14);
  bytes.writeUInt32LE(data.length, 18);
  bytes.writeUInt16LE(Buffer.byteLength(name), 22);
  return bytes;
}

function directoryEntry(file: Entry, offset: number): Buffer {
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(offset, 10);
  const version = Buffer.from([20, 0]);
  return Buffer.concat([Buffer.from('504b0102', 'hex'), version, fields(file), tail, Buffer.from(file.name)]);
}

function endRecord(count: number, size: number, offset: number): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.write('504b0506', 0, 'hex');
  bytes.writeUInt16LE(count, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(size, 12);
  bytes.writeUInt32LE(offset, 16);
  return bytes;
}
