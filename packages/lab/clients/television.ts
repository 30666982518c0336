import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@gatehouse/runtime/testing';
import type { Provider } from './provider.ts';

const PROGRAM = fileURLToPath(new URL('../../../examples/television/television.mjs', import.meta.url));

/** The example of a device without a browser, with https://github.com/panva/openid-client */
export async function startTelevision(provider: Provider) {
  const { clientId } = await provider.register('', '', {
    ...{ RedirectUris: [], PostLogoutRedirectUris: [], IsPublic: true, Grants: 'own' },
    GrantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    Scopes: ['openid', 'email', 'offline_access'],
  });
  const env = { ISSUER: provider.issuer, CLIENT_ID: clientId };
  const child = spawn(process.execPath, [PROGRAM], { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const says = (what: RegExp) => eventually(() => what.exec(said)?.[1] ?? false, 20);
  return {
    /** The code that it shows. */
    userCode: () => says(/type (\S+)/),
    /** Whose email it has got, once somebody has approved it. */
    email: () => says(/Signed in as (\S+)\. /),
    /** Resolves once it is refused. */
    signedOut: () => says(/(Signed out)/),
    stop: () => child.kill(),
  };
}
