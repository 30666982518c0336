import { publicJwks } from '@gatehouse/auth-core';
import { Optional, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const SigningKey = Type.Object(
  {
    kty: Type.Literal('EC'),
    crv: Type.Literal('P-256'),
    x: Type.String(),
    y: Type.String(),
    kid: Type.String(),
    alg: Type.Literal('ES256'),
    use: Type.Literal('sig'),
    apps_until: Optional.Integer({
      description:
        'Refuse tokens of applications (`client_id`) that were issued at this time or later, in epoch seconds',
    }),
  },
  { title: 'SigningKey' },
);

const IdTokenKey = Type.Object(
  {
    kty: Type.Literal('RSA'),
    n: Type.String(),
    e: Type.Literal('AQAB'),
    kid: Type.String(),
    alg: Type.Literal('RS256'),
    use: Type.Literal('sig'),
  },
  { title: 'IdTokenKey' },
);

const common = {
  tag: 'Health and tokens',
  access: 'public',
  response: Type.Object({ keys: Type.Array(Type.Union([SigningKey, IdTokenKey])) }),
  rules: { cors: 'any' },
  // Shorter than the time between a new key's publication and its first signature.
  headers: { fixed: { 'Cache-Control': 'public, max-age=30' } },
} as const;

export const jwks = route('GET /.well-known/jwks.json', {
  ...common,
  operationId: 'getSigningKeys',
  summary: 'Get the public signing keys (RFC 7517)',
  description: 'The keys of access tokens, then those of applications.',
  handler: ({ deps: { keys, clientKeys } }) => {
    const since = clientKeys.ownSince();
    const until = Number.isFinite(since) ? { apps_until: since } : {};
    return {
      keys: [
        ...publicJwks(keys.current()).keys.map((key) => ({ ...key, ...until })),
        ...publicJwks(clientKeys.own()).keys,
      ],
    };
  },
});

export const applicationJwks = route('GET /oauth/jwks.json', {
  ...common,
  operationId: 'getApplicationKeys',
  summary: 'Get the public keys of what applications get (RFC 7517)',
  description:
    'The keys of ID tokens, logout tokens and access tokens of applications. Only Core has their private halves.',
  handler: ({ deps: { clientKeys, now } }) => publicJwks(...clientKeys.published(now() / 1000)),
});

export const relatedOrigins = route('GET /.well-known/webauthn', {
  operationId: 'getRelatedOrigins',
  tag: 'Health and tokens',
  summary: 'Get the origins that share passkeys (WebAuthn)',
  description:
    'Browsers read it from the domain of `PASSKEY_RP_ID` when a page of another domain requests a passkey. ' +
    'Returns 404 if passkeys are disabled.',
  access: 'public',
  response: Type.Object(
    { origins: Type.Array(Type.String(), { examples: [['https://auth.example.com']] }) },
    { title: 'RelatedOrigins' },
  ),
  errors: ['not_found'],
  headers: { fixed: { 'Cache-Control': 'public, max-age=300' } },
  handler: ({ deps: { passkeys }, refuse }) => {
    if (passkeys === undefined) throw refuse('not_found', 'Passkeys are off');
    // Browsers read only origins of pages.
    return { origins: passkeys.site.origins.filter((origin) => origin.startsWith('http')) };
  },
});
