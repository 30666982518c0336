import { someEmail } from '@gatehouse/accounts/testing';
import { CLIENT, startProvider } from '../../../../services/admin/src/sso/testing/provider.ts';
import { startServices, type Services } from './services.ts';

/** Services with this provider. */
export async function startServicesWithProvider(
  ...[changes, secondInstance]: Parameters<typeof startServices>
) {
  const provider = await startDemoProvider();
  const services = await startServices(changes, secondInstance, provider.settings);
  return {
    ...services,
    provider,
    stop: async (): Promise<void> => {
      await services.stop();
      await provider.stop();
    },
  };
}

export type ServicesWithProvider = Awaited<ReturnType<typeof startServicesWithProvider>>;

/** Starts an identity provider that reports a stranger, for whom an account is created. */
async function startDemoProvider() {
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

/**
 * Starts a sign-on at Admin, and follows the browser to the identity provider and back. Returns the callback request,
 * which completes the sign-on, and what the provider was asked.
 */
export async function reachCallback(services: Services, provider: string, query = '') {
  const begun = await services.send('Admin', { method: 'GET', path: `/auth/${provider}/login${query}` });
  const to = new URL(String(begun.headers['location']));
  const answered = await fetch(to, { redirect: 'manual' });
  const { pathname, search } = new URL(answered.headers.get('location') ?? '');
  const cookie = [begun.headers['set-cookie']].flat().map((one) => one?.split(';')[0]);
  const sent = { method: 'GET', path: `${pathname}${search}`, headers: { cookie: cookie.join('; ') } };
  return { ...sent, asked: to.searchParams };
}
