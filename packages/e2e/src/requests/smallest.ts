import type { Route } from '@gatehouse/http';
import { exampleOf } from '@gatehouse/schema';

type Schema = NonNullable<Route<never>['body']>;

/** Returns a meaningful value for a field of this name; `undefined` if the example of its schema will do. */
export type Words = (field: string) => unknown;

/**
 * The smallest example that a schema accepts: the fields that are required, those of the first choice, and those of
 * `also`. If `words` has a value for a field, it is used whatever the schema says.
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
  const { properties, required = [], oneOfFields = {}, items, minItems = 0, anyOf } = schema as Members;
  if (anyOf?.[0] !== undefined) return smallest(anyOf[0], words, [], field);
  if (properties !== undefined) {
    const names = [...required, ...(Object.values(oneOfFields)[0] ?? []), ...also];
    const fields = Object.entries(properties).filter(([name]) => names.includes(name));
    const values = fields.map(async ([name, one]) => [name, await smallest(one, words, [], name)] as const);
    return Object.fromEntries(await Promise.all(values));
  }
  if (items !== undefined) return Promise.all(Array.from({ length: minItems }, () => smallest(items, words)));
  return exampleOf(schema, field);
}

interface Members {
  properties?: Record<string, Schema>;
  required?: string[];
  oneOfFields?: Record<string, string[]>;
  items?: Schema;
  minItems?: number;
  anyOf?: Schema[];
}
