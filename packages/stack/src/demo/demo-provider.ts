import { join } from 'node:path';
import { programArguments } from '@gatehouse/build';
import { serverEnvironment, type ManagedProcess } from '../processes/managed-process.ts';
import { makeFolder } from '../stack/data-directory.ts';
import { answersHttp } from '../processes/probes.ts';
import { DEMO_ADMIN_EMAILS } from '../demo-data/people.ts';
import { SEEDED_EMAILS } from '../stack/seed.ts';

/** The name under which the local stack knows its identity provider. */
export const DEMO_PROVIDER = 'demo';
/** Its name among the processes. */
export const DEMO_PROCESS = 'idp';
const CLIENT_ID = 'gatehouse';

/**
 * An OpenID provider that signs in anyone but whom the stack was seeded with, for trying single sign-on: `server` runs
 * it, `providers` is what Admin knows it by (`SSO_PROVIDERS`).
 */
export function demoProvider(options: {
  directory: string;
  /** Where it listens. */
  port: number;
  baseUrl: string;
  adminUrl: string;
  clientSecretFile: string;
}): { server: ManagedProcess; providers: string } {
  const { directory, port, baseUrl, adminUrl, clientSecretFile } = options;
  const home = makeFolder(join(directory, 'idp'), 0o700);
  const issuer = demoIssuer(port);

  const server: ManagedProcess = {
    name: DEMO_PROCESS,
    command: process.execPath,
    args: programArguments('demo-provider'),
    env: {
      ...serverEnvironment(home),
      PORT: String(port),
      CLIENT_ID,
      CLIENT_SECRET_FILE: clientSecretFile,
      REDIRECT_URI: `${adminUrl}/auth/${DEMO_PROVIDER}/callback`,
      BACKCHANNEL_LOGOUT_URI: `${adminUrl}/auth/${DEMO_PROVIDER}/backchannel-logout`,
      KEYS_FILE: join(home, 'keys.json'),
      OTHERS_EMAILS: [...SEEDED_EMAILS, ...DEMO_ADMIN_EMAILS].join(','),
    },
    cwd: home,
    isReady: () => answersHttp(`${issuer}/.well-known/openid-configuration`, 200),
    readySeconds: 60,
    stopSignal: 'SIGTERM',
    abortSignal: 'SIGKILL',
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

/** What the demo provider calls itself, and where it is. */
export function demoIssuer(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Where the faces of the demo data are drawn: by the same process, which is there for trying things alone. */
export function demoFacesUrl(issuer: string): string {
  return `${issuer}/faces`;
}

/** A page that only says Pong, for looking at what comes back, and where a client under development may listen. */
export function returnUrlsOf(baseUrl: string): string[] {
  return [`${baseUrl}/ping`, 'http://localhost:3000/auth/callback'];
}
