import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

/**
 * The metadata that applies here. Gatehouse has no authorization endpoint, and therefore no response type; the
 * member is required nevertheless (RFC 8414 §2).
 */
const Metadata = Type.Object(
  {
    issuer: Type.String({
      description: 'The `iss` claim of access tokens',
      examples: ['https://auth.example.com'],
    }),
    jwks_uri: Type.String({
      description: 'The URL of the public signing keys',
      examples: ['https://auth.example.com/.well-known/jwks.json'],
    }),
    response_types_supported: Type.Array(Type.String(), { description: 'Always empty', examples: [[]] }),
  },
  { title: 'AuthorizationServerMetadata' },
);

export const authorizationServer = route({
  method: 'get',
  path: '/.well-known/oauth-authorization-server',
  operationId: 'getAuthorizationServerMetadata',
  tag: 'Health and tokens',
  summary: 'Get the authorization server metadata (RFC 8414)',
  access: 'public',
  response: Metadata,
  headers: { 'Cache-Control': 'public, max-age=300' },
  handler: ({ deps }) => ({
    issuer: deps.issuer,
    jwks_uri: `${deps.issuer.replace(/\/$/, '')}/.well-known/jwks.json`,
    response_types_supported: [],
  }),
});
