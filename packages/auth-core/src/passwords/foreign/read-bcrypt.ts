import { derived, TOO_COSTLY, UNKNOWN, type ForeignReading } from './reading.ts';

const BCRYPT = /^\$2[aby]\$([0-9]{2})\$[./A-Za-z0-9]{53}$/;

/** The prefixes of bcrypt over a hash of the password, and the algorithm of each. */
const PREHASHED = [
  ['bcrypt_sha256$', 'bcrypt-sha256'],
  ['$wp', 'bcrypt-wordpress'],
] as const;

/**
 * bcrypt over the password (including Django's notation), or over a hash of it (Django, WordPress from 6.8). `$2x$`
 * marks hashes of a faulty implementation: it is unknown which passwords they match.
 */
export function readBcrypt(text: string): ForeignReading | undefined {
  const plain = text.startsWith('bcrypt$$2') ? text.slice('bcrypt$'.length) : text;
  if (plain.startsWith('$2')) {
    const cost = costOf(plain);
    if (cost === undefined) return UNKNOWN;
    return cost > 14 ? TOO_COSTLY : { kind: 'raw', hash: plain };
  }
  for (const [prefix, algorithm] of PREHASHED) {
    if (!text.startsWith(`${prefix}$2`)) continue;
    const hash = text.slice(prefix.length);
    const cost = costOf(hash);
    if (cost === undefined) return UNKNOWN;
    const salt = Buffer.from(hash.slice(0, 29));
    return derived({ algorithm, numbers: [cost], salt }, Buffer.from(hash.slice(29)));
  }
  return undefined;
}

function costOf(hash: string): number | undefined {
  const [, cost] = BCRYPT.exec(hash) ?? [];
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= 31 ? Number(cost) : undefined;
}
