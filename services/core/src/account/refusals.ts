import type { Throttled } from '@gatehouse/accounts';
import { ApiError } from '@gatehouse/http';

/** The answer to too many failures. */
export function tooManyFailures({ retryAfterSeconds }: Throttled): ApiError {
  return new ApiError('too_many_requests', 'Too many failed attempts; wait before the next one', {
    retryAfterSeconds,
  });
}

/** The answer to a password that may not be chosen. */
export function unfitPassword(message: string): ApiError {
  return new ApiError('invalid_request', undefined, { errors: [{ pointer: '/Password', message }] });
}
