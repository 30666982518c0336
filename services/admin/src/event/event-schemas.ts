import { eventTypes, schemaOf } from '@gatehouse/events';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const DIALECT = { $schema: 'https://json-schema.org/draft/2020-12/schema' };
const schemas = Object.fromEntries(eventTypes.map((type) => [type, { ...DIALECT, ...schemaOf(type) }]));

export const eventSchemas = route({
  method: 'get',
  path: '/events.json',
  operationId: 'getEventSchemas',
  tag: 'Events',
  summary: 'The JSON schema of every event, by its type',
  description:
    'Events are CloudEvents 1.0 in structured JSON on the topic exchange `account.events`; the type is the routing key. A schema may come to have more fields.',
  access: 'public',
  response: Type.Object({}, { additionalProperties: true }),
  handler: () => schemas,
});
