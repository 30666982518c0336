import { fromCryptDigit, fromPhpass } from './encodings.ts';
import { derived, UNKNOWN, type ForeignReading } from './reading.ts';

/** The prefix, the algorithm, and the length of the digest, which Drupal truncates. */
const KINDS = [
  ['$P$', 'phpass-md5-trimmed', 22],
  ['$H$', 'phpass-md5', 22],
  ['$S$', 'phpass-sha512', 43],
] as const;

/** WordPress up to 6.7 (`$P$`), phpBB (`$H$`) and Drupal from 7 on (`$S$`). */
export function readPhpass(text: string): ForeignReading | undefined {
  const kind = KINDS.find(([prefix]) => text.startsWith(prefix));
  if (kind === undefined) return undefined;
  const [, algorithm, length] = kind;
  const log2Rounds = fromCryptDigit(text[3]);
  const [salt, digest] = [text.slice(4, 12), text.slice(12)];
  if (log2Rounds === undefined || log2Rounds < 7 || log2Rounds > 30 || digest.length !== length)
    return UNKNOWN;
  if (fromPhpass(salt) === undefined) return UNKNOWN;
  return derived({ algorithm, numbers: [log2Rounds], salt: Buffer.from(salt) }, fromPhpass(digest));
}
