import { openQuery, refusedCaller, reply, SESSION_REFUSALS } from '@gatehouse/http';
import { Optional, ROLES, Type } from '@gatehouse/schema';
import { route, type Call } from '../deps.ts';

const REFUSALS = [
  'forbidden',
  'token_missing',
  'token_invalid',
  'token_expired',
  ...SESSION_REFUSALS,
] as const;

export const ping = route('GET /ping', {
  operationId: 'ping',
  tag: 'Health and tokens',
  summary: 'Check that the API is up, or echo the request headers',
  description:
    'With `includeHeaders=true` it echoes the received headers, without secrets. `PING_HEADERS` restricts this ' +
    'to callers with a token (`bearer`), or disables it (`off`, 403).',
  access: 'public',
  query: openQuery({ includeHeaders: Optional.Boolean() }),
  response: Type.Union([
    Type.Literal('Pong'),
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
      title: 'RequestHeaders',
      examples: [{ host: 'auth.example.com', authorization: '[redacted]' }],
    }),
  ]),
  errors: REFUSALS,
  handler: (input) => (input.query.includeHeaders === true ? echo(input) : 'Pong'),
});

async function echo({
  request,
  deps,
  refuse,
}: Call<(typeof REFUSALS)[number]>): Promise<Record<string, string | string[]>> {
  if (deps.pingHeaders === 'off') throw refuse('forbidden', 'This installation does not echo headers');
  if (deps.pingHeaders === 'bearer') {
    const caller = await deps.authenticate(request.headers.authorization, undefined, request.address);
    if (caller.kind === 'refused') throw refusedCaller(refuse, caller);
  }
  return redacted(request.headers);
}

const SECRET = /^(?:authorization|cookie|proxy-authorization)$|token|secret|key|password/i;

function redacted(headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, SECRET.test(name) ? '[redacted]' : value]],
    ),
  );
}

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
    if (role !== undefined && ![role].flat().includes(caller.role))
      throw refuse('forbidden', 'Your role does not permit this operation');
    const ids = caller.kind === 'session' && {
      'X-Auth-Account': caller.accountId,
      'X-Auth-Session': caller.sessionId,
    };
    return reply({ headers: { ...ids, 'X-Auth-Role': caller.role }, body: 'Pong Auth' as const });
  },
});
