import { fromBase64, fromDigits, fromHex, fromParameters } from './encodings.ts';
import { derived, TOO_COSTLY, UNKNOWN, type ForeignReading } from './reading.ts';

/** scrypt in the notation of passlib, Kratos, Django and better-auth. */
export function readScrypt(text: string): ForeignReading | undefined {
  if (text.startsWith('$scrypt$')) return readPhc(text.split('$'));
  if (text.startsWith('scrypt$')) return readDjango(text.split('$'));
  return /^[0-9a-f]{32}:[0-9a-f]{128}$/.test(text) ? readBetterAuth(text) : undefined;
}

/** `$scrypt$ln=16,r=8,p=1$salt$digest`; Kratos writes N itself, others its logarithm. */
function readPhc([, , parameters, salt = '', digest = '', ...more]: string[]): ForeignReading {
  const [ln, r, p] = fromParameters(parameters, ['ln', 'r', 'p']) ?? [];
  if (ln === undefined || r === undefined || p === undefined || more.length > 0) return UNKNOWN;
  const log2N = ln < 64 ? ln : Math.log2(ln);
  return scryptOf('scrypt', [log2N, r, p], fromBase64(salt), fromBase64(digest));
}

/** `scrypt$N$salt$r$p$digest`; the salt is plain text. */
function readDjango([, n, salt = '', r, p, digest = '', ...more]: string[]): ForeignReading {
  const [N, blocks, lanes] = [n, r, p].map(fromDigits);
  if (N === undefined || blocks === undefined || lanes === undefined || more.length > 0) return UNKNOWN;
  return scryptOf('scrypt', [Math.log2(N), blocks, lanes], Buffer.from(salt), fromBase64(digest));
}

/** `salt:key`; the salt is used as text, not decoded. */
function readBetterAuth(text: string): ForeignReading {
  const [salt = '', key = ''] = text.split(':');
  return scryptOf('scrypt-nfkc', [14, 16, 1], Buffer.from(salt), fromHex(key));
}

/** Validated by the algorithm's own rules (RFC 7914, section 2). */
export function scryptOf(
  algorithm: 'scrypt' | 'scrypt-nfkc' | 'firebase',
  [log2N = 0, r = 0, p = 0]: readonly number[],
  salt: Uint8Array | undefined,
  digest: Uint8Array | undefined,
): ForeignReading {
  const isSound = Number.isInteger(log2N) && log2N >= 1 && r >= 1 && p >= 1;
  if (!isSound || salt === undefined || salt.length === 0 || digest === undefined) return UNKNOWN;
  if (log2N > 30) return TOO_COSTLY;
  return derived({ algorithm, numbers: [log2N, r, p, digest.length], salt }, digest);
}
