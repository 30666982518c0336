import * as client from 'openid-client';
import { NOWHERE, type RealClient, type StartClient } from './real-client.ts';

const CALLBACK = `${NOWHERE}/callback`;

/** https://github.com/panva/openid-client, which is built on oauth4webapi. */
export const openidClient: StartClient = async (provider): Promise<RealClient> => {
  const { clientId, clientSecret } = await provider.register(NOWHERE, CALLBACK);
  const config = await client.discovery(new URL(provider.issuer), clientId, clientSecret, undefined, {
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
  });
  let tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers;
  const subject = () => tokens.claims()?.sub ?? '';
  return {
    signIn: async (browser) => {
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        scope: 'openid email offline_access',
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        nonce: expectedNonce,
      });
      const back = await browser.visit(url.href, CALLBACK);
      const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
      tokens = await client.authorizationCodeGrant(config, new URL(back.url), checks);
      const claims = tokens.claims();
      return { email: claims?.['email'] as string, sessionId: claims?.['sid'] as string };
    },
    userinfo: async () => (await client.fetchUserInfo(config, tokens.access_token, subject())).email,
    accessToken: () => tokens.access_token,
    refresh: async () => {
      tokens = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    },
    logOut: async (browser) => {
      const url = client.buildEndSessionUrl(config, {
        id_token_hint: tokens.id_token ?? '',
        post_logout_redirect_uri: NOWHERE,
      });
      await browser.visit(url.href, NOWHERE);
    },
    stop: () => Promise.resolve(),
  };
};
