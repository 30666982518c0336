/** How a digest is derived from a password: algorithm, parameters in the order of `ALGORITHMS`, and salt. */
export interface Derivation {
  algorithm: AlgorithmName;
  numbers: readonly number[];
  salt: Uint8Array;
}

interface Algorithm {
  /** The names of its parameters. */
  numbers: readonly string[];
  /** Whether it needs so much memory that only a few may run at once. */
  isMemoryHard: boolean;
  isAffordable: (...numbers: number[]) => boolean;
  /** An upper estimate of its time on the machine where bcrypt at cost 0 takes `COST_0_MS`. */
  milliseconds: (...numbers: number[]) => number;
  /** The maximum length of a password, if each round reads all of it. */
  passwordBytesMax?: number;
}

/** The extrapolated milliseconds of bcrypt at cost 0, on the machine where the rates below were measured. */
const COST_0_MS = 0.07;
/** The maximum memory of one check, in KiB. */
const MEMORY_KIB_MAX = 256 * 1024;
const PASSES_MAX = 10;
const BCRYPT_COST_MAX = 14;
const ITERATIONS_MAX = 2_000_000;
/** The binary logarithm of the maximum number of rounds of phpass and its descendants. */
const PHPASS_LOG2_MAX = 18;
const SHA512_CRYPT_ROUNDS_MAX = 250_000;
/** Up to this length they take hardly longer than with short passwords; 4608 bytes take four times as long. */
const PHPASS_PASSWORD_BYTES_MAX = 128;

const argon2: Algorithm = {
  numbers: ['version', 'memory', 'passes', 'lanes', 'length'],
  isMemoryHard: true,
  isAffordable: (_version = 0, memory = 0, passes = 0, lanes = 0) =>
    memory <= MEMORY_KIB_MAX && passes <= PASSES_MAX && lanes <= 8,
  milliseconds: (_version = 0, memory = 0, passes = 0) => (memory * passes) / 2900,
};

/** Uses 128 · N · r bytes at once; its lanes are processed one after the other. */
const scrypt: Algorithm = {
  numbers: ['log2N', 'blocks', 'lanes', 'length'],
  isMemoryHard: true,
  isAffordable: (log2N = 0, blocks = 0, lanes = 0) =>
    (2 ** log2N * blocks) / 8 <= MEMORY_KIB_MAX && (2 ** log2N * blocks * lanes) / 8 <= 2 * MEMORY_KIB_MAX,
  milliseconds: (log2N = 0, blocks = 0, lanes = 0) => (2 ** log2N * blocks * lanes) / 2800,
};

const pbkdf2 = (iterationsPerMs: number): Algorithm => ({
  numbers: ['iterations', 'length'],
  isMemoryHard: false,
  isAffordable: (iterations = 0) => iterations <= ITERATIONS_MAX,
  milliseconds: (iterations = 0) => iterations / iterationsPerMs,
});

/** The salt is bcrypt's own text, which starts with version and cost. */
const bcrypt: Algorithm = {
  numbers: ['cost'],
  isMemoryHard: false,
  isAffordable: (cost = 0) => cost <= BCRYPT_COST_MAX,
  milliseconds: (cost = 0) => 2 ** cost * COST_0_MS,
};

const phpass: Algorithm = {
  numbers: ['log2Rounds'],
  isMemoryHard: false,
  isAffordable: (log2Rounds = 0) => log2Rounds <= PHPASS_LOG2_MAX,
  milliseconds: (log2Rounds = 0) => 2 ** log2Rounds / 500,
  passwordBytesMax: PHPASS_PASSWORD_BYTES_MAX,
};

const sha512Crypt: Algorithm = {
  numbers: ['rounds'],
  isMemoryHard: false,
  isAffordable: (rounds = 0) => rounds <= SHA512_CRYPT_ROUNDS_MAX,
  milliseconds: (rounds = 0) => rounds / 350,
  passwordBytesMax: PHPASS_PASSWORD_BYTES_MAX,
};

export const OWN_ARGON2ID = {
  memoryKib: { min: 1024, max: MEMORY_KIB_MAX },
  passes: { min: 1, max: PASSES_MAX },
} as const;

