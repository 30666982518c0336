import { routes as adminRoutes } from '@gatehouse/admin';
import { routes as coreRoutes } from '@gatehouse/core';
import type { Route } from '@gatehouse/http';
import { format } from 'prettier';
import type { Schema } from './openapi/json-schema.ts';

/** Where the console's types of calls are, from the root. */
export const OPERATIONS_FILE = 'packages/web/src/console/api/operations.ts';

/** What of the APIs the console calls: all of Admin's, and of Core's what is about persons. */
const ROUTES: readonly Route<never>[] = [
  ...adminRoutes,
  ...coreRoutes.filter(({ path }) => /^\/person\b/.test(path)),
];

/** The types of every call that the console makes, made of the schemas that its answers are checked with. */
export async function operationTypes(): Promise<string> {
  const rows = ROUTES.filter(({ undocumented }) => !undocumented).map(
    (route) => `'${route.method.toUpperCase()} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}': {
      path: ${typeOf(route.params)};
      query: ${typeOf(route.query)};
      body: ${typeOf(route.body)};
      answer: ${route.response === undefined ? 'Record<string, never>' : typeOf(route.response)};
    };`,
  );
  return format(`${HEAD}export interface Operations {\n${rows.join('\n')}\n}\n`, {
    parser: 'typescript',
    printWidth: 110,
    singleQuote: true,
  });
}

const HEAD = `// Written by \`npm run openapi\` from the schemas of the routes.

/** The calls that the console makes: what they take and what they answer. */
`;

function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return 'undefined';
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.numberOf) return literals([...Object.values(schema.numberOf), ...Object.keys(schema.numberOf)]);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return literals(schema.enum);
  const types = [schema.type].flat();
  return types.map((type) => plainType(type, schema)).join(' | ');
}

function literals(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

function plainType(type: string | undefined, schema: Schema): string {
  switch (type) {
    case 'object':
      return objectType(schema);
    case 'array':
      return `readonly (${typeOf(schema.items)})[]`;
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    default:
      return 'unknown';
  }
}

function objectType({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    // What has a default may be left out.
    const isOptional = !required.includes(name) || field.default !== undefined;
    return `${JSON.stringify(name)}${isOptional ? '?' : ''}: ${typeOf(field)};`;
  });
  return fields.length === 0 ? 'Record<string, unknown>' : `{ ${fields.join(' ')} }`;
}
