// Runs on worker threads: bcrypt holds its thread for tens of milliseconds, which no request may wait for.
// It is JavaScript because tsx does not reach into worker threads on Node 20.
import { compareSync, hashSync } from 'bcryptjs';

/** @param {{ text: string, cost: number }} job */
export function hash({ text, cost }) {
  return hashSync(text, cost);
}

/** @param {{ text: string, hash: string }} job */
export function compare(job) {
  return compareSync(job.text, job.hash);
}
