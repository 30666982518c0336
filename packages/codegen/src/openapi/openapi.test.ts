import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { routes as adminRoutes } from '@gatehouse/admin';
import { routes as coreRoutes } from '@gatehouse/core';
import { eventTypes, newEvent } from '@gatehouse/events';
import { operationIdOf, type Route } from '@gatehouse/http';
import { routes as portalRoutes } from '@gatehouse/portal';
import { compile, exampleOf, type TSchema } from '@gatehouse/schema';
import { Ajv2020 } from '@gatehouse/schema/testing';
import { generatedFiles } from './generated-files.ts';
import { mergedDocument } from './merged-document.ts';

// The type of the handlers' input does not matter here.
const ROUTES = [...coreRoutes, ...portalRoutes, ...adminRoutes] as Route<never>[];

describe('the OpenAPI document', () => {
  it('gives every status a type in the console and in gatehouse-client', () => {
    for (const [name, text] of generatedFiles())
      if (name.endsWith('.ts')) assert.doesNotMatch(text, /status\??: unknown/i, name);
  });

  it('has an operationId and a tag for every operation, unique across the three APIs', () => {
    for (const { operationId, tag, method, path } of ROUTES) {
      assert.ok(operationId !== undefined && tag !== undefined, `${method} ${path}`);
      assert.match(operationId, /^[a-z][A-Za-z]+$/);
    }
    const names = ROUTES.map(operationIdOf);
    const repeated = names.filter((name, place) => names.indexOf(name) !== place);
    assert.deepEqual(repeated, []);
  });

  it('describes what webhooks receive, each type of event as it is published', () => {
    const { webhooks = {}, components } = mergedDocument();
    assert.deepEqual(Object.keys(webhooks), [...eventTypes]);
    const ajv = new Ajv2020({ strict: false, schemas: [{ $id: 'document', components }] });
    const accepts = (type: string, event: unknown): boolean => {
      const { schema } = webhooks[type]?.post.requestBody?.content['application/cloudevents+json'] ?? {};
      const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
      return ajv.validate(JSON.parse(text) as object, event);
    };
    const event = newEvent('account.registered', { UserId: randomUUID() });
    assert.ok(accepts('account.registered', event));
    assert.ok(!accepts('account.verified', event));
    for (const part of ['id', 'data', 'time'])
      assert.ok(!accepts(event.type, { ...event, [part]: undefined }));
  });

  it('describes every tag', () => {
    for (const { name, description } of mergedDocument().tags)
      assert.ok(description, `${name} (tags in app.ts)`);
  });

  it('limits every string and array in requests', () => {
    for (const route of ROUTES) {
      const inputs: (TSchema | undefined)[] = [route.body, route.params, route.query];
      const found = inputs.flatMap((schema) => (schema === undefined ? [] : unbounded(schema, '')));
      assert.deepEqual(found, [], operationIdOf(route));
    }
  });

  it('has examples that match the schemas', () => {
    for (const route of ROUTES) {
      fits(route.body, 'drop', `${operationIdOf(route)} takes`);
      if (route.response !== undefined) fits(route.response, 'refuse', `${operationIdOf(route)} answers`);
    }
  });
});

function fits(schema: TSchema | undefined, unknownFields: 'drop' | 'refuse', what: string): void {
  if (schema === undefined) return;
  const example = exampleOf(schema);
  assert.equal(compile(schema, { unknownFields })(structuredClone(example)), undefined, what);
}

/** Codes may be any text: a malformed code gets the same response as a wrong code. A body has at most 100 KiB. */
const ANY_TEXT = /\/(Code|MailCode|TwoFactorCode|HandoverCode)$/;

function unbounded(schema: TSchema, place: string): string[] {
  // A JSON Schema, of which these fields are read.
  const { type, enum: values, format, maxLength, maxItems } = schema as Members;
  const { properties = {}, items, anyOf = [] } = schema as Members;
  const kinds = [type].flat();
  const isText =
    kinds.includes('string') && values === undefined && !('const' in schema) && format !== 'uuid';
  return [
    ...(isText && maxLength === undefined && !ANY_TEXT.test(place) ? [place] : []),
    ...(kinds.includes('array') && maxItems === undefined ? [place] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => unbounded(inner, `${place}/${name}`)),
    ...(items === undefined ? [] : unbounded(items, `${place}/items`)),
    ...anyOf.flatMap((inner) => unbounded(inner, place)),
  ];
}

interface Members {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, TSchema>;
  items?: TSchema;
  anyOf?: TSchema[];
}
