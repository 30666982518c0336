import { ID_TOKEN_ALGS, OAUTH_GRANT_TYPES, OAUTH_SCOPES, Optional, Type } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';

const Metadata = Type.Object(
  {
    issuer: Type.String({
      description: 'The `iss` claim of all tokens',
      examples: ['https://auth.example.com'],
    }),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    userinfo_endpoint: Type.String(),
    introspection_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    end_session_endpoint: Type.String(),
    device_authorization_endpoint: Type.String(),
    jwks_uri: Type.String({
      description: 'The URL of the public signing keys',
      examples: ['https://auth.example.com/oauth/jwks.json'],
    }),
    scopes_supported: Type.Array(Type.String()),
    claims_supported: Type.Array(Type.String()),
    response_types_supported: Type.Array(Type.String()),
    response_modes_supported: Type.Array(Type.String()),
    grant_types_supported: Type.Array(Type.String()),
    subject_types_supported: Type.Array(Type.String()),
    id_token_signing_alg_values_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String()),
    introspection_endpoint_auth_methods_supported: Type.Array(Type.String()),
    revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
    code_challenge_methods_supported: Type.Array(Type.String()),
    prompt_values_supported: Type.Array(Type.String()),
    ui_locales_supported: Type.Array(Type.String()),
    claims_parameter_supported: Type.Boolean(),
    request_parameter_supported: Type.Boolean(),
    request_uri_parameter_supported: Type.Boolean(),
    authorization_response_iss_parameter_supported: Type.Boolean(),
    backchannel_logout_supported: Type.Boolean(),
    backchannel_logout_session_supported: Type.Boolean(),
    client_id_metadata_document_supported: Optional.Boolean({
      description: 'Whether a `client_id` may be the address of a document',
    }),
  },
  { title: 'AuthorizationServerMetadata' },
);

const common = {
  tag: 'Applications',
  access: 'public',
  rules: { cors: 'any' },
  response: Metadata,
  headers: { fixed: { 'Cache-Control': 'public, max-age=300' } },
} as const;

export const openidConfiguration = route('GET /.well-known/openid-configuration', {
  ...common,
  operationId: 'getOpenidConfiguration',
  summary: 'Get the configuration of the OpenID Connect provider',
  // Version 1.0 has no other address, and may answer as long as no key was made for this one (docs/operations.md).
  handler: ({ deps }) =>
    metadataOf(deps, deps.clientKeys.ownSince() === Infinity ? '/.well-known/jwks.json' : '/oauth/jwks.json'),
});

export const authorizationServer = route('GET /.well-known/oauth-authorization-server', {
  ...common,
  operationId: 'getAuthorizationServerMetadata',
  summary: 'Get the authorization server metadata (RFC 8414)',
  // APIs find the keys of our own access tokens by it, too.
  handler: ({ deps }) => metadataOf(deps, '/.well-known/jwks.json'),
});

const WITH_SECRET = ['client_secret_basic', 'client_secret_post'];

function metadataOf({ issuer, publicUrl, pages, tellsOfLogouts, agents }: Deps, jwksPath: string) {
  const api = issuer.replace(/\/$/, '');
  const page = publicUrl.replace(/\/$/, '');
  return {
    issuer,
    authorization_endpoint: `${page}/oauth/authorize`,
    token_endpoint: `${api}/oauth/token`,
    userinfo_endpoint: `${api}/oauth/userinfo`,
    introspection_endpoint: `${api}/oauth/introspect`,
    revocation_endpoint: `${api}/oauth/revoke`,
    end_session_endpoint: `${page}/oauth/logout`,
    device_authorization_endpoint: `${api}/oauth/device_authorization`,
    jwks_uri: `${api}${jwksPath}`,
    scopes_supported: [...OAUTH_SCOPES],
    claims_supported: [
      ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'amr', 'at_hash', 'sid'],
      ...['email', 'email_verified', 'name', 'preferred_username', 'locale', 'groups'],
    ],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: [...OAUTH_GRANT_TYPES],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...ID_TOKEN_ALGS],
    token_endpoint_auth_methods_supported: [...WITH_SECRET, 'none'],
    introspection_endpoint_auth_methods_supported: WITH_SECRET,
    revocation_endpoint_auth_methods_supported: [...WITH_SECRET, 'none'],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    ui_locales_supported: [...pages.locales],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: tellsOfLogouts,
    backchannel_logout_session_supported: tellsOfLogouts,
    ...(agents !== undefined && { client_id_metadata_document_supported: true }),
  };
}
