import type { GivenTokens } from '../session/access-token.ts';
import type { PingSessionResponse, TokenSet } from './api-types.ts';
import { sendJson, type Fetch, type JsonCall } from './send-json.ts';
import type { KeptSession } from '../session/token-storage.ts';

interface Deps {
  baseUrl: string;
  adminUrl: string | undefined;
  fetch: Fetch;
  now: () => number;
}

/** What the client itself asks the server. */
export function createServerCalls({ baseUrl, adminUrl, fetch, now }: Deps) {
  const base = withoutSlash(baseUrl);
  const core = (path: string, body: object, more: Partial<JsonCall> = {}): Promise<unknown> =>
    sendJson(fetch, { url: base + path, body, ...more });
  /** The address of Admin. */
  const admin = (): string => {
    if (adminUrl === undefined) throw new TypeError('createClient was given no adminUrl');
    return withoutSlash(adminUrl);
  };

  return {
    base,
    admin,
    core,
    /** New tokens for what is kept, by whoever gave it. */
    async exchange({ refreshToken, provider }: KeptSession): Promise<GivenTokens> {
      const askedAt = now();
      if (provider === undefined) {
        const given = (await core('/account/refresh-token', { RefreshToken: refreshToken })) as TokenSet; // as documented
        return { token: given.Token, refreshToken: given.RefreshToken, askedAt };
      }
      const url = `${admin()}/api/auth/${encodeURIComponent(provider)}/renew`;
      const given = (await sendJson(fetch, { url, body: { refreshToken } })) as { token: string }; // as documented
      return { token: given.token, refreshToken, askedAt, provider };
    },
    ping: (token: string, contentDefinitionId: string | undefined) =>
      core(
        '/account/ping',
        { ContentDefinitionId: contentDefinitionId },
        { token, isRepeatable: true },
      ) as Promise<PingSessionResponse>, // as documented
    logout: (token: string) => core('/account/logout', {}, { token, isRepeatable: true, keepalive: true }),
  };
}

export type ServerCalls = ReturnType<typeof createServerCalls>;

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
