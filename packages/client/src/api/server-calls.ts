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

/** What a sign-on came back with, and what this tab kept for it. */
export interface SignOnCode {
  provider: string;
  code: string;
  codeVerifier: string;
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

  const urlOf = (provider: string, what: 'login' | 'renew' | 'exchange'): string =>
    `${admin()}${what === 'login' ? '' : '/api'}/auth/${encodeURIComponent(provider)}/${what}`;
  const atProvider = async (
    provider: string,
    what: 'renew' | 'exchange',
    body: object,
  ): Promise<IssuedTokens> => {
    const askedAt = now();
    const given = await sendJson(fetch, { url: urlOf(provider, what), body });
    return { ...(given as { token: string; refreshToken: string }), askedAt, provider }; // as documented
  };

  return {
    base,
    admin,
    urlOf,
    core,
    /** Exchanges the refresh token for new tokens, at the service that opened the session. */
    async exchange({ refreshToken, provider }: KeptSession): Promise<IssuedTokens> {
      if (provider !== undefined) return atProvider(provider, 'renew', { refreshToken });
      const askedAt = now();
      const given = (await core('/account/refresh-token', { RefreshToken: refreshToken })) as TokenSet; // as documented
      return { token: given.Token, refreshToken: given.RefreshToken, askedAt };
    },
    /** Exchanges the code of a sign-on for tokens. */
    redeem: ({ provider, code, codeVerifier }: SignOnCode) =>
      atProvider(provider, 'exchange', { code, codeVerifier }),
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
