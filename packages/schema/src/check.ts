import { Ajv2020, str, type ErrorObject, type FuncKeywordDefinition } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { describeNumbers, isBcryptHash, isPlainText, isProse, normalizeEmail, numberOf } from './fields.ts';

/** One thing wrong with a value: where it is (a JSON Pointer, RFC 6901) and what is wrong with it. */
export interface Problem {
  pointer: string;
  message: string;
}

/** Returns `undefined` when the value fits, else every problem it has. */
export type Check = (value: unknown) => Problem[] | undefined;

/**
 * Compiles a schema once, at start, into a fast check.
 *
 * `unknownFields: 'drop'` removes what the schema does not name from the value itself, so that nothing unnamed
 * reaches a handler; `'refuse'` makes it a problem, which is how answers are held to their schema.
 * `coerce` reads strings as numbers and booleans (for query strings and the environment, never for bodies) and
 * fills in defaults.
 */
export function compile(schema: TSchema, options: { unknownFields: UnknownFields; coerce?: boolean }): Check {
  const { unknownFields, coerce = false } = options;
  const compiler = compilerFor(unknownFields, coerce);
  const validate = compiler.compile(unknownFields === 'refuse' ? closed(schema) : schema);
  return (value) => {
    if (validate(value)) return coerce ? infinities(value) : undefined;
    // What a name fails by is told once, of the name.
    return (validate.errors ?? []).filter((error) => error.propertyName === undefined).map(problem);
  };
}

type UnknownFields = 'drop' | 'refuse';

const compilers = new Map<string, Ajv2020>();

/**
 * One compiler for all schemas that are read alike: each new one compiles the rules of schemas themselves before
 * its first schema, which takes longer than any of ours.
 */
function compilerFor(unknownFields: UnknownFields, coerce: boolean): Ajv2020 {
  const reading = `${unknownFields} ${coerce}`;
  const compiler = compilers.get(reading) ?? createCompiler(unknownFields, coerce);
  compilers.set(reading, compiler);
  return compiler;
}

function createCompiler(unknownFields: UnknownFields, coerce: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    useDefaults: coerce,
    coerceTypes: coerce,
    removeAdditional: unknownFields === 'drop' ? 'all' : false,
  });
  formats.default(ajv, ['date-time', 'uri']);
  ajv.addFormat('uuid', UUID);
  ajv.addFormat('email-address', (text: string) => normalizeEmail(text) !== undefined);
  ajv.addFormat('plain-text', isPlainText);
  ajv.addFormat('bcrypt', isBcryptHash);
  ajv.addFormat('prose', isProse);
  ajv.addKeyword(numberOfKeyword(coerce));
  // For documents: handlers say in better words what goes together.
  ajv.addKeyword('oneOfFields');
  return ajv;
}

/** Ajv reads `1e999` as an infinite number, and then holds it to no bound. */
function infinities(values: unknown): Problem[] | undefined {
  const problems = Object.entries(values ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' && !Number.isFinite(value)
      ? [{ pointer: `/${escape(name)}`, message: 'must be a finite number' }]
      : [],
  );
  return problems.length === 0 ? undefined : problems;
}

/** Puts the integer in the place of the name that was given; strings of paths and queries may be the digits. */
function numberOfKeyword(coerce: boolean): FuncKeywordDefinition {
  return {
    keyword: 'numberOf',
    modifying: true,
    errors: false,
    error: {
      message: ({ schema }) =>
        str`must be one of ${describeNumbers(schema as Record<string, number>)}, by number or name`,
    },
    validate: (set: Record<string, number>, given: unknown, _schema: unknown, place?: DataPlace): boolean => {
      const isDigits = coerce && typeof given === 'string' && /^[0-9]{1,9}$/.test(given);
      const number = numberOf(set, isDigits ? Number(given) : given);
      if (number !== undefined && place !== undefined) place.parentData[place.parentDataProperty] = number;
      return number !== undefined;
    },
  };
}

type DataPlace = { parentData: Record<string | number, unknown>; parentDataProperty: string | number };

/** The schema with every object closed to fields that it does not name. */
function closed(schema: TSchema): TSchema {
  const copy: Record<string, unknown> = { ...schema };
  for (const [key, value] of Object.entries(copy)) {
    if (key === 'properties') {
      copy[key] = Object.fromEntries(
        Object.entries(value as Record<string, TSchema>).map(([name, inner]) => [name, closed(inner)]),
      );
    } else if (key === 'items') copy[key] = closed(value as TSchema);
    else if (key === 'anyOf' || key === 'oneOf') copy[key] = (value as TSchema[]).map(closed);
  }
  if (copy['type'] === 'object' && copy['additionalProperties'] === undefined) {
    copy['additionalProperties'] = false;
  }
  return copy;
}

function problem(error: ErrorObject): Problem {
  const field =
    error.keyword === 'required'
      ? `/${escape(String(error.params['missingProperty']))}`
      : error.keyword === 'additionalProperties'
        ? `/${escape(String(error.params['additionalProperty']))}`
        : error.keyword === 'propertyNames'
          ? `/${escape(String(error.params['propertyName']))}`
          : '';
  return { pointer: error.instancePath + field, message: message(error) };
}

function message(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
    case 'propertyNames':
      return 'is not a known field';
    case 'format':
      return FORMAT_MESSAGES[String(error.params['format'])] ?? 'is malformed';
    default:
      return error.message ?? 'is invalid';
  }
}

/** The bare identifier. What ajv-formats lets through with `urn:uuid:` before it, neither Postgres nor Redis takes. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const FORMAT_MESSAGES: Record<string, string> = {
  'email-address': 'must be an email address',
  bcrypt: 'must be a bcrypt hash, 2a, 2b or 2y, at a cost of 4 to 14',
  'plain-text': 'must be text without control characters or lone surrogates',
  prose: 'must be text without control characters or lone surrogates, but for line breaks and tabs',
  uuid: 'must be a UUID',
  'date-time': 'must be a date and time (RFC 3339)',
  uri: 'must be a URI',
};

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
