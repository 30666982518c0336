import * as oauth from 'oauth4webapi';
import { NOWHERE, type RealClient, type StartClient } from './real-client.ts';

const CALLBACK = `${NOWHERE}/callback`;
const INSECURE = { [oauth.allowInsecureRequests]: true };

/** https://github.com/panva/oauth4webapi */
export const oauth4webapi: StartClient = async (provider): Promise<RealClient> => {
  const { clientId, clientSecret } = await provider.register(NOWHERE, CALLBACK);
  const issuer = new URL(provider.issuer);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, INSECURE));
  const client = { client_id: clientId };
  const authentication = oauth.ClientSecretBasic(clientSecret);
  let tokens: oauth.TokenEndpointResponse;
  let claims: oauth.IDToken | undefined;
  return {
    signIn: async (browser) => {
      const [verifier, state, nonce] = [
        oauth.generateRandomCodeVerifier(),
        oauth.generateRandomState(),
        oauth.generateRandomNonce(),
      ];
      const asked = new URLSearchParams({
        client_id: clientId,
        redirect_uri: CALLBACK,
        response_type: 'code',
        scope: 'openid email offline_access',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      const back = await browser.visit(`${server.authorization_endpoint}?${asked.toString()}`, CALLBACK);
      // Checks `iss` (RFC 9207), too.
      const returned = oauth.validateAuthResponse(server, client, new URL(back.url), state);
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        returned,
        CALLBACK,
        verifier,
        INSECURE,
      );
      const expected = { expectedNonce: nonce, requireIdToken: true };
      tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, expected);
      await oauth.validateApplicationLevelSignature(server, answer, INSECURE);
      claims = oauth.getValidatedIdTokenClaims(tokens);
      return { email: claims?.['email'] as string, sessionId: claims?.['sid'] as string };
    },
    userinfo: async () => {
      const answer = await oauth.userInfoRequest(server, client, tokens.access_token, INSECURE);
      return (await oauth.processUserInfoResponse(server, client, claims?.sub ?? '', answer)).email;
    },
    refresh: async () => {
      const shown = tokens.refresh_token ?? '';
      const answer = await oauth.refreshTokenGrantRequest(server, client, authentication, shown, INSECURE);
      tokens = await oauth.processRefreshTokenResponse(server, client, answer);
    },
    logOut: async (browser) => {
      const asked = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: NOWHERE };
      await browser.visit(`${server.end_session_endpoint}?${new URLSearchParams(asked).toString()}`, NOWHERE);
    },
    stop: () => Promise.resolve(),
  };
};
