import { invalidRequest, type ApiError } from '@gatehouse/http';

/** The error for an owner that does not exist or may not invite. */
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
