import { eventTypes, publishedSchemaOf } from '@gatehouse/events';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const schemas = Object.fromEntries(eventTypes.map((type) => [type, publishedSchemaOf(type)]));

export const eventSchemas = route({
  method: 'get',
  path: '/events.json',
  operationId: 'getEventSchemas',
  tag: 'Events',
  summary: 'The JSON schema of every event, by its type',
  description:
    'Events are CloudEvents 1.0 in structured JSON on the topic exchange `account.events`; the type is the routing key. A schema may come to have more fields. It loads in every validator from draft 7 on.',
  access: 'public',
  response: Type.Object({}, { additionalProperties: true }),
  handler: () => schemas,
});
