import type { TSchema } from '@gatehouse/schema';
import { ApiError } from '../errors.ts';

/**
 * Adds to an error about a missing field the name, of those in `given`, that the client may have misspelt: unknown
 * fields are dropped. Only names such as people write: one could be a secret in the wrong place.
 */
export function withMisspelt(thrown: unknown, given: readonly string[], schema: TSchema | undefined) {
  if (!(thrown instanceof ApiError) || thrown.facts.errors === undefined) return thrown;
  const { properties: known = {} }: { properties?: object } = schema ?? {};
  const unknown = given.filter((name) => !Object.hasOwn(known, name) && NAME.test(name)).slice(0, NAMES_MAX);
  if (unknown.length === 0) return thrown;
  const errors = thrown.facts.errors.map((problem) => {
    if (problem.code !== 'required') return problem;
    const meant = unknown.find((name) => areAlike(name, problem.pointer.slice(1)));
    const hint =
      meant === undefined
        ? `unknown here: ${unknown.map((name) => `'${name}'`).join(', ')}`
        : `did you mean it by '${meant}'? Names are case-sensitive`;
    return { ...problem, message: `${problem.message}; ${hint}` };
  });
  return new ApiError(thrown.code, thrown.message, { ...thrown.facts, errors });
}

const NAME = /^[A-Za-z][A-Za-z_-]{0,29}$/;
const NAMES_MAX = 5;
const NAME_LENGTH_MAX = 40;

/** Whether two names differ only in case, hyphens and underscores, or by a letter or two. */
function areAlike(one: string, other: string): boolean {
  if (other.length > NAME_LENGTH_MAX) return false;
  const [left, right] = [one, other].map((name) => name.toLowerCase().replaceAll(/[_-]/g, ''));
  return distance(left ?? '', right ?? '') <= (other.length < 6 ? 1 : 2);
}

/** How many letters to add, remove and replace (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [line, letter] of Array.from(one).entries()) {
    const next = [line + 1];
    for (const [at, against] of Array.from(other).entries()) {
      const replaced = (row[at] ?? 0) + (letter === against ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
