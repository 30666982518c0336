import { invalidRequest, type ApiError } from '@gatehouse/http';

/** The error for a body with none or several of these fields. */
export function exactlyOneOf(...fields: readonly string[]): ApiError {
  const names = `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`;
  const message = `exactly one of ${names} is required`;
  return invalidRequest(`E${message.slice(1)}`, {
    errors: fields.map((field) => ({ pointer: `/${field}`, message, code: 'does_not_go_with' as const })),
  });
}
