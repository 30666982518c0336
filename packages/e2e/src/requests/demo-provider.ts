import { someEmail } from '@gatehouse/accounts/testing';
import { CLIENT, startProvider } from '../../../../services/admin/src/sso/testing/provider.ts';

export type DemoProvider = Awaited<ReturnType<typeof startDemoProvider>>;

/** Starts an identity provider that reports a stranger, for whom an account is created. */
export async function startDemoProvider() {
  const person = { sub: 'a stranger', email: someEmail(), email_verified: true };
  const provider = await startProvider({ person });
  const id = 'demo';
  const returnUrls = ['https://app.gatehouse.test/'];
  const listed = { issuer: provider.issuer, ...CLIENT, returnUrls, trustEmail: true, provisioning: 'jit' };
  return {
    ...provider,
    id,
    /** The settings of Admin that name it. */
    settings: {
      ADMIN_URL: 'https://admin.gatehouse.test',
      SSO_PROVIDERS: JSON.stringify([{ id, ...listed }]),
    },
  };
}
