import { join } from 'node:path';
import { programArguments } from '@gatehouse/build';
import { serverEnvironment, makeFolder } from '../servers/home.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { answersHttp } from '../processes/probes.ts';

/** The name of its process. */
export const DEMO_APP_PROCESS = 'app';
const CLIENT_ID = '0190a000-0000-7000-8000-0000000000a1';

/**
 * An application that signs people in through the stack. `server` runs it; `clients` is its entry for Admin
 * (`OAUTH_CLIENTS`).
 */
export function demoApp(options: {
  directory: string;
  /** The port it listens on. */
  port: number;
  /** The issuer. */
  baseUrl: string;
  bindAddress: string;
}): { server: ManagedProcess; clients: string } {
  const { directory, port, baseUrl, bindAddress } = options;
  const home = makeFolder(join(directory, 'app'), 0o700);
  const origin = demoAppUrl(port);
  const server: ManagedProcess = {
    name: DEMO_APP_PROCESS,
    command: process.execPath,
    args: programArguments('demo-app'),
    env: {
      ...serverEnvironment(home),
      PORT: String(port),
      BIND_ADDRESS: bindAddress,
      ISSUER: baseUrl,
      CLIENT_ID,
    },
    cwd: home,
    isReady: () => answersHttp(`${origin}/health`, 200),
  };
  const client = {
    Id: CLIENT_ID,
    Name: 'Demo application',
    IsPublic: true,
    RedirectUris: [`${origin}/callback`],
    PostLogoutRedirectUris: [`${origin}/`],
    Scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    Roles: ['User', 'Admin', 'Guest'],
  };
  return { server, clients: JSON.stringify([client]) };
}

/** Where browsers open it. */
function demoAppUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}
