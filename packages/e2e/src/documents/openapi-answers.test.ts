import { ALL_ROUTES, nameOf } from '@gatehouse/codegen';
import assert from 'node:assert/strict';
import { FORM, mediaTypeOf, NDJSON, type OpenApi } from '@gatehouse/http';
import { compile, type TSchema } from '@gatehouse/schema';
import { during } from '@gatehouse/runtime/testing';
import { requestOfSomebody } from '../requests/request-for.ts';
import { startServices } from '../requests/services.ts';
import type { Received } from '../requests/send.ts';
import { readOpenApi } from './openapi.ts';

type Operation = OpenApi['paths'][string][string];
type Answer = Operation['responses'][string];
interface Header {
  required?: boolean;
  schema: TSchema;
}

describe('responses in the OpenAPI document', () => {
  const services = during(() => startServices());
  const document = readOpenApi();

  for (const { api, route } of ALL_ROUTES) {
    const name = nameOf(route);
    const [method = '', path = ''] = name.split(' ');
    const operation = document.paths[path]?.[method.toLowerCase()] ?? assert.fail(`no operation ${name}`);
    it(`${name} matches its response`, async () => {
      const sent = await requestOfSomebody(services, route);
      const { authorization: _, ...anonymous } = sent.headers;
      const mark = sent.path.includes('?') ? '&' : '?';
      for (const [what, request] of [
        ['asked for', sent],
        ['nobody asks', { ...sent, headers: anonymous }],
        ['asked for too much', { ...sent, path: `${sent.path}${mark}nonsense=1` }],
        ['asked in text', { ...sent, headers: { ...sent.headers, 'content-type': 'text/plain' } }],
      ] as const) {
        const answer = await services.send(api, request);
        const fault = unlikeDocument(answer, operation);
        assert.equal(fault, undefined, `${what}: ${answer.status} ${answer.text}`);
      }
    });

    const bodyType = mediaTypeOf(route.body);
    if (route.body === undefined || bodyType === NDJSON) continue;
    it(`${name} accepts the example of its body`, async () => {
      const [content] = Object.values(operation.requestBody?.content ?? {});
      const given = content?.example;
      const example = bodyType === FORM ? new URLSearchParams(given as Record<string, string>) : given;
      const { status, body, text } = await services.send(api, {
        ...(await requestOfSomebody(services, route)),
        body: example,
      });
      assert.ok(status < 500 && body['detail'] !== 'The request failed validation', text);
    });
  }
});

/** How a response differs from the documentation of its operation; undefined if it does not. */
function unlikeDocument(answer: Received, operation: Operation): string | undefined {
  const promised: Answer | undefined = operation.responses[String(answer.status)];
  if (promised === undefined) return `${answer.status} is not documented`;
  for (const [name, header] of Object.entries(promised.headers ?? {}) as [string, Header][]) {
    const given = answer.headers[name.toLowerCase()];
    if (given === undefined && header.required === true) return `${name} is missing`;
    if (given === undefined) continue;
    const value = (header.schema as { type?: string }).type === 'integer' ? Number(given) : String(given);
    if (compile(header.schema, { unknownFields: 'refuse' })(value)) return `${name} is ${String(given)}`;
  }
  for (const name of ['location', 'etag', 'retry-after', 'set-cookie', 'www-authenticate']) {
    const isPromised = Object.keys(promised.headers ?? {}).some((one) => one.toLowerCase() === name);
    if (answer.headers[name] !== undefined && !isPromised) return `${name} is not documented`;
  }
  if (promised.content === undefined) return answer.text === '' ? undefined : 'it has a body';
  const type = String(answer.headers['content-type']);
  const schema = promised.content[type]?.schema;
  if (schema === undefined) return `${type} is not documented`;
  const value: unknown = type.startsWith('text/') ? answer.text : JSON.parse(answer.text);
  const problems = compile(schema, { unknownFields: 'refuse' })(value);
  return problems && JSON.stringify(problems);
}
