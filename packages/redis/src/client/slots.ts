/** The number of slots of a Redis Cluster. */
export const SLOTS = 16_384;

/** The slot of keys with this hash tag: CRC-16/XMODEM modulo the number of slots (Redis Cluster specification). */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc = ((crc << 8) & 0xffff) ^ (REMAINDERS[((crc >> 8) ^ byte) & 0xff] ?? 0);
  }
  return crc % SLOTS;
}

/** The CRC remainder for each value of a byte. */
const REMAINDERS = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});