export const OWN_DIGEST_BYTES = 32;

/** The algorithms that the threads support; derive.mjs implements them. */
export const ALGORITHMS = {
  argon2d: argon2,
  argon2i: argon2,
  argon2id: argon2,
  scrypt,
  /** The password is normalized to NFKC first. */
  'scrypt-nfkc': scrypt,
  /** Zeros encrypted by AES-256-CTR, with scrypt's result as the key. */
  firebase: scrypt,
  'pbkdf2-sha1': pbkdf2(4700),
  'pbkdf2-sha256': pbkdf2(4600),
  'pbkdf2-sha512': pbkdf2(1900),
  /** bcrypt of the password's SHA-256 in hexadecimal. */
  'bcrypt-sha256': bcrypt,
  /** bcrypt of an HMAC-SHA-384 of the password in Base64. */
  'bcrypt-wordpress': bcrypt,
  'phpass-md5': phpass,
  /** The same, with white space around the password removed. */
  'phpass-md5-trimmed': phpass,
  'phpass-sha512': phpass,
  'sha512-crypt': sha512Crypt,
} as const satisfies Record<string, Algorithm>;

export type AlgorithmName = keyof typeof ALGORITHMS;

export function isMemoryHard({ algorithm }: Derivation): boolean {
  return ALGORITHMS[algorithm].isMemoryHard;
}

/** Whether a login may cost this much; more expensive hashes would allow attackers to keep the threads busy. */
export function isAffordable({ algorithm, numbers }: Pick<Derivation, 'algorithm' | 'numbers'>): boolean {
  return ALGORITHMS[algorithm].isAffordable(...numbers);
}

/** Whether a password is short enough for the algorithm; a longer one cannot be the right one. */
export function takesPassword({ algorithm }: Derivation, password: string): boolean {
  const { passwordBytesMax = Infinity }: Algorithm = ALGORITHMS[algorithm];
  return Buffer.byteLength(password) <= passwordBytesMax;
}

export function canBeOurs({ algorithm, numbers }: Pick<Derivation, 'algorithm' | 'numbers'>): boolean {
  const [version, memory, passes, lanes, length] = numbers;
  const { memoryKib: memories, passes: turns } = OWN_ARGON2ID;
  return (
    algorithm === 'argon2id' &&
    version === 19 &&
    isWithin(memory, memories) &&
    isWithin(passes, turns) &&
    lanes === 1 &&
    length === OWN_DIGEST_BYTES
  );
}

function isWithin(number: number | undefined, { min, max }: { min: number; max: number }): boolean {
  return Number.isInteger(number) && number !== undefined && number >= min && number <= max;
}

/** The (fractional) cost at which bcrypt takes about as long. */
export function bcryptCostLike({ algorithm, numbers }: Pick<Derivation, 'algorithm' | 'numbers'>): number {
  return Math.max(0, Math.log2(ALGORITHMS[algorithm].milliseconds(...numbers) / COST_0_MS));
}

/** A derivation as text, `argon2id,19,65536,3,4,32$<salt in base64url>`: a stored hash without its digest. */
export function writeDerivation({ algorithm, numbers, salt }: Derivation): string {
  return `${[algorithm, ...numbers].join(',')}$${Buffer.from(salt).toString('base64url')}`;
}

/** Parses the output of `writeDerivation`; `undefined` for anything else, and for what is too expensive. */
export function readDerivation(head: string, salt: string): Derivation | undefined {
  const [name = '', ...texts] = head.split(',');
  const algorithm = isAlgorithm(name) ? name : undefined;
  const numbers = texts.map(Number);
  if (algorithm === undefined || texts.length !== ALGORITHMS[algorithm].numbers.length) return undefined;
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) return undefined;
  return isAffordable({ algorithm, numbers })
    ? { algorithm, numbers, salt: Buffer.from(salt, 'base64url') }
    : undefined;
}

function isAlgorithm(name: string): name is AlgorithmName {
  return Object.hasOwn(ALGORITHMS, name);
}
