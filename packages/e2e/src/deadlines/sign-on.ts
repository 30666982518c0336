import type { Services } from '../roles/services.ts';
import type { Sent } from '../roles/wire.ts';

/** With what a browser comes back from an identity provider to which Admin has sent it: the call that signs on. */
export async function comeBack(services: Services, provider: string, query = ''): Promise<Sent> {
  const begun = await services.send('Admin', { method: 'GET', path: `/auth/${provider}/login${query}` });
  const asked = await fetch(String(begun.headers['location']), { redirect: 'manual' });
  const { pathname, search } = new URL(asked.headers.get('location') ?? '');
  const cookie = [begun.headers['set-cookie']].flat().map((one) => one?.split(';')[0]);
  return { method: 'GET', path: `${pathname}${search}`, headers: { cookie: cookie.join('; ') } };
}
