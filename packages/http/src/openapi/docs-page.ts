import { createHash } from 'node:crypto';
import type { TSchema } from '@gatehouse/schema';
import type { Content } from './openapi-components.ts';
import type { OpenApi, Operation } from './openapi.ts';

/** An OpenAPI document as one page without scripts: every operation with its fields, answers and refusals. */
export function docsPage(document: OpenApi): string {
  const { title, version, description } = document.info;
  const operations = Object.entries(withoutReferences(document)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const index = operations.map(
    ({ path, method, operation }) =>
      html`<li>
        <a href="#${operation.operationId}"><code>${method.toUpperCase()} ${path}</code></a>
        ${operation.summary}
      </li>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>
          <h1>${title} <small>${version}</small></h1>
          <p>${description}</p>
          <p>For programs: <a href="/openapi.json">openapi.json</a></p>
          <ul>
            ${index}
          </ul>
          ${operations.map(({ path, method, operation }) => section(path, method, operation))}
        </main>
      </body>
    </html> `.text;
}

/** The paths, each reference replaced by its schema. */
function withoutReferences({ paths, components }: OpenApi): OpenApi['paths'] {
  const expand = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_name, inner: unknown) => {
      const reference = (inner as { $ref?: string } | null)?.$ref;
      return reference === undefined ? inner : expand(components.schemas[reference.split('/').at(-1) ?? '']);
    });
  return expand(paths) as OpenApi['paths']; // the same paths
}

function section(path: string, method: string, operation: Operation): Html {
  const { requestBody, parameters = [] } = operation;
  return html`<section id="${operation.operationId}">
    <h2><code>${method.toUpperCase()} ${path}</code></h2>
    <p>${operation.summary}.</p>
    <p>${operation.description}</p>
    ${list(parameters.map((field) => fieldLine(`${field.name} (${field.in})`, field.schema, field.required)))}
    ${
      requestBody
        ? html`<h3>Body</h3>
            ${shape(requestBody.content)}`
        : ''
    }
    ${Object.entries(operation.responses).map(
      ([status, answer]) =>
        html`<h3>${status}</h3>
          <p>${answer.description.replaceAll('`', '')}</p>
          ${shape(answer.content)}`,
    )}
  </section> `;
}

function shape(content: Content = {}): Html[] {
  return Object.entries(content)
    .filter(([kind]) => kind !== 'application/problem+json')
    .map(
      ([kind, { schema }]) =>
        html`<p><small>${kind}</small></p>
          ${tree(schema)}`,
    );
}

/** A schema’s fields as nested lists. */
function tree(schema: Shape): Html {
  const { properties, required = [], items, anyOf } = schema;
  if (anyOf) return list(anyOf.map((kind) => fieldLine('either', kind, true)));
  if (items) return list([fieldLine('each', items, true)]);
  const fields = Object.entries(properties ?? {});
  return list(fields.map(([name, field]) => fieldLine(name, field, required.includes(name))));
}

function list(lines: Html[]): Html {
  if (lines.length === 0) return html``;
  return html`<ul>
    ${lines}
  </ul>`;
}

function fieldLine(name: string, schema: Shape, isRequired: boolean): Html {
  const { format, minLength, maxLength, minimum, maximum } = schema;
  const facts = [
    schema.type ?? '',
    format ?? '',
    range(minLength, maxLength, 'long'),
    range(minimum, maximum, ''),
    'const' in schema ? JSON.stringify(schema.const) : '',
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
    isRequired ? '' : 'optional',
  ].filter((fact) => fact !== '');
  return html`<li>
    <code>${name}</code> <small>${facts.join(', ')}</small> ${schema.description ?? ''}${tree(schema)}
  </li>`;
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return '';
  return `${least ?? ''} to ${most ?? ''} ${unit}`.trim();
}

/** What the page shows of a JSON schema. */
type Shape = TSchema & {
  type?: string;
  format?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  const?: unknown;
  default?: unknown;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
};

/** Markup. Text is escaped to become it. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function raw(text: string): Html {
  return new Html(text);
}

function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  const texts = values.map((value) =>
    typeof value === 'string'
      ? escaped(value)
      : [value]
          .flat()
          .map(({ text }) => text)
          .join(''),
  );
  return new Html(String.raw({ raw: parts }, ...texts));
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff;overflow-wrap:anywhere}
section{border-top:1px solid #ccc;margin-top:2rem}h3{margin:1rem 0 0}ul{margin:.25rem 0}p{margin:.25rem 0}
small{color:#555;font-weight:normal}code{background:#f2f2f2;padding:.1em .25em}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}small{color:#aaa}code{background:#2a2a2a}a{color:#8ab4f8}}`;

/** Allows the page’s own style and nothing else. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'`;
