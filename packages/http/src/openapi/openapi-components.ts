import { isDeepStrictEqual } from 'node:util';
import { describeNumbers, FAULTS, PROBLEMS_MAX, type TSchema } from '@gatehouse/schema';
import { ERRORS } from '../errors.ts';

/** An answer of an operation. */
export interface Answer {
  description: string;
  headers?: Record<string, { description: string; schema: { type: 'string' } }>;
  content?: Content;
}

/** Bodies by their media types. */
export type Content = Record<string, { schema: TSchema | { $ref: string }; example?: unknown }>;

/** Where a schema without a title of its own is kept, and under which name. */
export interface Named {
  name: string;
  components: Components;
}

/**
 * The schemas of a document that have a name: those with a `title`, wherever they stand, and each body and answer.
 *
 * @throws {Error} for two different schemas of one name.
 */
export class Components {
  readonly schemas: Record<string, object> = { Problem: PROBLEM };

  /** The schema of a body or an answer, as a reference where it is an object or a choice of them. */
  refer(schema: TSchema, name: string): TSchema | { $ref: string } {
    const isNamed = 'properties' in schema || 'anyOf' in schema;
    return this.#lift(Components.plain(schema), isNamed ? name : undefined);
  }

  #lift(schema: Plain, name?: string): Plain | { $ref: string } {
    const { title = name, ...rest } = schema;
    const lifted = {
      ...rest,
      ...(schema.properties && {
        properties: Object.fromEntries(
          Object.entries(schema.properties).map(([field, inner]) => [field, this.#lift(inner)]),
        ),
      }),
      ...(schema.items && { items: this.#lift(schema.items) }),
      ...(schema.anyOf && { anyOf: schema.anyOf.map((choice) => this.#lift(choice)) }),
    };
    if (title === undefined) return lifted;
    const known = this.schemas[title];
    if (known !== undefined && !isDeepStrictEqual(known, lifted)) {
      throw new Error(`two schemas have the name ${title}`);
    }
    this.schemas[title] = lifted;
    return { $ref: `#/components/schemas/${title}` };
  }

  /** Our own keywords in the words of JSON Schema. */
  static plain(schema: TSchema): Plain {
    return JSON.parse(JSON.stringify(schema), (_name, value: unknown) => {
      if (typeof value !== 'object' || value === null) return value;
      if ('numberOf' in value) return withoutNumberOf(value as NumberOf); // our own keyword has this shape
      if ('anyCaseOf' in value) return withoutAnyCase(value);
      if ('oneOfFields' in value) return withoutOneOfFields(value as OneOfFields); // and so has this one
      return value;
    }) as Plain; // a JSON schema stays one
  }
}

export const PROBLEM_REF = '#/components/schemas/Problem';

/** The members of a JSON schema that hold schemas. */
type Plain = TSchema & {
  title?: string;
  properties?: Record<string, Plain>;
  items?: Plain;
  anyOf?: Plain[];
};

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

/** A document shows the spelling that answers have. */
function withoutAnyCase({ anyCaseOf: _, ...rest }: { anyCaseOf: unknown }): object {
  return rest;
}

interface OneOfFields {
  oneOfFields: readonly (readonly string[])[];
}

function withoutOneOfFields({ oneOfFields, ...rest }: OneOfFields): object {
  return { ...rest, oneOf: oneOfFields.map((required) => ({ required })) };
}

const PROBLEM = {
  type: 'object',
  description:
    'A problem document (RFC 9457). Handle errors by `code`, which is stable; `title` and `detail` may change.',
  required: ['type', 'title', 'status', 'detail', 'code', 'traceId'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    traceId: { type: 'string', description: 'The trace ID of the request, as in the logs' },
    errors: {
      type: 'array',
      maxItems: PROBLEMS_MAX,
      description:
        'The invalid fields. A pointer (RFC 6901) refers to the request body, or starts with /query or /path.',
      items: {
        type: 'object',
        required: ['pointer', 'message', 'code'],
        properties: {
          pointer: { type: 'string' },
          message: { type: 'string', description: 'Human-readable description; may change' },
          code: { type: 'string', enum: Object.keys(FAULTS), description: 'Machine-readable code; stable' },
        },
      },
    },
    LoginStatus: {
      type: 'integer',
      description: 'The condition of the account, if that is why the request was rejected',
    },
    ReplacedBy: {
      type: 'object',
      description:
        'The login that replaced the session, if that is why the request was rejected and it is known',
      required: ['At'],
      properties: {
        DeviceName: { type: 'string' },
        UserAgent: { type: 'string' },
        At: { type: 'string', format: 'date-time' },
      },
    },
  },
};
