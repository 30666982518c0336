import { invalidRequest, type ApiError } from '@gatehouse/http';

/** What a body is refused with that has neither of two fields, or both. */
export function eitherOr(...fields: readonly [string, string]): ApiError {
  const message = `exactly one of ${fields.join(' and ')} is required`;
  return invalidRequest(`E${message.slice(1)}`, {
    errors: fields.map((field) => ({ pointer: `/${field}`, message, code: 'does_not_go_with' as const })),
  });
}
