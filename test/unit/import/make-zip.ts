import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of an archive. Optional fields replace the true values with false ones. */
export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  readonly claimedSize?: number;
  readonly crc?: number;
  readonly flags?: number;
  /** Unix mode, such as that of a link. */
  readonly mode?: number;
  /** The size of the extra fields before the data, such as times. The directory of the archive does not give it. */
  readonly extraSize?: number;
}

/** Makes a ZIP file byte by byte, so that it can hold false values. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content);
    const data = deflateRawSync(content);
    const shared = header(entry, content, data);
    const extra = Buffer.alloc(entry.extraSize ?? 0);
    const localShared = Buffer.from(shared);
    localShared.writeUInt16LE(extra.length, 22);
    const local = Buffer.concat([Buffer.from('504b03041400', 'hex'), localShared, name, extra, data]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    central.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('504b010214031400', 'hex'), shared, central, name);
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('504b0506', 'hex');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

/** The 24 bytes that the local header and the directory share: flags to the length of the extra field. */
function header(entry: ZipEntry, content: Buffer, data: Buffer): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt16LE(entry.flags ?? 0x0800, 0);
  bytes.writeUInt16LE(8, 2);
  // 1 January 2026.
  bytes.writeUInt16LE(((2026 - 1980) << 9) | (1 << 5) | 1, 6);
  bytes.writeUInt32LE(entry.crc ?? crc32(content), 8);
  bytes.writeUInt32LE(data.length, 12);
  bytes.writeUInt32LE(entry.claimedSize ?? content.length, 16);
  bytes.writeUInt16LE(Buffer.byteLength(entry.name), 20);
  return bytes;
}
