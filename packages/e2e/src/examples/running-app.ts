import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { someAddress } from '@gatehouse/accounts/testing';
import { routes as portalRoutes } from '@gatehouse/portal';
import { startServices, type Services } from '../requests/services.ts';
import { writeClient } from './write-client.ts';

const EXAMPLE = fileURLToPath(new URL('../../../../examples/server-rendered/', import.meta.url));
const ofHttp = createRequire(new URL('../../../http/package.json', import.meta.url));
const PORTAL = new Set(portalRoutes.map(({ path }) => path.split('.')[0]));

/** Failed logins are counted by address, in a Redis that other tests also use. */
const ADDRESS = someAddress();

/** The example of a server-rendered app, and the services behind it. */
export interface RunningApp {
  services: Services;
  origin: string;
  /** The folder of its files. */
  folder: string;
  /** The client addresses that the app has forwarded. */
  forwarded: Set<string | string[] | undefined>;
  stop(): Promise<void>;
}

/** Installs the example as npm would, and runs it. */
export async function runApp(): Promise<RunningApp> {
  const services = await startServices();
  const forwarded: RunningApp['forwarded'] = new Set();
  const gateway = createServer((message, response) => {
    forwarded.add(message.headers['x-forwarded-for']);
    passOn(services, message, response);
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-app-'));
  await cp(EXAMPLE, folder, { recursive: true });
  await writeClient(join(folder, 'node_modules/gatehouse-client'));
  await symlink(dirname(ofHttp.resolve('express/package.json')), join(folder, 'node_modules/express'));
  const { port } = gateway.address() as AddressInfo; // the server listens on a port
  // `env` extends the environment of this process.
  const settings = [`GATEHOUSE=http://127.0.0.1:${port}`, 'PORT=0'];
  const app = spawn('/usr/bin/env', [...settings, process.execPath, join(folder, 'app.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(app.stdout, 'data')) as [Buffer]; // the URL that it listens on
  return {
    services,
    origin: line.toString().trim(),
    folder,
    forwarded,
    stop: async () => {
      const exited = once(app, 'exit');
      if (app.kill('SIGTERM')) await exited;
      gateway.close();
      gateway.closeAllConnections();
      await services.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Forwards a request to the service with this path, as the gateway does. */
function passOn(services: Services, message: IncomingMessage, response: ServerResponse): void {
  const { method, url = '/', headers } = message;
  const path = url.split('?')[0] ?? url;
  const isPortal = [...PORTAL].some((one) => path === one || path.startsWith(`${one}/`));
  const sent = { ...headers, 'x-forwarded-for': ADDRESS };
  const asked = request(
    services.url(isPortal ? 'Portal' : 'Core') + url,
    { method, headers: sent },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  asked.on('error', () => response.destroy());
  message.pipe(asked);
}

/** A response that the browser got. */
export interface Shown {
  status: number;
  text: string;
  location: string | null;
  /** The cookie as it was set, if it was. */
  cookie: string | undefined;
}

/** A browser without scripts: it stores one cookie, submits a form if one is given, and follows no redirect. */
export function newBrowser(origin: string) {
  let kept = '';
  return async (path: string, form?: Record<string, string>, more: object = {}): Promise<Shown> => {
    const response = await fetch(origin + path, {
      redirect: 'manual',
      headers: { cookie: kept, ...more },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) kept = cookie.split(';')[0] ?? '';
    const location = response.headers.get('location');
    return { status: response.status, text: await response.text(), location, cookie };
  };
}
