import { openQuery, reply } from '@gatehouse/http';
import { ROLES, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

/** Any text: no caller has an unknown role. */
const RoleName = Type.String({ maxLength: 100, examples: ['Admin'] });

export const pingAuth = route('GET /ping/auth', {
  operationId: 'checkToken',
  tag: 'Health and tokens',
  summary: 'Check a bearer token',
  description:
    'For gateways that send a GET request to a fixed path (nginx auth_request, Caddy forward_auth, ' +
    'Traefik ForwardAuth; not Envoy ext_authz). The response headers X-Auth-Account, X-Auth-Session and ' +
    'X-Auth-Role identify the caller; errors have their code in X-Auth-Error. With `role`, which may be ' +
    'repeated, callers of other roles are refused with 403.',
  access: ROLES,
  // A gateway drops the body of an error response, and may pass on the query of the original request.
  rules: { isFrequent: true, codeHeader: 'X-Auth-Error' },
  query: openQuery({
    role: Type.Optional(Type.Union([RoleName, Type.Array(RoleName, { maxItems: 10 })])),
  }),
  errors: ['forbidden'],
  response: Type.Literal('Pong Auth'),
  headers: {
    response: {
      'X-Auth-Account': 'The account ID; absent for a static token',
      'X-Auth-Session': 'The session ID; absent for a static token',
      'X-Auth-Role': 'The role of the caller',
    },
  },
  handler: ({ caller, query: { role }, refuse }) => {
    if (role !== undefined && ![role].flat().includes(caller.role)) {
      throw refuse('forbidden', 'Your role does not permit this operation');
    }
    return reply({
      headers:
        caller.kind === 'session'
          ? {
              'X-Auth-Account': caller.accountId,
              'X-Auth-Session': caller.sessionId,
              'X-Auth-Role': caller.role,
            }
          : { 'X-Auth-Role': caller.role },
      body: 'Pong Auth' as const,
    });
  },
});
