import { SchemaBreaks, type JsonSchema, type Schemas } from './schema-breaks.ts';

/** The parts of an OpenAPI document that clients depend on. */
export interface ApiDocument {
  paths: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Schemas; responses: Record<string, ApiAnswer> };
}

interface ApiOperation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema: JsonSchema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, ApiAnswer>;
}

interface ApiAnswer {
  $ref?: string;
  content?: Content;
}

type Content = Record<string, { schema: JsonSchema }>;

/** What of an OpenAPI document no longer holds for clients that were written for it. */
export function openapiBreaks(before: ApiDocument, after: ApiDocument): string[] {
  const sides = { before: before.components.schemas, after: after.components.schemas };
  const [input, output] = [new SchemaBreaks(sides, 'input'), new SchemaBreaks(sides, 'output')];
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, was]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const is = after.paths[path]?.[method];
      if (is === undefined) return [`${name}: removed`];
      return [
        ...(was.operationId === is.operationId
          ? []
          : [`${name}: ${was.operationId} is now ${is.operationId}`]),
        ...parameterBreaks(name, { was, is, input }),
        ...bodyBreaks(name, { was, is, input }),
        ...answerBreaks(name, { was, is, output, before, after }),
      ];
    }),
  );
}

interface Operations {
  was: ApiOperation;
  is: ApiOperation;
}

function parameterBreaks(name: string, { was, is, input }: Operations & { input: SchemaBreaks }): string[] {
  const keyOf = (one: { name: string; in: string }): string => `${one.in} ${one.name}`;
  const earlier = new Map((was.parameters ?? []).map((one) => [keyOf(one), one]));
  const now = new Map((is.parameters ?? []).map((one) => [keyOf(one), one]));
  return [
    ...[...earlier].flatMap(([key, one]) => {
      const same = now.get(key);
      return same === undefined
        ? [`${name}: ${key} removed`]
        : input.find(`${name} ${key}`, one.schema, same.schema);
    }),
    ...[...now]
      .filter(([key, { required }]) => required === true && earlier.get(key)?.required !== true)
      .map(([key]) => `${name}: ${key} now required`),
  ];
}

function bodyBreaks(name: string, { was, is, input }: Operations & { input: SchemaBreaks }): string[] {
  if (is.requestBody?.required === true && was.requestBody?.required !== true) {
    return [`${name}: a body is now required`];
  }
  return contentBreaks(`${name} body`, was.requestBody?.content, is.requestBody?.content, input);
}

function answerBreaks(
  name: string,
  {
    was,
    is,
    output,
    before,
    after,
  }: Operations & Record<'before' | 'after', ApiDocument> & { output: SchemaBreaks },
): string[] {
  return Object.entries(was.responses).flatMap(([status, answer]) => {
    const now = is.responses[status];
    // An operation may stop refusing. That a code is gone altogether is found in the schema of problems.
    if (now === undefined) return status.startsWith('2') ? [`${name}: answer ${status} removed`] : [];
    const [from, to] = [answerOf(answer, before), answerOf(now, after)];
    return contentBreaks(`${name} ${status}`, from.content, to.content, output);
  });
}

function contentBreaks(place: string, was: Content = {}, is: Content = {}, schemas: SchemaBreaks): string[] {
  return Object.entries(was).flatMap(([type, { schema }]) => {
    const now = is[type];
    return now === undefined ? [`${place}: ${type} removed`] : schemas.find(place, schema, now.schema);
  });
}

function answerOf(answer: ApiAnswer, { components }: ApiDocument): ApiAnswer {
  const name = answer.$ref?.split('/').at(-1);
  return name === undefined ? answer : (components.responses[name] ?? {});
}
