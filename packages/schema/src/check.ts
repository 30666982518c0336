import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { compileSchema, TYPED, type Reading } from './compilers.ts';
import type { Problem } from './faults.ts';
import { findInfiniteNumbers, problemsOf } from './problems.ts';

/** Returns `undefined` if the value matches, otherwise up to twenty problems. */
export type Check = (value: unknown) => Problem[] | undefined;

/**
 * Creates a fast check of a schema. The schema is compiled once, when first used: compiling all schemas would take a
 * third of a service's start-up time.
 *
 * `unknownFields: 'drop'` removes fields that are not in the schema from the value itself, so that no handler gets
 * them; `'refuse'` reports them as problems, as for answers. `coerce` reads strings as numbers and booleans (for query
 * strings and the environment, never for bodies) and fills in defaults.
 *
 * The check stops at the first problem. Then all problems of a value of ordinary size are collected; larger values are
 * not examined further, so that a check costs little more than parsing the value.
 *
 * The same schema with the same options returns the same check, because several APIs in one process have the same
 * routes.
 */
export function compile(
  schema: TSchema,
  options: { unknownFields: Reading['unknownFields']; coerce?: boolean },
): Check {
  const { unknownFields, coerce = false } = options;
  const name = `${unknownFields} ${coerce}`;
  const known = checks.get(schema) ?? new Map<string, Check>();
  const check = known.get(name) ?? createCheck(schema, unknownFields, coerce);
  checks.set(schema, known.set(name, check));
  return check;
}

const checks = new WeakMap<TSchema, Map<string, Check>>();

function createCheck(schema: TSchema, unknownFields: Reading['unknownFields'], coerce: boolean): Check {
  const compiled = (allErrors: boolean) =>
    compileSchema(asRead(schema, unknownFields === 'refuse'), { unknownFields, coerce, allErrors });
  let decide: ValidateFunction | undefined;
  let findAllErrors: ValidateFunction | undefined;
  return (value) => {
    decide ??= compiled(false);
    if (decide(value)) return coerce ? findInfiniteNumbers(value) : undefined;
    const first = decide.errors ?? [];
    if (!isOrdinary(value)) return problemsOf(first);
    findAllErrors ??= compiled(true);
    return problemsOf(findAllErrors(value) ? first : (findAllErrors.errors ?? first));
  };
}

/** Slightly more fields and items than the largest request that matches its schema has. */
const NODES_MAX = 2500;

/** Whether a value has few enough fields and items, at any depth, to examine all of them. */
function isOrdinary(value: unknown): boolean {
  const waiting = [value];
  let nodes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const inner of Object.values(next)) {
      nodes += 1;
      if (nodes > NODES_MAX) return false;
      if (typeof inner === 'object' && inner !== null) waiting.push(inner);
    }
  }
  return true;
}

/** Ajv compiles negative numbers for these too. A minimum of -1 would check nothing. */
const COUNTS: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]);

/** The schema with identifiers in lower case, with typed text as it is meant and, if `isClosed`, with every object closed to unknown fields. */
function asRead(schema: TSchema, isClosed: boolean): TSchema {
  const copy: Record<string, unknown> = { ...schema };
  const read = (inner: TSchema): TSchema => asRead(inner, isClosed);
  for (const [key, value] of Object.entries(copy)) {
    if (COUNTS.has(key) && !(Number.isInteger(value) && Number(value) >= 0))
      throw new Error(`schema is invalid: ${key} must be a whole number, at least 0`);
    if (key === 'properties') {
      const properties = Object.entries(value as Record<string, TSchema>);
      copy[key] = Object.fromEntries(properties.map(([name, inner]) => [name, read(inner)]));
    } else if (key === 'items') copy[key] = read(value as TSchema);
    else if (key === 'anyOf' || key === 'oneOf') copy[key] = (value as TSchema[]).map(read);
  }
  if (copy['format'] === 'uuid') copy['lowerCase'] = true;
  if (String(copy['format']) in TYPED) copy['asTyped'] = copy['format'];
  if (isClosed && [copy['type']].flat().includes('object') && copy['additionalProperties'] === undefined)
    copy['additionalProperties'] = false;
  return copy;
}
