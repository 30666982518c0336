import { nameOf, type ALL_ROUTES } from '@gatehouse/codegen';
import type { ServicesWithProvider } from './demo-provider.ts';
import { createFixtures } from './objects.ts';
import { accountRequests } from './prepared/account-requests.ts';
import { oauthRequests } from './prepared/oauth-requests.ts';
import { newCaller, type Prepared } from './prepared/prepared.ts';
import { signOnRequests } from './prepared/sign-on-requests.ts';
import { requestFor } from './request-for.ts';
import type { Sent } from './send.ts';

type Entry = (typeof ALL_ROUTES)[number];

export interface EffectiveRequest {
  name: string;
  api: Entry['api'];
  sent: Sent;
}

/** Makes requests that succeed, at least one for a route, one for each of its variants. No two use the same objects. */
export function createEffectiveRequests(services: ServicesWithProvider) {
  const { app, adminToken } = services;
  const prepared: Prepared = {
    ...accountRequests(services),
    ...oauthRequests(services),
    ...signOnRequests(services),
  };
  return async ({ api, route }: Entry): Promise<EffectiveRequest[]> => {
    const name = nameOf(route);
    const variants = Object.keys(prepared).filter((key) => key === name || key.startsWith(`${name}, `));
    const made: EffectiveRequest[] = [];
    for (const variant of variants.length === 0 ? [name] : variants) {
      const caller = await newCaller(services);
      const { now } = app.clock;
      const { path, body, headers } = (await prepared[variant]?.(caller)) ?? {};
      // Setting up two-factor authentication changes the clock.
      app.clock.now = now;
      const smallest = await requestFor(route, createFixtures(services, adminToken).of(caller));
      const authorization = route.access !== 'public' && { authorization: `Bearer ${caller.Token}` };
      const sent = { ...smallest, headers: { ...smallest.headers, ...authorization, ...headers } };
      made.push({ name: variant, api, sent: { ...sent, path: path ?? sent.path, body: body ?? sent.body } });
    }
    return made;
  };
}
