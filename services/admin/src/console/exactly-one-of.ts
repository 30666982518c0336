import { invalidRequest, type ApiError } from '@gatehouse/http';

/** The error for a body with neither or both of two fields. */
export function exactlyOneOf(...fields: readonly [string, string]): ApiError {
  const message = `exactly one of ${fields.join(' and ')} is required`;
  return invalidRequest(`E${message.slice(1)}`, {
    errors: fields.map((field) => ({ pointer: `/${field}`, message, code: 'does_not_go_with' as const })),
  });
}
