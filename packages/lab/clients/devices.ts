import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@gatehouse/runtime/testing';
import * as oauth from 'oauth4webapi';
import type { Provider } from './provider.ts';

/** A device without a browser that signs its owner in, with a library that is not ours. */
export interface Device {
  /** What it shows. */
  userCode(): Promise<string>;
  /** Whose email it has got, once somebody has approved it; rejects if they have denied it. */
  email(): Promise<string>;
  /** Resolves once it is refused. */
  signedOut(): Promise<void>;
  stop(): void;
}

export type StartDevice = (provider: Provider) => Promise<Device>;

/** Registers a device that stays signed in. */
async function registerDevice(provider: Provider): Promise<string> {
  const { clientId } = await provider.register('', '', {
    ...{ RedirectUris: [], PostLogoutRedirectUris: [], IsPublic: true, Grants: 'own' },
    GrantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    Scopes: ['openid', 'email', 'offline_access'],
  });
  return clientId;
}

const PROGRAM = fileURLToPath(new URL('../../../examples/television/television.mjs', import.meta.url));

/** The example, with https://github.com/panva/openid-client */
export const television: StartDevice = async (provider) => {
  const CLIENT_ID = await registerDevice(provider);
  const child = spawn(process.execPath, [PROGRAM], { env: { ISSUER: provider.issuer, CLIENT_ID } });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const says = (what: RegExp) => eventually(() => what.exec(said)?.[1] ?? false, 20);
  return {
    userCode: () => says(/type (\S+)/),
    email: () => says(/Signed in as (\S+)\. |(?:Denied)/),
    signedOut: async () => void (await says(/(Signed out)/)),
    stop: () => child.kill(),
  };
};

const INSECURE = { [oauth.allowInsecureRequests]: true };

/** https://github.com/panva/oauth4webapi */
export const device: StartDevice = async (provider) => {
  const client = { client_id: await registerDevice(provider) };
  const issuer = new URL(provider.issuer);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, INSECURE));
  const scope = { scope: 'openid email offline_access' };
  const begun = await oauth.processDeviceAuthorizationResponse(
    server,
    client,
    await oauth.deviceAuthorizationRequest(server, client, oauth.None(), scope, INSECURE),
  );
  let tokens: oauth.TokenEndpointResponse;
  const ask = async () => {
    const code = begun.device_code;
    const answer = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), code, INSECURE);
    return oauth.processDeviceCodeResponse(server, client, answer);
  };
  const userinfo = async () => {
    const { sub = '' } = oauth.getValidatedIdTokenClaims(tokens) ?? {};
    const answer = await oauth.userInfoRequest(server, client, tokens.access_token, INSECURE);
    return (await oauth.processUserInfoResponse(server, client, sub, answer)).email ?? '';
  };
  return {
    userCode: () => Promise.resolve(begun.user_code),
    email: async () => {
      tokens = await ask();
      return userinfo();
    },
    signedOut: async () => {
      await eventually(() =>
        userinfo().then(
          () => false,
          () => true,
        ),
      );
    },
    stop: () => {},
  };
};
