import type { ServerCalls } from '../api/server-calls.ts';
import type { Access } from '../session/access-token.ts';

/** The account pages that a session can be handed over to. */
export type AccountPage = 'profile' | 'security' | 'sessions';

interface Deps {
  server: Pick<ServerCalls, 'core'>;
  now: () => number;
  /** Returns a valid token other than the given one. */
  access: (refused?: Access) => Promise<Access>;
}

/** Returns the URL of an account page that opens in this session. */
export async function handOver(
  Page: AccountPage | undefined,
  { server, now, access }: Deps,
): Promise<string> {
  const held = await access();
  // The account page is signed in only until this token expires, so an old token is renewed first.
  const isOld = held.expiresAt - now() < held.lifetimeMs / 2;
  const { token } = isOld ? await access(held) : held;
  const answer = await server.core('/account/handover', { Page }, { token });
  return (answer as { Url: string }).Url; // as documented
}
