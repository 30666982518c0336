// Runs on worker threads: a hash holds its thread for tens of milliseconds, which no request may wait for.
// It is JavaScript because tsx does not reach into worker threads on Node 20.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { getPriority, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { compareSync, getRounds, hashSync } from 'bcryptjs';
import { derive as deriveDigest, loadArgon2 } from './derive.mjs';

// Hashing must not slow down anything else. On Linux the priority applies to the calling thread only (setpriority(2),
// "C library/kernel differences"), elsewhere to the whole process.
if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + workerData.niceness));

/**
 * Our own hash as a wrong password is to cost: `units` of work, where bcrypt at a cost takes 2 to its power.
 *
 * @typedef {{ units: number, derivation: import('./derive.mjs').Derivation | undefined }} OwnWork
 */

/** Throws if the native argon2 module is not available. */
export async function prepare() {
  await loadArgon2();
}

/** @param {{ text: string, cost: number }} job */
export function hash({ text, cost }) {
  return hashSync(text, cost);
}

/**
 * Compares a text with a bcrypt hash. A wrong text costs at least the work of our own hash, however cheap this one is,
 * so that the time does not reveal its cost.
 *
 * @param {{ text: string, hash: string, own: OwnWork | undefined }} job
 */
export async function compare({ text, hash: kept, own }) {
  const begun = performance.now();
  const isRight = compareSync(text, kept);
  if (!isRight && own !== undefined) await spend(own.units - 2 ** getRounds(kept), own, text);
  return { isRight, milliseconds: performance.now() - begun };
}

/**
 * Derives the stored value: the digest in base64url, or its HMAC if `sealKey` is given. For a comparison, a wrong text
 * costs at least the work of our own hash (see `compare`).
 *
 * @param {{
 *   text: string, derivation: import('./derive.mjs').Derivation, sealKey: Uint8Array | undefined,
 *   compared: { expected: string, units: number, own: OwnWork } | undefined
 * }} job
 */
export async function derive({ text, derivation, sealKey, compared }) {
  const begun = performance.now();
  const digest = await deriveDigest(derivation, text);
  const sealed = sealKey === undefined ? digest : createHmac('sha256', sealKey).update(digest).digest();
  const result = Buffer.from(sealed).toString('base64url');
  const isRight = compared !== undefined && isEqual(result, compared.expected);
  if (compared !== undefined && !isRight)
    await spend(compared.own.units - compared.units, compared.own, text);
  return { result, isRight, milliseconds: performance.now() - begun };
}

function isEqual(one, other) {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/**
 * Does the work that is missing compared with our own hash. For bcrypt: one hash for each power of two in the
 * difference, which is exact, as 2^own − 2^n is the sum of the powers from 2^n to 2^(own − 1).
 *
 * @param {number} missing
 * @param {OwnWork} own
 * @param {string} text
 */
async function spend(missing, { units, derivation }, text) {
  if (derivation === undefined) {
    for (let cost = 4; 2 ** cost <= missing; cost += 1) {
      if (Math.floor(missing / 2 ** cost) % 2 === 1) hashSync(text, saltAt(cost));
    }
    return;
  }
  const [version, memory, passes, lanes, length] = derivation.numbers;
  const part = Math.round((memory * missing) / units);
  if (part < 8 * lanes) return;
  await deriveDigest({ ...derivation, numbers: [version, part, passes, lanes, length] }, text);
}

/** @param {number} cost */
function saltAt(cost) {
  return `$2b$${String(cost).padStart(2, '0')}$${'Gatehouse.'.repeat(3).slice(0, 22)}`;
}
