import type { OpenApi } from '@gatehouse/http';

/** The subset of JSON Schema that our schemas and documents use. */
export interface Schema {
  $ref?: string;
  title?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  default?: unknown;
  additionalProperties?: Schema | boolean;
  description?: string;
  /** Our own keyword: one of these integers or names (`OneOf`). */
  numberOf?: Readonly<Record<string, number>>;
}

type Operation = OpenApi['paths'][string][string];

/** A call of `auth.api`. */
export interface ClientOperation {
  name: string;
  summary: string;
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  /** The name of the type of its body. */
  inputType: string | undefined;
  /** What stands in path and query. */
  input: Schema | undefined;
  answer: Schema | undefined;
}

/** What the client does itself, so that its own idea of the session stays true. */
const OWN = ['login', 'refreshToken', 'logout', 'pingSession', 'renewSignOn'];

/** The calls of all three APIs that a client with tokens can make and that answer once, with JSON or text. */
export function clientOperations(document: OpenApi): ClientOperation[] {
  return operationsOf(document, (operation, path) => {
    const isForBrowsers = path.startsWith('/console') || path.endsWith('/exchange');
    const takesLines = operation.requestBody?.content['application/x-ndjson'] !== undefined;
    return (
      !OWN.includes(operation.operationId) && !isForBrowsers && !takesLines && answersWithJson(operation)
    );
  });
}

export function operationsOf(
  { paths, components }: OpenApi,
  isWanted: (operation: Operation, path: string) => boolean,
): ClientOperation[] {
  const schemas = components.schemas as Record<string, Schema>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isWanted(operation, path))
      .map(([method, operation]) => clientOperation(path, method, operation, schemas)),
  );
}

function clientOperation(
  path: string,
  method: string,
  operation: Operation,
  schemas: Record<string, Schema>,
): ClientOperation {
  const parameters = (operation.parameters ?? []).filter((one) => one.in !== 'header');
  const body: { $ref?: string } | undefined = operation.requestBody?.content['application/json']?.schema;
  const inputType = body?.$ref?.split('/').at(-1);
  const { properties = {}, oneOf } = schemas[inputType ?? ''] ?? {};
  const hasFields = oneOf !== undefined || Object.keys(properties).length > 0;
  return {
    name: operation.operationId,
    summary: operation.summary,
    method: method.toUpperCase(),
    path,
    inputType: hasFields ? inputType : undefined,
    input:
      parameters.length === 0
        ? undefined
        : {
            properties: Object.fromEntries(
              parameters.map(({ name, schema, description }) => [name, { ...schema, description } as Schema]),
            ),
            required: parameters.filter(({ required }) => required).map(({ name }) => name),
          },
    answer: answerOf(operation),
  };
}

/** Redirects lead browsers away, events are a stream, and forms are for other programs than our clients. */
export function answersWithJson({ responses, requestBody }: Operation): boolean {
  const types = Object.values(responses).flatMap(({ content = {} }) => Object.keys(content));
  if ('application/x-www-form-urlencoded' in (requestBody?.content ?? {})) return false;
  return !('303' in responses) && !types.includes('text/event-stream');
}

function answerOf({ responses }: Operation): Schema | undefined {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const schemas = good.flatMap(([, { content = {} }]) =>
    Object.values(content).map(({ schema }) => schema as Schema),
  );
  return schemas.length === 0 ? undefined : { anyOf: schemas };
}
