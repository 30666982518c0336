import { startApache } from './apache.ts';
import type { UserBrowser } from './provider.ts';
import type { StartClient } from './real-client.ts';

/** https://github.com/OpenIDC/mod_auth_openidc, which Apache protects a folder with. */
export const modAuthOpenidc: StartClient = async (provider) => {
  const { origin, stop } = await startApache('auth_openidc', async (own) => {
    const callback = `${own}/app/callback`;
    const { clientId, clientSecret } = await provider.register(own, callback, {
      BackchannelLogoutUri: `${callback}?logout=backchannel`,
    });
    return [
      `OIDCProviderMetadataURL ${provider.issuer}/.well-known/openid-configuration`,
      `OIDCClientID ${clientId}`,
      `OIDCClientSecret ${clientSecret}`,
      `OIDCRedirectURI ${callback}`,
      'OIDCCryptoPassphrase "a secret of the application"',
      'OIDCScope "openid email offline_access"',
      'OIDCPKCEMethod S256',
      'OIDCPassRefreshToken On',
      '<Location /app>',
      'AuthType openid-connect',
      // Otherwise it takes calls by scripts for what they are, and sends only navigations to the login.
      'OIDCUnAuthAction auth true',
      'Require valid-user',
      ...['CLAIM_email', 'CLAIM_sid', 'access_token'].map(
        (name) => `Header always set X-${name.replace('_', '-')} "%{OIDC_${name}}e"`,
      ),
      '</Location>',
    ];
  });
  const page = `${origin}/app/page.txt`;
  let current: UserBrowser;
  const read = async () => {
    const { status, headers } = await current.visit(page, provider.pages);
    if (status !== 200) throw new Error(`nobody is signed in: ${status}`);
    const given = (name: string): string => headers.get(`x-${name}`) ?? '';
    return { email: given('CLAIM-email'), sid: given('CLAIM-sid'), accessToken: given('access-token') };
  };
  const ask = (parameters: Record<string, string>, stopAt: string) =>
    current.visit(`${origin}/app/callback?${new URLSearchParams(parameters).toString()}`, stopAt);
  return {
    signIn: async (browser) => {
      current = browser;
      await browser.visit(page, 'nowhere');
      const { email, sid } = await read();
      return { email, sessionId: sid };
    },
    isSignedIn: async () => (await current.visit(page, provider.pages)).status === 200,
    userinfo: async () => {
      const { accessToken } = await read();
      const answer = await fetch(`${provider.issuer}/oauth/userinfo`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      if (!answer.ok) throw new Error(`userinfo: ${answer.status}`);
      return ((await answer.json()) as { email: string }).email;
    },
    refresh: async () => {
      const { accessToken } = await read();
      const { url } = await ask({ refresh: page, access_token: accessToken }, provider.pages);
      if (url !== page) throw new Error(`refused: ${url}`);
    },
    logOut: async (browser) => {
      current = browser;
      await ask({ logout: origin }, 'nowhere');
    },
    stop,
  };
};
