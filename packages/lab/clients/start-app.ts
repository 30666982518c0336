import { serve } from '@gatehouse/runtime/testing';
import express, { type Express } from 'express';
import type { Provider, Registration, UserBrowser } from './provider.ts';
import type { RealClient } from './real-client.ts';

/**
 * An application in Express with `/login`, `/callback` and `/me`, and with `/userinfo`, `/refresh` and `/logout` if its
 * library has them. Options are fields of its registration; the address is a path.
 */
export async function startApp(
  provider: Provider,
  options: { callbackPath?: string; BackchannelLogoutUri?: string; RequiresPkce?: boolean },
  build: (app: Express, own: Registration & { origin: string }) => void,
): Promise<RealClient> {
  const { callbackPath = '/callback', BackchannelLogoutUri, ...more } = options;
  const app = express();
  // Otherwise Express prints the refusals that the tests expect.
  app.set('env', 'test');
  const { url: origin, stop } = await serve(app);
  const registration = await provider.register(origin, `${origin}${callbackPath}`, {
    ...more,
    ...(BackchannelLogoutUri !== undefined && { BackchannelLogoutUri: `${origin}${BackchannelLogoutUri}` }),
  });
  build(app, { origin, ...registration });
  let current: UserBrowser;
  /** What it shows of somebody who is signed in to it. */
  const read = async (path: string) => {
    const { status, text } = await current.visit(`${origin}${path}`, 'nowhere');
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text) as { email?: string; sid?: string };
  };
  return {
    signIn: async (browser) => {
      current = browser;
      await browser.visit(`${origin}/login`, 'nowhere');
      const { email, sid } = await read('/me');
      return { email, sessionId: String(sid) };
    },
    isSignedIn: async () => (await read('/me')).sid !== undefined,
    userinfo: async () => (await read('/userinfo')).email,
    refresh: async () => void (await read('/refresh')),
    logOut: async (browser) => {
      await browser.visit(`${origin}/logout`, 'nowhere');
    },
    stop,
  };
}
