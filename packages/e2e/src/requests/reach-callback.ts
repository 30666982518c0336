import type { Services } from './services.ts';

/**
 * Starts a sign-on at Admin, and follows the browser to the identity provider and back. Returns the callback request,
 * which completes the sign-on.
 */
export async function reachCallback(services: Services, provider: string, query = '') {
  const begun = await services.send('Admin', { method: 'GET', path: `/auth/${provider}/login${query}` });
  const asked = await fetch(String(begun.headers['location']), { redirect: 'manual' });
  const { pathname, search } = new URL(asked.headers.get('location') ?? '');
  const cookie = [begun.headers['set-cookie']].flat().map((one) => one?.split(';')[0]);
  return { method: 'GET', path: `${pathname}${search}`, headers: { cookie: cookie.join('; ') } };
}
