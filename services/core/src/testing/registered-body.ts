import assert from 'node:assert/strict';

/** The body of a registration's response without its token, which must have the same form for everybody. */
export function registeredBody(body: unknown): object {
  const { RegistrationToken, ...others } = body as { RegistrationToken: unknown };
  assert.match(String(RegistrationToken), /^[A-Za-z0-9_-]{64}$/);
  return others;
}
