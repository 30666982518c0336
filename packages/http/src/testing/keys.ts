import { portalSecretOf, publicKeySetOf } from '@gatehouse/auth-core';
import { TEST_ID_TOKEN_KEYS, TEST_SECRET } from '@gatehouse/auth-core/testing';
import { mailPublicKeyOf } from '@gatehouse/runtime';

/** The services that have keys; each refuses keys that it does not use. */
export type ServiceWithKeys = 'core' | 'portal' | 'admin' | 'mail-worker' | 'hook-worker';

/** The keys of each service of an installation, all derived from `TEST_SECRET`. */
export function serviceKeys(from: { signingKeys: string }): Record<ServiceWithKeys, Record<string, string>> {
  const { signingKeys } = from;
  const sealing = { PASSWORD_PEPPER: TEST_SECRET, MAIL_PUBLIC_KEY: mailPublicKeyOf(TEST_SECRET) };
  const issuing = { SIGNING_KEYS: signingKeys, TOKEN_SECRET: TEST_SECRET };
  const PORTAL_SECRET = portalSecretOf(TEST_SECRET);
  const verifying = { VERIFICATION_KEYS: publicKeySetOf(signingKeys), PORTAL_SECRET };
  return {
    core: { ...sealing, ...issuing, TWO_FACTOR_KEY: TEST_SECRET, ID_TOKEN_KEYS: TEST_ID_TOKEN_KEYS },
    portal: { ...sealing, ...verifying },
    admin: { ...sealing, ...issuing, TWO_FACTOR_KEY: TEST_SECRET },
    'mail-worker': { MAIL_KEY: TEST_SECRET },
    'hook-worker': { HOOK_KEY: TEST_SECRET },
  };
}
