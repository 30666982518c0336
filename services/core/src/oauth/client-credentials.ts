import { authenticateClient } from '@gatehouse/accounts';
import type { OAuthClient } from '@gatehouse/db';
import { invalidRequest, tooManyFailures, type Refuse, type RequestFacts } from '@gatehouse/http';
import { Type, type Static } from '@gatehouse/schema';
import type { Deps } from '../deps.ts';

/** How a client authenticates, if not by the header `Authorization`. */
export const ClientCredentials = Type.Object({
  client_id: Type.Optional(Type.String({ maxLength: 100, description: 'The id of the client' })),
  client_secret: Type.Optional(
    Type.String({ maxLength: 200, description: 'The secret of a confidential client' }),
  ),
});

export const CLIENT_ERRORS = ['invalid_client', 'too_many_requests'] as const;

/** The client that calls. One that fails to authenticate is logged, too. */
export async function callingClient(
  deps: Deps,
  form: Static<typeof ClientCredentials>,
  request: RequestFacts,
  refuse: Refuse<(typeof CLIENT_ERRORS)[number]>,
): Promise<OAuthClient> {
  const { headers, addressGroup } = request;
  const found = await authenticateClient(deps, { authorization: headers.authorization, form, addressGroup });
  if (found.kind === 'invalid_request') throw invalidRequest('A client authenticates in one way only');
  request.addToLog({ clientId: found.kind === 'client' ? found.client.id : found.clientId });
  switch (found.kind) {
    case 'client':
      return found.client;
    case 'invalid_client':
      throw refuse('invalid_client');
    case 'throttled':
      throw tooManyFailures(refuse, found);
  }
}
