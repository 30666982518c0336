import type { Route } from '@gatehouse/http';

type Schema = NonNullable<Route<never>['body']>;

/** Returns a meaningful value for a field of this name; `undefined` if any value that matches its schema will do. */
export type Words = (field: string) => unknown;

/**
 * The smallest value that a schema accepts: required fields, and those of `also`. If `words` has a value for a field,
 * it is used whatever the schema says.
 */
export async function smallest(
  schema: Schema,
  words: Words,
  also: readonly string[] = [],
  field = '',
): Promise<unknown> {
  const known = field === '' ? undefined : await words(field);
  if (known !== undefined) return known;
  // A JSON Schema, of which these fields are read. TypeBox has a separate type for each kind.
  const { type, properties, required, items, minItems, anyOf, numberOf, ...rest } = schema as Members;
  if (rest.enum !== undefined) return rest.enum[0];
  if (rest.const !== undefined) return rest.const;
  if (numberOf !== undefined) return Object.values(numberOf)[0];
  if (anyOf?.[0] !== undefined) return smallest(anyOf[0], words, [], field);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object': {
      const names = [...(required ?? []), ...also];
      const fields = Object.entries(properties ?? {}).filter(([name]) => names.includes(name));
      const values = fields.map(async ([name, one]) => [name, await smallest(one, words, [], name)] as const);
      return Object.fromEntries(await Promise.all(values));
    }
    case 'array':
      if (items === undefined) return [];
      return Promise.all(Array.from({ length: minItems ?? 0 }, () => smallest(items, words)));
    case 'string':
      return STRINGS[rest.format ?? ''] ?? 'x'.repeat(Math.max(1, rest.minLength ?? 1));
    case 'integer':
    case 'number':
      return rest.minimum ?? 1;
    case 'boolean':
      return false;
    default:
      return 'x';
  }
}

interface Members {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  anyOf?: Schema[];
  numberOf?: Record<string, number>;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minLength?: number;
  minimum?: number;
}

const STRINGS: Record<string, string> = {
  uuid: '019a0000-0000-7000-8000-000000000000',
  'date-time': '2030-01-01T00:00:00.000Z',
  'email-address': 'nobody.in.particular@example.com',
  uri: 'https://example.com/',
};
