import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const ping = route({
  method: 'get',
  path: '/ping',
  operationId: 'ping',
  tag: 'Health and tokens',
  summary: 'Check that the API is up, or echo the request headers',
  access: 'public',
  query: Type.Object({ includeHeaders: Type.Optional(Type.Boolean()) }),
  otherParameters: 'ignored',
  response: Type.Union([
    Type.Literal('Pong'),
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
      title: 'RequestHeaders',
    }),
  ]),
  handler: ({ query, request }) => (query.includeHeaders === true ? redacted(request.headers) : 'Pong'),
});

const SECRET = /^(?:authorization|cookie|proxy-authorization)$|token|secret|key|password/i;

function redacted(headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, SECRET.test(name) ? '[redacted]' : value]],
    ),
  );
}
