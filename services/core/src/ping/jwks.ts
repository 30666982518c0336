import { publicJwks } from '@gatehouse/auth-core';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const AccessTokenKey = Type.Object(
  {
    kty: Type.Literal('EC'),
    crv: Type.Literal('P-256'),
    x: Type.String(),
    y: Type.String(),
    kid: Type.String(),
    alg: Type.Literal('ES256'),
    use: Type.Literal('sig'),
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

export const jwks = route({
  method: 'get',
  path: '/.well-known/jwks.json',
  operationId: 'getSigningKeys',
  tag: 'Health and tokens',
  summary: 'Get the public signing keys (RFC 7517)',
  description: 'Those of access tokens sign with ES256, those of ID tokens with RS256.',
  access: 'public',
  response: Type.Object({ keys: Type.Array(Type.Union([AccessTokenKey, IdTokenKey])) }),
  // Shorter than the time between a new key's publication and its first signature.
  cors: 'any',
  headers: { 'Cache-Control': 'public, max-age=30' },
  handler: ({ deps }) => publicJwks(deps.keys.current(), deps.idTokenKeys.current()),
});
