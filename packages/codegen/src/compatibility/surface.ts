import { DOCUMENT_FILE } from '../openapi/merged-document.ts';
import { itemsIn } from '../tables/markdown-table.ts';
import type { Schema } from '../openapi/client-operations.ts';
import { SchemaBreaks, type Schemas } from './schema-breaks.ts';

/** What is stable from 1.0.0 on (CHANGELOG.md), as the documents of one version describe it. */
export interface Surface {
  version: string;
  api: ApiDocument;
  /** The fields of each type of event; optional ones end with `?`. */
  events: Readonly<Record<string, readonly string[]>>;
  /** The default of each setting; `required` if it has none and must be set. */
  settings: Readonly<Record<string, string>>;
  /** The labels of each metric. */
  metrics: Readonly<Record<string, readonly string[]>>;
}

/** Tests keep the lists in line with the code. */
export function readSurface(read: (path: string) => string): Surface {
  const items = (path: string, name: string) => itemsIn(read(path), path, name);
  return {
    version: (JSON.parse(read('package.json')) as { version: string }).version,
    api: JSON.parse(read(DOCUMENT_FILE)) as ApiDocument, // written by the build
    events: Object.fromEntries(
      items('docs/events.md', 'events').map(([type, [data]]) => [type, words(data || 'UserId')]),
    ),
    settings: Object.fromEntries(
      items('docs/configuration.md', 'settings').map(([name, [, standard = 'none']]) => [name, standard]),
    ),
    metrics: Object.fromEntries(
      items('docs/operations.md', 'metrics').map(([name, [, labels = '']]) => [name, words(labels)]),
    ),
  };
}

/** The surface of the last release, as `npm run release` writes it. */
export const LAST_RELEASE = 'packages/codegen/src/compatibility/last-release.json';

/** Keys of an OpenAPI document that say nothing to `openapiBreaks`; no field of the API has such a name. */
const NOT_COMPARED = new Set(
  [
    'description',
    'summary',
    'example',
    'examples',
    'default',
    'format',
    'pattern',
    'tags',
    'security',
  ].concat(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'headers', 'servers']),
);

/** A surface as a small file: what is compared, with a line for each path, schema, event, setting and metric. */
export function surfaceText({ version, api: { paths, components }, events, settings, metrics }: Surface) {
  const { schemas, responses } = components;
  const api = { paths, components: { schemas, responses } };
  const text = (value: unknown, depth: number): string => {
    const line = JSON.stringify(value, (key, part: unknown) => (NOT_COMPARED.has(key) ? undefined : part));
    if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return line;
    const parts = Object.entries(value).map(
      ([key, part]) => `${JSON.stringify(key)}:${text(part, depth - 1)}`,
    );
    return `{\n${parts.join(',\n')}\n}`;
  };
  return `${text({ version, events, settings, metrics, api }, 4)}\n`;
}

export function breaksBetween(before: Surface, after: Surface): string[] {
  return [
    ...new Set(openapiBreaks(before.api, after.api)),
    ...removed('event', before.events, after.events),
    ...removed('setting', before.settings, after.settings),
    ...Object.entries(after.settings)
      .filter(([name, standard]) => standard === 'required' && before.settings[name] !== 'required')
      .map(([name]) => `setting ${name}: now required`),
    ...removed('metric', before.metrics, after.metrics),
  ];
}

/** Whether a version may break what an earlier one promised: only a new major version, or one before 1.0.0. */
export function mayBreak(before: string, after: string): boolean {
  const [major = ''] = before.split('.');
  return major === '0' || major !== after.split('.')[0];
}

type Parts = Readonly<Record<string, string | readonly string[]>>;

function removed(kind: string, before: Parts, after: Parts): string[] {
  return Object.entries(before).flatMap(([name, parts]) => {
    const now = after[name];
    if (now === undefined) return [`${kind} ${name}: removed`];
    if (typeof parts === 'string') return [];
    return parts
      .filter((part) => !now.includes(part) && !now.includes(part.replace(/\?$/, '')))
      .map(
        (part) =>
          `${kind} ${name}: ${part} ${now.includes(`${part}?`) ? 'no longer always there' : 'removed'}`,
      );
  });
}

function words(cell: string): string[] {
  return cell.split(', ').filter(Boolean);
}

interface ApiDocument {
  paths: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Schemas; responses: Record<string, ApiAnswer> };
}

interface ApiOperation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, ApiAnswer>;
}

interface ApiAnswer {
  $ref?: string;
  content?: Content;
}

type Content = Record<string, { schema: Schema }>;

function openapiBreaks(before: ApiDocument, after: ApiDocument): string[] {
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
