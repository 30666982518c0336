import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { compilerFor, type Reading } from './compilers.ts';
import type { Problem } from './faults.ts';
import { infinitiesOf, problemsOf } from './problems.ts';

/** Returns `undefined` when the value fits, else what is wrong with it: twenty problems at most. */
export type Check = (value: unknown) => Problem[] | undefined;

/**
 * Makes of a schema a fast check. It is compiled when it is first used, and once: compiling all that a service has would
 * be a third of its start.
 *
 * `unknownFields: 'drop'` removes what the schema does not name from the value itself, so that nothing unnamed
 * reaches a handler; `'refuse'` makes it a problem, which is how answers are held to their schema.
 * `coerce` reads strings as numbers and booleans (for query strings and the environment, never for bodies) and
 * fills in defaults.
 *
 * The first problem decides. Of a value of ordinary size all are told; one that is larger than any that could be
 * meant is not looked at further, so that a check costs little more than reading the value did.
 */
export function compile(
  schema: TSchema,
  options: { unknownFields: Reading['unknownFields']; coerce?: boolean },
): Check {
  const { unknownFields, coerce = false } = options;
  const compiled = (tellsAll: boolean): ValidateFunction =>
    compilerFor({ unknownFields, coerce, tellsAll }).compile(asRead(schema, unknownFields === 'refuse'));
  let decide: ValidateFunction | undefined;
  let tellAll: ValidateFunction | undefined;
  return (value) => {
    decide ??= compiled(false);
    if (decide(value)) return coerce ? infinitiesOf(value) : undefined;
    const first = decide.errors ?? [];
    if (!isOrdinary(value)) return problemsOf(first);
    tellAll ??= compiled(true);
    return problemsOf(tellAll(value) ? first : (tellAll.errors ?? first));
  };
}

/** As many fields and items as the largest request has that fits its schema, and some. */
const NODES_MAX = 2500;

/** Whether a value has few enough fields and items, at any depth, to look at every one. */
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

/** The schema with identifiers in one spelling, and every object closed to fields that it does not name, if so asked. */
function asRead(schema: TSchema, isClosed: boolean): TSchema {
  const copy: Record<string, unknown> = { ...schema };
  const read = (inner: TSchema): TSchema => asRead(inner, isClosed);
  for (const [key, value] of Object.entries(copy)) {
    if (key === 'properties') {
      const properties = Object.entries(value as Record<string, TSchema>);
      copy[key] = Object.fromEntries(properties.map(([name, inner]) => [name, read(inner)]));
    } else if (key === 'items') copy[key] = read(value as TSchema);
    else if (key === 'anyOf' || key === 'oneOf') copy[key] = (value as TSchema[]).map(read);
  }
  if (copy['format'] === 'uuid') copy['lowerCase'] = true;
  if (isClosed && [copy['type']].flat().includes('object') && copy['additionalProperties'] === undefined) {
    copy['additionalProperties'] = false;
  }
  return copy;
}
