import { someEmail } from '@gatehouse/accounts/testing';
import { CLIENT, startProvider } from '../../../../services/admin/src/sso/testing/provider.ts';
import { startServices, type Services } from './services.ts';

export async function startServicesWith<Id extends string>(
  listed: Record<Id, object>,
  ...[changes, secondInstance]: Parameters<typeof startServices>
) {
  const ids = Object.keys(listed) as Id[]; // it has no others
  const started = await Promise.all(ids.map(async (id) => [id, await startProvider()] as const));
  const providers = Object.fromEntries(started) as Record<Id, (typeof started)[number][1]>; // one for each
  const returnUrls = ['https://app.gatehouse.test/'];
  const services = await startServices(changes, secondInstance, {
    ADMIN_URL: 'https://admin.gatehouse.test',
    SSO_PROVIDERS: JSON.stringify(
      ids.map((id) => ({ id, issuer: providers[id].issuer, ...CLIENT, returnUrls, ...listed[id] })),
    ),
  });
  return {
    ...services,
    providers,
    stop: async (): Promise<void> => {
      await services.stop();
      await Promise.all(started.map(([, provider]) => provider.stop()));
    },
  };
}

/** Services with one that reports a stranger, for whom an account is created. */
export async function startServicesWithProvider(...given: Parameters<typeof startServices>) {
  const services = await startServicesWith({ demo: { trustEmail: true, provisioning: 'jit' } }, ...given);
  const { demo } = services.providers;
  demo.behaviour.person = { sub: 'a stranger', email: someEmail(), email_verified: true };
  return { ...services, provider: { ...demo, id: 'demo' } };
}

export type ServicesWithProvider = Awaited<ReturnType<typeof startServicesWithProvider>>;

/** Follows a browser from Admin to the identity provider and back: up to the callback, which completes the sign-on. */
export async function reachCallback(services: Services, provider: string, query = '') {
  const begun = await services.send('Admin', { method: 'GET', path: `/auth/${provider}/login${query}` });
  const to = new URL(String(begun.headers['location']));
  const answered = await fetch(to, { redirect: 'manual' });
  const { pathname, search } = new URL(answered.headers.get('location') ?? '');
  const cookie = [begun.headers['set-cookie']].flat().map((one) => one?.split(';')[0]);
  const sent = { method: 'GET', path: `${pathname}${search}`, headers: { cookie: cookie.join('; ') } };
  return { ...sent, asked: to.searchParams };
}
