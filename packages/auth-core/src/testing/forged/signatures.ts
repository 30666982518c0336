import { encoded, signature, type Forger, type Forgery } from './forger.ts';

const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

export function forgedSignatures(forger: Forger): Forgery[] {
  const { genuine, key, claims, header } = forger;
  const input = genuine.replace(/\.[^.]*$/, '');
  const good = Buffer.from(genuine.slice(input.length + 1), 'base64url');
  const r = good.subarray(0, 32);
  const s = good.subarray(32);
  const zero = Buffer.alloc(32);
  const order = number(P256_ORDER);
  const wrong: [string, Buffer][] = [
    ['no signature', Buffer.alloc(0)],
    ['a signature one byte short', good.subarray(0, 63)],
    ['half a signature', r],
    ['a signature one byte long', Buffer.concat([good, Buffer.of(0)])],
    ['a leading zero byte', Buffer.concat([Buffer.of(0), good])],
    ['the signature twice', Buffer.concat([good, good])],
    ['a DER signature', der(r, s)],
    ['zeros', Buffer.concat([zero, zero])],
    ['r = 0', Buffer.concat([zero, s])],
    ['s = 0', Buffer.concat([r, zero])],
    ['r = 1, s = 1', Buffer.concat([number(1n), number(1n)])],
    ['r = n, s = n', Buffer.concat([order, order])],
    ['r = n', Buffer.concat([order, s])],
    ['s = n', Buffer.concat([r, order])],
    ['all ones', Buffer.alloc(64, 255)],
    ['r negated', Buffer.concat([negated(r), s])],
    ['both negated', Buffer.concat([negated(r), negated(s)])],
    ['r and s swapped', Buffer.concat([s, r])],
    ['the first bit flipped', flipped(good, 0, 128)],
    ['the last bit flipped', flipped(good, 63, 1)],
    ['the signature of other text', signature('other text', key)],
    ['the signature of the payload alone', signature(input.split('.')[1] ?? '', key)],
  ];
  const risen = encoded(JSON.stringify({ ...claims, role: 'Admin', jti: 'other' }));
  const reordered = encoded(JSON.stringify(Object.fromEntries(Object.entries(header).toReversed())));
  return [
    ...wrong.map(([name, bytes]) => ({ name, token: `${input}.${bytes.toString('base64url')}` })),
    { name: 'other claims under the signature', token: genuine.replace(/\.[^.]*\./, `.${risen}.`) },
    { name: 'another header under the signature', token: genuine.replace(/^[^.]*/, reordered) },
  ];
}

/** The same token with s replaced by n - s: the only other valid signature that anybody can derive from a valid one. */
export function malleatedSignature(genuine: string): string {
  const input = genuine.replace(/\.[^.]*$/, '');
  const good = Buffer.from(genuine.slice(input.length + 1), 'base64url');
  return `${input}.${Buffer.concat([good.subarray(0, 32), negated(good.subarray(32))]).toString('base64url')}`;
}

function negated(bytes: Buffer): Buffer {
  return number(P256_ORDER - BigInt(`0x${bytes.toString('hex')}`));
}

function number(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}

function der(r: Buffer, s: Buffer): Buffer {
  const parts = [r, s].map((n) => Buffer.concat([Buffer.of(2, 33, 0), n]));
  return Buffer.concat([Buffer.of(0x30, 70), ...parts]);
}

function flipped(bytes: Buffer, index: number, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(index) ^ bit, index);
  return copy;
}
