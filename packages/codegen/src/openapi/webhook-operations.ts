import { eventTypes, publishedSchemaOf, type EventType } from '@gatehouse/events';
import type { OpenApi } from '@gatehouse/http';

type Webhooks = NonNullable<OpenApi['webhooks']>;

/** The component that all events are made of. */
const EVENT = 'Event';

interface EventSchema {
  type: 'object';
  required: string[];
  properties: Record<string, object>;
}

/** What webhooks receive, by the type of the event, and the schema that they share. */
export function webhookOperations(tag: string): {
  webhooks: Webhooks;
  schemas: Record<string, object>;
} {
  const [first] = eventTypes;
  if (first === undefined) throw new Error('there are events');
  const { properties, required } = schemaOf(first);
  const { type: _, data: __, ...shared } = properties;
  const isRequired = (name: string): boolean => required.includes(name);
  return {
    webhooks: Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type, tag) }])),
    schemas: {
      [EVENT]: { type: 'object', required: Object.keys(shared).filter(isRequired), properties: shared },
    },
  };
}

function operationOf(eventType: EventType, tag: string): Webhooks[string]['post'] {
  const { type, data } = schemaOf(eventType).properties;
  const own = { type: 'object', required: ['type', 'data'], properties: { type, data } };
  return {
    operationId: eventType.replaceAll(/\W(\w)/g, (_, letter: string) => letter.toUpperCase()) + 'Webhook',
    tags: [tag],
    summary: `Receive ${eventType}`,
    description: 'Signed as in Standard Webhooks.',
    security: [],
    parameters: Object.keys(HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        'application/cloudevents+json': {
          schema: { allOf: [{ $ref: `#/components/schemas/${EVENT}` }, own] },
        },
      },
    },
    responses: { '2XX': { description: 'Received; anything else is retried for three days' } },
  };
}

const HEADERS = {
  'webhook-id': 'The id of the event, the same at each attempt',
  'webhook-timestamp': 'When this attempt was signed, in epoch seconds',
  'webhook-signature': 'Signatures with the secret, and for 24 hours after a rotation with the former one',
};

/** The headers of all of them, as components. */
export const WEBHOOK_HEADERS = Object.fromEntries(
  Object.entries(HEADERS).map(([name, description]) => [
    name,
    { name, in: 'header', required: true, description, schema: { type: 'string' } },
  ]),
);

function schemaOf(type: EventType): EventSchema {
  return publishedSchemaOf(type) as EventSchema; // that of an object
}
