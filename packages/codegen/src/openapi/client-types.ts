import { FaceMatchType } from '@gatehouse/events';
import type { OpenApi } from '@gatehouse/http';
import { describeNumbers, LoginStatus, PingStatus, SessionStatus } from '@gatehouse/schema';
import { answersWithJson, clientOperations, operationsOf } from './client-operations.ts';
import type { ClientOperation, Schema } from './client-operations.ts';
import { ALL_ROUTES, nameOf } from './merged-document.ts';

const TYPES_FILE = 'packages/client/src/api/api-types.ts';
const TABLE_FILE = 'packages/client/src/api/operation-table.ts';

/** Numbered sets: their integers have the same type wherever they are used. */
const SETS: Record<string, Readonly<Record<string, number>>> = {
  LoginStatus,
  PingStatus,
  SessionStatus,
  FaceMatchType,
};
/** Enumerations that are used in one place of the documents and get a separate type name. */
const WORDS: Record<string, [schema: string, field: string]> = {
  ErrorCode: ['Problem', 'code'],
  FaultCode: ['FieldError', 'code'],
};

/** The types of all bodies and responses, and the calls of `auth.api`, by file. */
export function clientTypes(document: OpenApi): Map<string, string> {
  const schemas = Object.entries(document.components.schemas as Record<string, Schema>);
  const operations = clientOperations(document);
  const types = [
    TYPES_HEAD,
    ...Object.entries(SETS).map(([name, set]) => setType(name, set)),
    ...schemas.flatMap(([name, schema]) => wordTypes(name, schema)),
    ...schemas.filter(([name]) => !(name in SETS)).map(([name, schema]) => namedType(name, schema)),
    `/** The calls of \`auth.api\`: what they take, and what they answer. */
export interface Operations {
${operations.map(operationType).join('\n')}
}`,
  ];
  const rows = operations.map(({ name, method, path }) => `${name} ${method} ${path}`);
  const table = `${TYPES_HEAD}
/** Maps the name of each call to its method and path. */
export const OPERATION_TABLE = \`${rows.join('\n')}\`;
`;
  return new Map([
    [TYPES_FILE, `${types.join('\n\n')}\n`],
    [TABLE_FILE, table],
  ]);
}

const TYPES_HEAD = '// Written by `npm run build` from the schemas of the routes.\n';

function setType(name: string, set: Readonly<Record<string, number>>): string {
  return `export const ${name} = ${JSON.stringify(set)} as const;
export type ${name} = (typeof ${name})[keyof typeof ${name}];`;
}

function wordTypes(name: string, schema: Schema): string[] {
  return Object.entries(WORDS)
    .filter(([, [owner]]) => owner === name)
    .map(([word, [, field]]) => `export type ${word} = ${literals(schema.properties?.[field]?.enum ?? [])};`);
}

function namedType(name: string, schema: Schema): string {
  const comment = commentOf(schema);
  if (schema.properties === undefined || Object.keys(schema.properties).length === 0) {
    return `${comment}export type ${name} = ${typeOf(schema)};`;
  }
  const fields = fieldsOf(
    schema,
    (field) => Object.entries(WORDS).find(([, [owner, of]]) => owner === name && of === field)?.[0],
  );
  return `${comment}export interface ${name} ${fields}`;
}

function operationType(operation: ClientOperation): string {
  return `/** ${operation.summary}. */
${operation.name}: ${operationShape(operation)};`;
}

function operationShape({ input, inputType, answer }: ClientOperation): string {
  const parts = [
    ...(inputType === undefined ? [] : [inputType]),
    ...(input === undefined ? [] : [fieldsOf(input)]),
  ];
  const taken = parts.length === 0 ? 'object | undefined' : parts.join(' & ');
  return `{ input: ${taken}; answer: ${answer === undefined ? 'undefined' : typeOf(answer)} }`;
}

function typeOf(schema: Schema): string {
  const set = setOf(schema);
  if (set !== undefined) return set;
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.oneOf) return schema.oneOf.map(typeOf).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return literals(schema.enum);
  return [schema.type]
    .flat()
    .map((type) => plainType(type, schema))
    .join(' | ');
}

/** The name of its numbered set: responses contain the integers, requests accept them or the names. */
function setOf({ enum: values, anyOf = [], description = '' }: Schema): string | undefined {
  for (const [name, set] of Object.entries(SETS)) {
    const isSame = (given: readonly unknown[] | undefined, all: readonly unknown[]) =>
      JSON.stringify(given) === JSON.stringify(all);
    if (isSame(values, Object.values(set)) && description.includes(describeNumbers(set))) return name;
    if (anyOf.some((choice) => isSame(choice.enum, Object.keys(set))))
      return `${name} | keyof typeof ${name}`;
  }
  return undefined;
}

function literals(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

function plainType(type: string | undefined, schema: Schema): string {
  switch (type) {
    case 'object':
      return objectType(schema);
    case 'array':
      return `readonly (${typeOf(schema.items ?? {})})[]`;
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

function objectType(schema: Schema): string {
  const { properties = {}, additionalProperties } = schema;
  if (Object.keys(properties).length > 0) return fieldsOf(schema);
  return typeof additionalProperties === 'object'
    ? `Readonly<Record<string, ${typeOf(additionalProperties)}>>`
    : 'Readonly<Record<string, unknown>>';
}

function fieldsOf(
  { properties = {}, required = [] }: Schema,
  typeNameOf?: (field: string) => string | undefined,
): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    // A field with a default is optional.
    const isOptional = !required.includes(name) || field.default !== undefined;
    return `${commentOf(field)}${name}${isOptional ? '?' : ''}: ${typeNameOf?.(name) ?? typeOf(field)};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}

function commentOf({ description }: Schema): string {
  return description === undefined
    ? ''
    : `/** ${description.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`;
}

const OPERATIONS_FILE = 'packages/web/src/console/api/operations.ts';

/** The calls of the console by method and path: those of `gatehouse-client`, and those that only browsers can make. */
export function operationTypes(document: OpenApi): Map<string, string> {
  const ofClient = new Set(clientOperations(document).map(({ name }) => name));
  const names = consoleRoutes();
  const operations = operationsOf(document, answersWithJson).filter(({ method, path }) =>
    names.has(`${method} ${path}`),
  );
  const used = new Set<string>();
  const rows = operations.map((operation) => {
    const { name, method, path } = operation;
    if (ofClient.has(name)) return `'${method} ${path}': Calls['${name}'];`;
    const shape = operationShape(operation);
    const code = shape.replaceAll(/\/\*\*.*?\*\//gs, '');
    for (const [type] of code.matchAll(/\b[A-Z]\w+/g))
      if (type in document.components.schemas) used.add(type);
    return `'${method} ${path}': ${shape};`;
  });
  const text = `${TYPES_HEAD}
import type { Operations as Calls, ${[...used].toSorted().join(', ')} } from 'gatehouse-client';

/** The calls that the console makes: what they take, and what they answer. */
export interface Operations {
${rows.join('\n')}
}
`;
  return new Map([[OPERATIONS_FILE, text]]);
}

/** All routes of Admin, and the routes of Core about persons. */
function consoleRoutes(): Set<string> {
  return new Set(
    ALL_ROUTES.filter(
      ({ api, route }) => api === 'Admin' || (api === 'Core' && /^\/person\b/.test(route.path)),
    ).map(({ route }) => nameOf(route)),
  );
}
