import { createHmac, randomUUID } from 'node:crypto';
import { hashSync } from 'bcryptjs';
import { cpuMsOf, leastOf, testLog } from '@gatehouse/runtime/testing';
import { newKey } from '../keys/keys.ts';
import { createPasswords } from '../passwords/passwords.ts';
import { createTokens } from '../tokens/tokens.ts';
import { watchKeys } from '../keys/watch-keys.ts';
import { TEST_ES256_KEY, TEST_ID_TOKEN_KEY } from './test-id-token-key.ts';

export const TEST_ISSUER = 'https://gatehouse.test';
export const TEST_AUDIENCE = 'gatehouse';
/** A secret or pepper for tests, long enough for the configuration. */
export const TEST_SECRET = 'for tests alone, as everybody can read it';

/** A private JWK set (JSON) for one test; its keys sign from the given times on (epoch seconds). */
export function throwAwayKeySet(...signsFrom: number[]): string {
  const keys = (signsFrom.length > 0 ? signsFrom : [0]).map((seconds) => newKey(seconds, seconds));
  return JSON.stringify({ keys });
}

/** The private JWK set (JSON) of ID tokens, the same for all tests. */
export const TEST_ID_TOKEN_KEYS = JSON.stringify({ keys: [TEST_ID_TOKEN_KEY, TEST_ES256_KEY] });

/** Access tokens under a throw-away key; what is given replaces the defaults (an hour, 60 s of leeway). */
export function throwAwayTokens(options: Partial<Parameters<typeof createTokens>[0]> = {}) {
  return createTokens({
    keys: watchKeys({ json: throwAwayKeySet(), log: testLog() }),
    issuer: TEST_ISSUER,
    audience: TEST_AUDIENCE,
    lifetimeSeconds: 3600,
    leewaySeconds: 60,
    ...options,
  });
}

export function someSession() {
  return { accountId: randomUUID(), sessionId: randomUUID(), role: 'User' as const };
}

/** The bcrypt hash of a plain password, as other systems keep it. */
export function hashElsewhere(password: string, cost: number): string {
  return hashSync(password, cost);
}

/** Passwords at bcrypt's lowest cost, on one thread with the priority of all else; `close()` them. */
export function quickPasswords(options: Partial<Parameters<typeof createPasswords>[0]> = {}) {
  const quick = { pepper: TEST_SECRET, cost: 4, threads: 1, minLength: 8, niceness: 0 };
  return createPasswords({ ...quick, log: testLog(), ...options });
}

/** As `quickPasswords`, for the tests of a `describe`, after which they are closed. */
export function useQuickPasswords(): typeof quickPasswords {
  const open: ReturnType<typeof quickPasswords>[] = [];
  after(() => Promise.all(open.map((each) => each.close())));
  return (options) => {
    const made = quickPasswords(options);
    open.push(made);
    return made;
  };
}

/** The CPU time of a check that says no, the least of so many, in milliseconds. */
export function leastWork(turns: number, check: () => Promise<boolean>): Promise<number> {
  const refuse = async (): Promise<void> => {
    if (await check()) throw new Error('it was accepted');
  };
  return leastOf(turns, () => cpuMsOf(refuse));
}

/** A secret as authenticator apps are given it (base 32, RFC 4648) in bytes. */
export function base32Bytes(text: string): Buffer {
  const bits = Array.from(text, (symbol) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(symbol).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

/** The code that an authenticator app shows at this time, by RFC 4226 §5.3 and RFC 6238 §4. */
export function totpCode(secret: Buffer, atMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

export { createForger, forgedTokens, type Forgery } from './forged-tokens.ts';
export { createSoftwareAuthenticator, type AuthenticatorOverrides } from './software-authenticator.ts';
export { cbor, type CborValue } from './software-authenticator.ts';
