import type { ClientAuthentication } from '@gatehouse/accounts';
import { invalidRequest, tooManyFailures, type ApiError, type Refuse } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';

/** How a client authenticates, if not by the header `Authorization`. */
export const ClientCredentials = Type.Object({
  client_id: Type.Optional(Type.String({ maxLength: 100, description: 'The id of the client' })),
  client_secret: Type.Optional(
    Type.String({ maxLength: 200, description: 'The secret of a confidential client' }),
  ),
});

export const CLIENT_ERRORS = ['invalid_client', 'too_many_requests'] as const;

/** The error for a client that is not who it says. */
export function clientError(
  refuse: Refuse<(typeof CLIENT_ERRORS)[number]>,
  found: Exclude<ClientAuthentication, { kind: 'client' }>,
): ApiError {
  switch (found.kind) {
    case 'invalid_client':
      return refuse('invalid_client');
    case 'invalid_request':
      return invalidRequest('A client authenticates in one way only');
    case 'throttled':
      return tooManyFailures(refuse, found);
  }
}
