import { openQuery, refusedCaller, SESSION_REFUSALS, type Refuse, type RequestFacts } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';

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
  query: openQuery({ includeHeaders: Type.Optional(Type.Boolean()) }),
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

async function echo({ request, deps, refuse }: Echoed): Promise<Record<string, string | string[]>> {
  if (deps.pingHeaders === 'off') throw refuse('forbidden', 'This installation does not echo headers');
  if (deps.pingHeaders === 'bearer') {
    const caller = await deps.authenticate(request.headers.authorization, undefined, request.address);
    if (caller.kind === 'refused') throw refusedCaller(refuse, caller);
  }
  return redacted(request.headers);
}

interface Echoed {
  request: RequestFacts;
  deps: Pick<Deps, 'pingHeaders' | 'authenticate'>;
  refuse: Refuse<(typeof REFUSALS)[number]>;
}

const SECRET = /^(?:authorization|cookie|proxy-authorization)$|token|secret|key|password/i;

function redacted(headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, SECRET.test(name) ? '[redacted]' : value]],
    ),
  );
}
