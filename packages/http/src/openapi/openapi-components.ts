import { isDeepStrictEqual } from 'node:util';
import { describeNumbers, FAULTS, Integers, LoginStatus, PROBLEMS_MAX, Type } from '@gatehouse/schema';
import type { TSchema } from '@gatehouse/schema';
import { ActiveSession, ERRORS, ReplacedBy } from '../errors.ts';

export interface Answer {
  description: string;
  headers?: Record<string, { description: string; schema: { type: 'string' } } | { $ref: string }>;
  content?: Content;
}

export type Content = Record<string, { schema: TSchema | { $ref: string }; example?: unknown }>;

export interface Named {
  name: string;
  components: Components;
}

/**
 * The named schemas of a document: those with a `title`, wherever they are used, and each request and response body.
 * Generated clients have a type of this name for each.
 *
 * @throws {Error} if two different schemas have the same name, or an object inside another schema has no name.
 */
export class Components {
  readonly schemas: Record<string, object> = {};
  readonly responses: Record<string, Answer> = {};

  constructor() {
    this.refer(Problem, 'Problem');
  }

  /** The schema of a body: a reference if it is an object or a union of objects. */
  refer(schema: TSchema, name: string): TSchema | Reference {
    const plain = Components.plain(schema);
    const isNamed = ['properties', 'anyOf', 'oneOf'].some((keyword) => keyword in plain);
    return this.#lift(plain, { name: isNamed ? name : undefined, place: name });
  }

  /** A response that several operations have: a reference to it. The same name means the same response. */
  share(name: string, answer: Answer): Reference {
    this.responses[name] = answer;
    return { $ref: `#/components/responses/${name}` };
  }

  #lift(schema: Plain, { name, place }: { name?: string | undefined; place: string }): Plain | Reference {
    const { title = name, ...rest } = schema;
    const inner = (one: Plain, step: string) => this.#lift(one, { place: `${place}.${step}` });
    const fields = Object.entries(schema.properties ?? {});
    const lifted: Plain = {
      ...rest,
      ...(schema.properties && {
        properties: Object.fromEntries(fields.map(([field, one]) => [field, inner(one, field)])),
      }),
      ...(schema.items && { items: inner(schema.items, 'items') }),
      ...(schema.oneOf && {
        oneOf: schema.oneOf.map((form) =>
          inner({ ...form, title: `${title ?? ''}${form.title ?? ''}` }, 'oneOf'),
        ),
      }),
      ...(schema.anyOf && { anyOf: schema.anyOf.map((choice, at) => inner(choice, String(at))) }),
    };
    if (title === undefined) {
      if (fields.length === 0) return lifted;
      throw new Error(`the schema of ${place} is an object without a name: give it a title`);
    }
    if (!isOrNull(lifted)) return this.#keep(title, lifted);
    return { anyOf: [this.#keep(title, { ...lifted, type: 'object' }), { type: 'null' }] };
  }

  #keep(name: string, schema: Plain): Reference {
    const known = this.schemas[name];
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new Error(`two schemas have the name ${name}`);
    this.schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Replaces our own keywords by keywords of JSON Schema. */
  static plain(schema: TSchema): Plain {
    const known = PLAIN.get(schema) ?? plainOf(schema);
    PLAIN.set(schema, known);
    return known;
  }
}

/** The results of `plainOf`: many routes use the same schemas. */
const PLAIN = new WeakMap<TSchema, Plain>();

function plainOf(schema: TSchema): Plain {
  return JSON.parse(JSON.stringify(schema), (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('numberOf' in value) return withoutNumberOf(value as NumberOf); // our own keyword has this shape
    if ('anyCaseOf' in value) return withoutAnyCase(value);
    if ('oneOfFields' in value) return withoutOneOfFields(value as OneOfFields); // and so has this one
    if ('patternProperties' in value) return withoutPatterns(value as ByPattern); // and this is TypeBox's
    return value;
  }) as Plain; // a JSON schema stays one
}

export const PROBLEM_REF = '#/components/schemas/Problem';

export interface Reference {
  $ref: string;
}

type Plain = TSchema & {
  title?: string;
  type?: string | string[];
  properties?: Record<string, Plain>;
  items?: Plain;
  anyOf?: Plain[];
  oneOf?: Plain[];
};

function isOrNull({ type, properties }: Plain): boolean {
  return properties !== undefined && Array.isArray(type) && type.includes('null');
}

interface NumberOf {
  numberOf: Record<string, number>;
  description?: string;
}

function withoutNumberOf({ numberOf, description, ...rest }: NumberOf): object {
  return {
    anyOf: [
      { type: 'integer', enum: Object.values(numberOf) },
      { type: 'string', enum: Object.keys(numberOf) },
    ],
    description: [description, describeNumbers(numberOf)].filter(Boolean).join(': '),
    ...rest,
  };
}

/** Documents show only the spelling used in responses. */
function withoutAnyCase({ anyCaseOf: _, ...rest }: { anyCaseOf: unknown }): object {
  return rest;
}

interface OneOfFields {
  oneOfFields: Readonly<Record<string, readonly string[]>>;
  properties: Readonly<Record<string, object>>;
  required?: readonly string[];
  title?: string;
  description?: string;
  examples?: unknown;
}

/** Only documents have this union: a validator would complain about every form. */
function withoutOneOfFields({ oneOfFields, properties, required = [], ...rest }: OneOfFields): object {
  const { title, description, examples } = rest;
  const nameOf = (field: string): string => field.replace(/\?$/, '');
  const ofForms = new Set(Object.values(oneOfFields).flat().map(nameOf));
  const oneOf = Object.entries(oneOfFields).map(([form, fields]) => {
    const names = new Set(fields.map(nameOf));
    return {
      title: form,
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(properties).filter(([name]) => names.has(name) || !ofForms.has(name)),
      ),
      required: [...required, ...fields.filter((field) => !field.endsWith('?'))],
    };
  });
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    oneOf,
  };
}

