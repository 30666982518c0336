import type { FaultCode } from '@gatehouse/schema';
import { ApiError } from './errors.ts';

/** The answer to too many failures. */
export function tooManyFailures({ retryAfterSeconds }: { retryAfterSeconds: number }): ApiError {
  return new ApiError('too_many_requests', 'Too many failed attempts; try again later', {
    retryAfterSeconds,
  });
}

/** The answer to a password that may not be chosen. */
export function unfitPassword(fault: { message: string; code: FaultCode }): ApiError {
  return new ApiError('invalid_request', undefined, { errors: [{ pointer: '/Password', ...fault }] });
}

/** The answer to a caller whose address asked for too many mails; it says nothing about any account. */
export function tooManyMails({ retryAfterSeconds }: { retryAfterSeconds: number }): ApiError {
  return new ApiError('too_many_requests', 'Too many emails requested from this IP address', {
    retryAfterSeconds,
  });
}
