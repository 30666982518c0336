import { crc32, inflateRawSync } from 'node:zlib';

/** Signatures and lengths of the records of a ZIP file (APPNOTE.TXT, 4.3). */
const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;

/**
 * Reads a file from a ZIP archive.
 *
 * @throws {Error} if the archive does not contain it.
 */
export function zipEntry(archive: Buffer, name: string): Buffer {
  let end = archive.length - END_BYTES;
  while (end >= 0 && archive.readUInt32LE(end) !== END) end -= 1;
  let at = end < 0 ? archive.length : archive.readUInt32LE(end + 16);
  while (at < end && archive.readUInt32LE(at) === ENTRY) {
    const nameBytes = archive.readUInt16LE(at + 28);
    const otherBytes = archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    if (archive.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes) === name) {
      return contentOf(archive, at);
    }
    at += ENTRY_BYTES + nameBytes + otherBytes;
  }
  throw new Error(`there is no ${name} in the archive`);
}

/** Supports deflate only (method 8), which `zip` uses. */
function contentOf(archive: Buffer, entry: number): Buffer {
  const [checksum, bytes] = [archive.readUInt32LE(entry + 16), archive.readUInt32LE(entry + 20)];
  const local = archive.readUInt32LE(entry + 42);
  const begin = local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const content = inflateRawSync(archive.subarray(begin, begin + bytes));
  if (crc32(content) !== checksum) throw new Error('the archive is damaged');
  return content;
}
