import { crc32, deflateSync } from 'node:zlib';

/** A square image in one color (`#rrggbb`) with an opacity for each pixel, as PNG (third edition). */
export function indexedPng(picture: {
  size: number;
  /** The opacity of each pixel, from 0 to `levelMax`. */
  levels: Buffer;
  levelMax: number;
  colour: string;
}): Buffer {
  const { size, levels, levelMax, colour } = picture;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 3], 8); // bits of a pixel, each of which names an entry of the palette
  const entries = Array.from({ length: levelMax + 1 }, (_, level) => level);
  const rows = Array.from({ length: size }, (_, row) =>
    Buffer.concat([Buffer.of(0), levels.subarray(row * size, (row + 1) * size)]),
  );
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colour.slice(1).repeat(entries.length), 'hex')),
    chunk('tRNS', Buffer.from(entries.map((level) => Math.round((level / levelMax) * 255)))),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const SIGNATURE = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
