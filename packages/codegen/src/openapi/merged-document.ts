import { about as aboutAdmin, routes as adminRoutes } from '@gatehouse/admin';
import { about as aboutCore, routes as coreRoutes } from '@gatehouse/core';
import { openapi, type OpenApi, type Route } from '@gatehouse/http';
import { about as aboutPortal, routes as portalRoutes } from '@gatehouse/portal';
import { eventTypes, publishedSchemaOf, type EventType } from '@gatehouse/events';

export const ALL_ROUTES: readonly { api: 'Core' | 'Portal' | 'Admin'; route: Route<never> }[] = [
  ...coreRoutes.map((route) => ({ api: 'Core', route }) as const),
  ...portalRoutes.map((route) => ({ api: 'Portal', route }) as const),
  ...adminRoutes.map((route) => ({ api: 'Admin', route }) as const),
];

/** The name of a route in documents. */
export function nameOf({ method, path }: Pick<Route<never>, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
}

/** The OpenAPI document of all APIs, in the folder of Core, which serves it. As a path from the root. */
export const DOCUMENT_FILE = 'services/core/src/public-openapi.json';

/** All three APIs, as the gateway serves them. Tags of Admin are separate from others of the same name. */
export function mergedDocument(): OpenApi {
  const ofAdmin = (subject: string): string => `Administration: ${subject}`;
  // The type of the handlers' input does not matter here.
  const own = [...coreRoutes, ...portalRoutes] as Route<never>[];
  const admin = (adminRoutes as Route<never>[]).map((route) => ({ ...route, tag: ofAdmin(route.tag ?? '') }));
  const document = openapi({
    title: 'Gatehouse API',
    version: aboutCore.version,
    description: INTRODUCTION,
    cookies: ['pages', 'console'],
    tags: {
      ...together([aboutCore.tags, aboutPortal.tags]),
      ...Object.fromEntries(
        Object.entries(aboutAdmin.tags).map(([subject, text]) => [ofAdmin(subject), text]),
      ),
    },
    routes: [...own, ...admin],
  });
  const isOfAdmin = (subject: string) => Object.keys(aboutAdmin.tags).some((tag) => ofAdmin(tag) === subject);
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    if (operation.tags.some(isOfAdmin)) operation.servers = [ADMIN_SERVER];
  }
  const { webhooks, schemas } = webhookOperations(ofAdmin('Webhooks'));
  const subjects = document.tags.map(({ name }) => name);
  return {
    ...document,
    webhooks,
    components: {
      ...document.components,
      parameters: WEBHOOK_HEADERS,
      schemas: { ...document.components.schemas, ...schemas },
    },
    tags: document.tags.map((tag) =>
      isOfAdmin(tag.name) ? { ...tag, 'x-displayName': tag.name.slice(ofAdmin('').length) } : tag,
    ),
    'x-tagGroups': groupsOf(subjects, ofAdmin),
  };
}

/** The subjects as a reader looks for them; the second list is of Admin's. */
const GROUPS: readonly (readonly [name: string, own: readonly string[], ofAdmin: readonly string[]])[] = [
  ['Signing in', ['Sessions', 'Account', 'Two-factor authentication', 'Passkeys', 'Single sign-on'], []],
  ['Services and applications', ['Applications', 'Health and tokens'], []],
  ['Guests and persons', ['Guests', 'Persons', 'Faces'], []],
  ['Administration: people', [], ['Accounts', 'Sessions', 'Sign-ins', 'Invitations', 'Content']],
  ['Administration: operations', [], ['Mails', 'Audit', 'Statistics', 'System']],
  [
    'Administration: settings',
    [],
    ['Applications', 'API tokens', 'Single sign-on', 'Events', 'Webhooks', 'Console'],
  ],
];

/** @throws {Error} if a subject is in no group: the reference page would not show it. */
function groupsOf(subjects: readonly string[], ofAdmin: (subject: string) => string) {
  const groups = GROUPS.map(([name, own, administration]) => ({
    name,
    tags: [...own, ...administration.map(ofAdmin)],
  }));
  const missing = subjects.filter((subject) => !groups.some(({ tags }) => tags.includes(subject)));
  if (missing.length > 0)
    throw new Error(`in no group of the reference (GROUPS in merged-document.ts): ${missing.join(', ')}`);
  return groups;
}

const INTRODUCTION = `Registration, login, sessions and tokens of people, and the administration of all of it.

**To authenticate,** call \`POST /account/login\` with \`Username\` and \`Password\`. Send the \`Token\` of the response with
every request, as \`Authorization: Bearer <Token>\`, and get a new one from \`POST /account/refresh-token\` before
\`ExpirationSeconds\` have passed. If the response has a \`TwoFactorToken\` instead, log in again with it and a
\`TwoFactorCode\`. A service sends a static API token (\`sat_…\`), which an administrator creates with
\`POST /admin/api-token\`, in the same header. What a call requires stands at its end.

**To generate a client,** download this document from \`/openapi.json\`: it describes all three APIs. JavaScript apps can
use \`gatehouse-client\`.

**Errors** are \`application/problem+json\` with a stable \`code\`.

**Administration** is at an address of its own (\`ADMIN_URL\`).`;

const ADMIN_SERVER = {
  url: '{adminUrl}',
  description: 'Admin, at an address of its own',
  variables: {
    adminUrl: { default: 'http://127.0.0.1:8090', description: 'Where Admin is reached (`ADMIN_URL`)' },
  },
};

/** Joins the texts of tags that several services have. */
function together(all: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const texts = new Map<string, string>();
  for (const [subject, text] of all.flatMap((tags) => Object.entries(tags))) {
    const earlier = texts.get(subject);
    texts.set(subject, earlier === undefined ? text : `${earlier}. ${text}`);
  }
  return Object.fromEntries(texts);
}

type Webhooks = NonNullable<OpenApi['webhooks']>;

const EVENT = 'Event';

interface EventSchema {
  type: 'object';
  required: string[];
  properties: Record<string, object>;
}

/** What webhooks receive, by the type of the event, and the schema that they share. */
function webhookOperations(tag: string): {
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

const WEBHOOK_HEADERS = Object.fromEntries(
  Object.entries(HEADERS).map(([name, description]) => [
    name,
    { name, in: 'header', required: true, description, schema: { type: 'string' } },
  ]),
);

function schemaOf(type: EventType): EventSchema {
  return publishedSchemaOf(type) as EventSchema; // that of an object
}
