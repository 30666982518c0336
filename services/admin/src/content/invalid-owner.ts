import { invalidRequest, type ApiError } from '@gatehouse/http';

/** The answer to an owner who cannot have content: no account, or one that may not invite. */
export function invalidOwner(): ApiError {
  return invalidRequest(undefined, {
    errors: [
      {
        pointer: '/OwnerId',
        message: 'must be an account with a role other than Guest',
        code: 'unknown_object',
      },
    ],
  });
}
