import type { TSchema } from '@gatehouse/schema';
import type { EventType } from './contracts.ts';
import { schemaOf } from './event.ts';

/**
 * The JSON schema of a complete event of a type, as published to consumers. It describes nothing of the sealed part,
 * and uses patterns instead of formats, so that every validator supports it.
 */
export function publishedSchemaOf(type: EventType): object {
  const schema = schemaOf(type);
  return plain({
    ...schema,
    properties: { ...schema.properties, data: withoutMail(schema.properties.data) },
  });
}

function withoutMail(data: TSchema): object {
  const { properties, required = [], ...rest } = data as unknown as Plain & { required?: string[] }; // an object's
  return {
    ...rest,
    required: required.filter((name) => name !== 'Mail'),
    properties: Object.fromEntries(Object.entries(properties ?? {}).filter(([name]) => name !== 'Mail')),
  };
}

interface Plain {
  format?: string;
  properties?: Record<string, object>;
  items?: object;
}

function plain(schema: object): object {
  const { format, properties, items, ...rest } = schema as Plain; // as any schema may have them
  return {
    ...rest,
    ...(format !== undefined && { pattern: PATTERNS[format] ?? unknown(format) }),
    ...(items && { items: plain(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, plain(inner)])),
    }),
  };
}

const PATTERNS: Partial<Record<string, string>> = {
  uuid: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
  'date-time': '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$',
  'plain-text': '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
};

function unknown(format: string): never {
  throw new Error(`a published schema has no pattern for the format ${format}`);
}
