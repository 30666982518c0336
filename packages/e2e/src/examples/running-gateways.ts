import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@gatehouse/runtime/testing';
import { freePorts, provide, quiet } from '@gatehouse/dev';

const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url));

/** The arguments of each gateway. Its working directory is its folder, and it listens on 127.0.0.1:8000. */
const START = {
  nginx: ['-e', 'stderr', '-c'],
  caddy: ['run', '--config'],
};
const FILE = { nginx: 'nginx.conf', caddy: 'Caddyfile' };
type Gateway = keyof typeof START;

export interface GatewayAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

/** The gateways whose examples can be run. */
export const GATEWAYS = Object.keys(START) as Gateway[];

/** Runs examples in front of an app that reports the headers that reach it. `stop` ends all of them. */
export async function runGateways() {
  const programs = await provide(quiet, GATEWAYS);
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gatehouse-gateways-'));
  const upstream = createServer((message, response) => response.end(JSON.stringify(message.headers)));
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const started: ChildProcess[] = [];

  /** Starts the example unchanged, except for addresses. */
  const start = async (kind: Gateway, gatehouse: string): Promise<number> => {
    const { app: port } = await freePorts();
    const place = mkdtempSync(join(folder, `${kind}-`));
    cpSync(join(EXAMPLES, kind), place, { recursive: true });
    for (const name of readdirSync(place)) {
      const text = readFileSync(join(place, name), 'utf8')
        .replaceAll('127.0.0.1:8080', gatehouse)
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${(upstream.address() as AddressInfo).port}`)
        .replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`)
        .replaceAll('/var/cache/nginx/', `${place}/`);
      writeFileSync(join(place, name), text);
    }
    if (kind === 'nginx') writeFileSync(join(place, 'nginx.conf'), nginxAround(place));
    const file = join(place, FILE[kind]);
    // `env` extends the environment of this process.
    const settings = ['HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME'].map((name) => `${name}=${place}`);
    started.push(
      spawn('env', [...settings, programs[kind], ...START[kind], file], { cwd: place, stdio: 'ignore' }),
    );
    await eventually(() => get(port, '/').then(Boolean), 20);
    return port;
  };

  const stop = async (): Promise<void> => {
    // Not SIGKILL, because nginx's worker process would survive it.
    for (const child of started) {
      const exited = once(child, 'exit');
      if (child.kill('SIGTERM')) await exited;
    }
    upstream.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { start, stop };
}

/** Sends the path unchanged; other clients would normalise it. */
export function get(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<GatewayAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => {
        const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
      });
    });
    asked.on('error', reject).end();
  });
}

function nginxAround(place: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${place}/${name};`,
  );
  // Otherwise nginx, started by root, would run as a user who may not enter the test's folder.
  const user = process.getuid?.() === 0 ? ['user root;'] : [];
  const lines = [
    ...user,
    'daemon off;',
    `pid ${place}/pid;`,
    'error_log stderr crit;',
    'events {}',
    'http {',
  ];
  return [...lines, 'access_log off;', ...paths, 'include app.conf;', '}'].join('\n');
}
