import { join } from 'node:path';
import { programArguments } from '@gatehouse/build';
import { serverEnvironment, makeFolder } from '../servers/home.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { answersHttp } from '../processes/probes.ts';
import { DEMO_ADMIN_EMAILS } from '../demo-data/seed-demo.ts';
import { SEEDED_EMAILS } from '../stack/seed.ts';

/** The name of the identity provider in the local stack. */
export const DEMO_PROVIDER = 'demo';
/** The name of its process. */
export const DEMO_PROCESS = 'idp';
const CLIENT_ID = 'gatehouse';

/**
 * An OpenID provider for trying single sign-on. It signs in any email except those that the stack was seeded with.
 * `server` runs it; `providers` is its entry for Admin (`SSO_PROVIDERS`).
 */
export function demoProvider(options: {
  directory: string;
  /** The port it listens on. */
  port: number;
  baseUrl: string;
  adminUrl: string;
  clientSecretFile: string;
  bindAddress: string;
}): { server: ManagedProcess; providers: string } {
  const { directory, port, baseUrl, adminUrl, clientSecretFile, bindAddress } = options;
  const home = makeFolder(join(directory, 'idp'), 0o700);
  const issuer = demoIssuer(port);

  const server: ManagedProcess = {
    name: DEMO_PROCESS,
    command: process.execPath,
    args: programArguments('demo-provider'),
    env: {
      ...serverEnvironment(home),
      PORT: String(port),
      BIND_ADDRESS: bindAddress,
      CLIENT_ID,
      CLIENT_SECRET_FILE: clientSecretFile,
      REDIRECT_URI: `${adminUrl}/auth/${DEMO_PROVIDER}/callback`,
      BACKCHANNEL_LOGOUT_URI: `${adminUrl}/auth/${DEMO_PROVIDER}/backchannel-logout`,
      KEYS_FILE: join(home, 'keys.json'),
      OTHERS_EMAILS: [...SEEDED_EMAILS, ...DEMO_ADMIN_EMAILS].join(','),
    },
    cwd: home,
    isReady: () => answersHttp(`${issuer}/.well-known/openid-configuration`, 200),
  };
  const provider = {
    id: DEMO_PROVIDER,
    issuer,
    clientId: CLIENT_ID,
    clientSecretFile,
    trustEmail: true,
    provisioning: 'jit',
    returnUrls: returnUrlsOf(baseUrl),
  };
  return { server, providers: JSON.stringify([provider]) };
}

/** The issuer of the demo provider, which is also its URL. */
export function demoIssuer(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * The URL of the drawn faces of the demo data. The provider's process serves them, because it too exists only for
 * trying things.
 */
export function demoFacesUrl(issuer: string): string {
  return `${issuer}/faces`;
}

/**
 * Where the provider may send browsers back to: a page that only says Pong, to look at the parameters, and the usual
 * address of a client under development.
 */
export function returnUrlsOf(baseUrl: string): string[] {
  return [`${baseUrl}/ping`, 'http://localhost:3000/auth/callback'];
}
