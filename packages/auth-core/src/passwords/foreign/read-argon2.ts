import { fromBase64, fromParameters } from './encodings.ts';
import { derived, UNKNOWN, type ForeignReading } from './reading.ts';

interface Argon2 {
  type: string;
  version: number;
  memory: number;
  passes: number;
  lanes: number;
  salt: Uint8Array;
  digest: Uint8Array;
}

/** The PHC string of argon2; Django adds a prefix. */
export function readArgon2(text: string): ForeignReading | undefined {
  const parts = (text.startsWith('argon2$argon2') ? text.slice('argon2'.length) : text).split('$');
  const [nothing, name = '', ...rest] = parts;
  if (nothing !== '' || !/^argon2(?:d|i|id)$/.test(name)) return undefined;
  // No version means the first one (argon2's reference implementation).
  const [version] = fromParameters(rest[0], ['v']) ?? [];
  if (version !== undefined) rest.shift();
  const [memory, passes, lanes] = fromParameters(rest[0], ['m', 't', 'p']) ?? [];
  const [salt, digest] = [fromBase64(rest[1] ?? ''), fromBase64(rest[2] ?? '')];
  if (memory === undefined || passes === undefined || lanes === undefined) return UNKNOWN;
  if (salt === undefined || digest === undefined || rest.length !== 3) return UNKNOWN;
  const type = name.slice('argon2'.length);
  return argon2Of({ type, version: version ?? 16, memory, passes, lanes, salt, digest });
}

/** Validated by the algorithm's own rules (RFC 9106, section 3.1). */
export function argon2Of({ type, version, memory, passes, lanes, salt, digest }: Argon2): ForeignReading {
  const algorithm = (['argon2d', 'argon2i', 'argon2id'] as const).find((name) => name === `argon2${type}`);
  const isSound =
    [16, 19].includes(version) && lanes >= 1 && passes >= 1 && memory >= 8 * lanes && salt.length >= 8;
  if (algorithm === undefined || !isSound) return UNKNOWN;
  return derived({ algorithm, numbers: [version, memory, passes, lanes, digest.length], salt }, digest);
}
