import type { ErrorObject } from 'ajv/dist/2020.js';
import { PROBLEMS_MAX, type FaultCode, type Problem } from './faults.ts';

export function problemsOf(errors: readonly ErrorObject[]): Problem[] {
  return errors.slice(0, PROBLEMS_MAX).map((error) => {
    const { keyword, params, instancePath, message = 'is invalid' } = error;
    const known = keyword === 'format' ? (FORMATS[String(params['format'])] ?? MALFORMED) : KEYWORDS[keyword];
    const [code, clearer]: Fault = known ?? ['malformed'];
    return { pointer: instancePath + fieldOf(error), message: clearer?.(params) ?? message, code };
  });
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

/** What a keyword refuses: the code, and the message if that of Ajv is not clear. */
type Fault = readonly [code: FaultCode, message?: (params: ErrorObject['params']) => string];

const KEYWORDS: Record<string, Fault> = {
  required: ['required', () => 'is required'],
  additionalProperties: ['unknown_field', () => 'is not a known field'],
  type: ['wrong_type', ({ type }) => `must be of type ${[type].flat().join(' or ')}`],
  minLength: ['too_short', ({ limit }) => `must have at least ${count(limit, 'character')}`],
  maxLength: ['too_long', ({ limit }) => `must have at most ${count(limit, 'character')}`],
  minItems: ['too_few', ({ limit }) => `must have at least ${count(limit, 'item')}`],
  maxItems: ['too_many', ({ limit }) => `must have at most ${count(limit, 'item')}`],
  minProperties: ['too_few', ({ limit }) => `must have at least ${count(limit, 'field')}`],
  minimum: ['too_small', ({ limit }) => `must be at least ${String(limit)}`],
  maximum: ['too_large', ({ limit }) => `must be at most ${String(limit)}`],
  const: ['unknown_value', ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`],
  anyOf: ['unknown_value', () => 'must have one of the documented forms'],
  enum: [
    'unknown_value',
    ({ allowedValues }) => `must be one of ${[allowedValues].flat().map(String).join(', ')}`,
  ],
  numberOf: ['unknown_value'],
};

function count(limit: unknown, noun: string): string {
  return `${String(limit)} ${noun}${limit === 1 ? '' : 's'}`;
}

const MALFORMED: Fault = ['malformed', () => 'is malformed'];
const FORMATS: Record<string, Fault> = {
  'email-address': ['not_an_email', () => 'must be an email address'],
  'plain-text': ['not_plain_text', () => 'must not contain control characters or unpaired surrogates'],
  prose: [
    'not_plain_text',
    () => 'must not contain unpaired surrogates, or control characters other than line breaks and tabs',
  ],
  uuid: ['not_a_uuid', () => 'must be a UUID'],
  'date-time': ['not_a_date_time', () => 'must be an RFC 3339 date and time'],
  uri: ['not_a_uri', () => 'must be a URI'],
};

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
