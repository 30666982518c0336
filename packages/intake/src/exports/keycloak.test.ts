import assert from 'node:assert/strict';
import { keycloak } from './keycloak.ts';

const PASSWORD = {
  type: 'password',
  credentialData: '{"hashIterations":27500,"algorithm":"pbkdf2-sha256"}',
  secretData: '{"value":"aGFzaA==","salt":"c2FsdA=="}',
};

describe('a password of Keycloak', () => {
  const convert = (user: object, credential: object = {}) =>
    keycloak.convert({
      email: 'ann@example.com',
      emailVerified: true,
      enabled: true,
      credentials: [{ ...PASSWORD, ...credential }],
      ...user,
    });

  for (const [what, user, credential] of [
    ['that its owner has to change', { requiredActions: ['VERIFY_EMAIL', 'UPDATE_PASSWORD'] }, {}],
    ['that is temporary', {}, { temporary: true }],
  ] as const)
    it(`${what} lets nobody in`, () =>
      assert.deepEqual(convert(user, credential), {
        kind: 'account',
        line: { Email: 'ann@example.com' },
        notes: ['a password, as it was to be changed'],
      }));

  it('is carried over whatever else its owner has to do', () => {
    const conversion = convert({ requiredActions: ['CONFIGURE_TOTP'] }, { temporary: false });
    const { credentialData: CredentialData, secretData: SecretData } = PASSWORD;
    assert.deepEqual(conversion, {
      kind: 'account',
      line: { Email: 'ann@example.com', CredentialData, SecretData },
      notes: [],
    });
  });
});
