// Runs on worker threads: bcrypt holds its thread for tens of milliseconds, which no request may wait for.
// It is JavaScript because tsx does not reach into worker threads on Node 20.
import { constants, setPriority } from 'node:os';
import { compareSync, hashSync } from 'bcryptjs';

// Whoever waits for a password waits for the hash; nobody else should. On Linux this is of the calling thread alone
// (setpriority(2), "C library/kernel differences"), elsewhere it would be of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** @param {{ text: string, cost: number }} job */
export function hash({ text, cost }) {
  return hashSync(text, cost);
}

/** @param {{ text: string, hash: string }} job */
export function compare(job) {
  return compareSync(job.text, job.hash);
}
