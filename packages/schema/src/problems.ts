import type { ErrorObject } from 'ajv/dist/2020.js';
import { PROBLEMS_MAX, type FaultCode, type Problem } from './faults.ts';

export function problemsOf(errors: readonly ErrorObject[]): Problem[] {
  return errors.slice(0, PROBLEMS_MAX).map((error) => ({
    pointer: error.instancePath + fieldOf(error),
    message: messageOf(error),
    code: codeOf(error),
  }));
}

/** Finds infinite numbers: Ajv reads `1e999` as one, and then applies no limit to it. */
export function findInfiniteNumbers(values: unknown): Problem[] | undefined {
  const problems = Object.entries(values ?? {}).flatMap(([name, value]): Problem[] =>
    typeof value === 'number' && !Number.isFinite(value)
      ? [{ pointer: `/${escape(name)}`, message: 'must be a finite number', code: 'too_large' }]
      : [],
  );
  return problems.length === 0 ? undefined : problems;
}

/** The name of a missing or unknown field, which Ajv does not include in the path. */
function fieldOf({ keyword, params }: ErrorObject): string {
  if (keyword === 'required') return `/${escape(String(params['missingProperty']))}`;
  if (keyword === 'additionalProperties') return `/${escape(String(params['additionalProperty']))}`;
  return '';
}

function messageOf({ keyword, params, message }: ErrorObject): string {
  if (keyword === 'format') return FORMATS[String(params['format'])]?.message ?? 'is malformed';
  return MESSAGES[keyword]?.(params) ?? message ?? 'is invalid';
}

function codeOf({ keyword, params }: ErrorObject): FaultCode {
  if (keyword === 'format') return FORMATS[String(params['format'])]?.code ?? 'malformed';
  return CODES[keyword] ?? 'malformed';
}

/** Replaces messages of Ajv that are not clear. */
const MESSAGES: Record<string, (params: ErrorObject['params']) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
  type: ({ type }) => `must be of type ${[type].flat().join(' or ')}`,
  minLength: ({ limit }) => `must have at least ${count(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${count(limit, 'character')}`,
  minItems: ({ limit }) => `must have at least ${count(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${count(limit, 'item')}`,
  minProperties: ({ limit }) => `must have at least ${count(limit, 'field')}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  anyOf: () => 'must have one of the documented forms',
  enum: ({ allowedValues }) => `must be one of ${[allowedValues].flat().map(String).join(', ')}`,
};

function count(limit: unknown, noun: string): string {
  return `${String(limit)} ${noun}${limit === 1 ? '' : 's'}`;
}

const CODES: Record<string, FaultCode> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  type: 'wrong_type',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  maximum: 'too_large',
  minItems: 'too_few',
  minProperties: 'too_few',
  maxItems: 'too_many',
  enum: 'unknown_value',
  const: 'unknown_value',
  anyOf: 'unknown_value',
  numberOf: 'unknown_value',
  pattern: 'malformed',
};

const FORMATS: Record<string, { message: string; code: FaultCode }> = {
  'email-address': { message: 'must be an email address', code: 'not_an_email' },
  'plain-text': {
    message: 'must not contain control characters or unpaired surrogates',
    code: 'not_plain_text',
  },
  prose: {
    message: 'must not contain unpaired surrogates, or control characters other than line breaks and tabs',
    code: 'not_plain_text',
  },
  uuid: { message: 'must be a UUID', code: 'not_a_uuid' },
  'date-time': { message: 'must be an RFC 3339 date and time', code: 'not_a_date_time' },
  uri: { message: 'must be a URI', code: 'not_a_uri' },
};

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
