import type { IssuedTokens } from '../session/access-token.ts';
import type { PingSessionResponse, TokenSet } from './api-types.ts';
import { sendJson, type Fetch, type JsonCall } from './send-json.ts';
import type { KeptSession } from '../session/token-storage.ts';

interface Deps {
  baseUrl: string;
  adminUrl: string | undefined;
  fetch: Fetch;
  now: () => number;
}

/** The API calls that the client makes itself. */
export function createServerCalls({ baseUrl, adminUrl, fetch, now }: Deps) {
  const base = withoutSlash(baseUrl);
  const core = (path: string, body: object, more?: Partial<JsonCall>): Promise<unknown> =>
    sendJson(fetch, { url: base + path, body, ...more });
  /** The base URL of Admin. */
  const admin = (): string => {
    if (adminUrl === undefined) throw new TypeError('adminUrl is missing');
    return withoutSlash(adminUrl);
  };

  /** Exchanges the code of a sign-on, or a refresh token, for tokens. */
  const atProvider = async (
    provider: string,
    what: 'renew' | 'exchange',
    body: object,
  ): Promise<IssuedTokens> => {
    const askedAt = now();
    const url = `${admin()}/api/auth/${encodeURIComponent(provider)}/${what}`;
    const given = await sendJson(fetch, { url, body });
    return { ...(given as { token: string; refreshToken: string }), askedAt, provider }; // as documented
  };

  return {
    base,
    admin,
    core,
    atProvider,
    /** Exchanges the refresh token for new tokens, at the service that opened the session. */
    async exchange({ refreshToken, provider }: KeptSession): Promise<IssuedTokens> {
      if (provider !== undefined) return atProvider(provider, 'renew', { refreshToken });
      const askedAt = now();
      const given = (await core('/account/refresh-token', { RefreshToken: refreshToken })) as TokenSet; // as documented
      return { token: given.Token, refreshToken: given.RefreshToken, askedAt };
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
