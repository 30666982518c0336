import { eventTypes, publishedSchemaOf } from '@gatehouse/events';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const schemas = Object.fromEntries(eventTypes.map((type) => [type, publishedSchemaOf(type)]));

export const eventSchemas = route('GET /events.json', {
  operationId: 'getEventSchemas',
  tag: 'Events',
  summary: 'Get the JSON schemas of all events by type',
  description:
    'Events are CloudEvents 1.0 in structured JSON mode, published to the topic exchange `account.events` with ' +
    'the event type as the routing key. New fields may be added to a schema. The schemas are compatible with ' +
    'JSON Schema draft 7 and later.',
  access: 'public',
  response: Type.Object({}, { additionalProperties: true }),
  handler: () => schemas,
});
