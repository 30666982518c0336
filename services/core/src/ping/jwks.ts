import { publicJwks } from '@gatehouse/auth-core';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

const PublicKey = Type.Object(
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

export const jwks = route({
  method: 'get',
  path: '/.well-known/jwks.json',
  operationId: 'getSigningKeys',
  tag: 'Health and tokens',
  summary: 'Get the public signing keys (RFC 7517)',
  access: 'public',
  response: Type.Object({ keys: Type.Array(PublicKey) }),
  // Shorter than the time between a new key's publication and its first signature.
  headers: { 'Cache-Control': 'public, max-age=30' },
  handler: ({ deps }) => publicJwks(deps.keys.current()),
});
