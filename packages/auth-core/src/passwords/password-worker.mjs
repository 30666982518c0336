// Runs on worker threads: bcrypt holds its thread for tens of milliseconds, which no request may wait for.
// It is JavaScript because tsx does not reach into worker threads on Node 20.
import { constants, setPriority } from 'node:os';
import { compareSync, getRounds, hashSync } from 'bcryptjs';

// Hashing must not slow down anything else. On Linux the priority applies to the calling thread only (setpriority(2),
// "C library/kernel differences"), elsewhere to the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** @param {{ text: string, cost: number }} job */
export function hash({ text, cost }) {
  return hashSync(text, cost);
}

/** @param {{ text: string, salt: string }} job */
export function hashWith({ text, salt }) {
  return hashSync(text, salt);
}

/**
 * A wrong text takes at least the work of `cost`, however cheap the hash is, so that the time does not reveal its
 * cost: one hash at its own cost and one at each cost from there up to `cost` - 1 have as many rounds together as one
 * at `cost`.
 *
 * @param {{ text: string, hash: string, cost: number }} job
 */
export function compare({ text, hash: kept, cost }) {
  const begun = performance.now();
  const isRight = compareSync(text, kept);
  if (!isRight) for (let spent = getRounds(kept); spent < cost; spent += 1) hashSync(text, saltAt(spent));
  return { isRight, milliseconds: performance.now() - begun };
}

/** @param {number} cost */
function saltAt(cost) {
  return `$2b$${String(cost).padStart(2, '0')}$${'Gatehouse.'.repeat(3).slice(0, 22)}`;
}