interface ByPattern {
  patternProperties: Record<string, unknown>;
}

/** For a record with arbitrary names, code generators understand only `additionalProperties`. */
function withoutPatterns({ patternProperties, ...rest }: ByPattern): object {
  const [[pattern, values] = []] = Object.entries(patternProperties);
  if (pattern !== '^.*$') throw new Error(`a document cannot say which names ${pattern} allows`);
  return { ...rest, additionalProperties: values };
}

const FieldError = Type.Object(
  {
    pointer: Type.String({
      description:
        'A JSON Pointer (RFC 6901) into the request body, or one that starts with `/query` or `/path`',
      examples: ['/Email'],
    }),
    message: Type.String({ description: 'Human-readable description; may change' }),
    code: Type.Enum(Object.keys(FAULTS), { type: 'string', description: 'Machine-readable code; stable' }),
  },
  { title: 'FieldError', description: 'An invalid field' },
);

/** The body of every error response, as the documents show it. */
const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', examples: ['urn:gatehouse:problem:invalid_request'] }),
    title: Type.String({ examples: ['Invalid request'] }),
    status: Type.Integer({ examples: [400] }),
    detail: Type.String({ examples: ['The request failed validation'] }),
    code: Type.Enum(Object.keys(ERRORS), { type: 'string' }),
    traceId: Type.String({
      description: 'The trace ID of the request, as in the logs',
      examples: ['4bf92f3577b34da6a3ce929d0e0e4736'],
    }),
    errors: Type.Optional(
      Type.Array(FieldError, { maxItems: PROBLEMS_MAX, description: 'The invalid fields' }),
    ),
    LoginStatus: Type.Optional(Integers(LoginStatus, 'LoginStatus')),
    DisabledUntil: Type.Optional(Type.String({ format: 'date-time' })),
    DisabledReason: Type.Optional(Type.String()),
    ReplacedBy: Type.Optional(ReplacedBy),
    Active: Type.Optional(Type.Array(ActiveSession)),
    TakeOverToken: Type.Optional(Type.String()),
  },
  {
    title: 'Problem',
    description:
      'A problem document (RFC 9457). Handle errors by `code`, which is stable; `title` and `detail` may ' +
      'change. `LoginStatus` is the condition of the account, `DisabledUntil` and `DisabledReason` what its owner may ' +
      'know of it, and `ReplacedBy` the login that replaced the session, if that is the reason for the error. With `session_exists`, `Active` has the sessions in the way, least ' +
      'recently seen first, and the `TakeOverToken` repeats the login and ends the first.',
  },
);
