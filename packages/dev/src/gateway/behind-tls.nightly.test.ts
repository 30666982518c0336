import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { during, testAuthority, testServers } from '@gatehouse/runtime/testing';
import { gateway } from './gateway.ts';
import { ROOT, quiet } from '../command.ts';
import { makeFolder, makeHome } from '../servers/home.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { freePorts, type Ports } from '../stack/ports.ts';
import { provide } from '../install/provide.ts';
import { startStack } from '../stack/start-stack.ts';
import { call, type Answer } from '../testing/index.ts';
import { privateServers } from '../testing/private-servers.ts';

const AUTH = 'auth.example.com';
const ADMIN = 'admin.example.com';
const CLIENT = '127.0.0.2';
const FORGED = '198.51.100.1';
const PAGE = readFileSync(join(ROOT, 'docs/behind-tls.md'), 'utf8');

describe('the configurations of docs/behind-tls.md', function () {
  this.timeout(180_000);
  const authority = testAuthority();
  const given = during(() =>
    privateServers('tls', async ({ supervisor, place, atEnd }) => {
      const { directory, ports } = place;
      const settings = { PATH: process.env['PATH'], BCRYPT_COST: '4', GATEWAY_TRUSTED_PROXIES: '127.0.0.1' };
      const own = { directory: join(directory, 'stack'), ports, throwAway: true };
      const stack = await startStack({ ...own, settings, servers: testServers() });
      atEnd.push(() => stack.stop());
      return {
        ...{ stack, directory, ports, start: supervisor.start.bind(supervisor) },
        binaries: await provide(quiet, ['nginx', 'caddy', 'haproxy']),
        /** Ports for the proxies. They need more than the named ports of a stack. */
        spare: Object.values(await freePorts()),
      };
    }),
  );

  /** Runs a snippet of the page, changed only in its ports and its certificate. */
  const runProxy = async (kind: Kind, to: Ports = given.ports, name: string = kind): Promise<Ask> => {
    const port = given.spare.shift() ?? 0;
    const { path: home, process } = makeHome(join(given.directory, name), ['www-data', 'nginx', 'nobody']);
    const { cert, key } = authority.issue(AUTH, ADMIN);
    const certificate = join(home, 'both.pem');
    writeFileSync(certificate, `${cert}${key}`, { mode: 0o644 });
    const config = join(home, 'config');
    const text = CONFIGS[kind]({ home, port, certificate })
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${to.gateway}`)
      .replaceAll('127.0.0.1:8090', `127.0.0.1:${to.adminGateway}`);
    writeFileSync(config, text);
    const before = kind === 'nginx-proxy-protocol' ? `PROXY TCP4 ${CLIENT} 127.0.0.1 50000 443\r\n` : '';
    // If a proxy in front passes on the client's address, the connection itself comes from another address.
    const from = before === '' ? CLIENT : '127.0.0.1';
    const ask: Ask = (...asked) => callOverTls({ port, from, ca: authority.pem, before }, ...asked);
    const proxy: ManagedProcess = {
      name,
      ...commandFor(kind, given.binaries, { home, config }),
      ...process,
      env: { ...process.env, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
      isReady: async () => (await ask(AUTH, '/ping').catch(() => undefined))?.status === 200,
    };
    await given.start(proxy);
    return ask;
  };

  const logIn = async (ask: Ask): Promise<string> => {
    const { Email, Password } = given.stack.facts.admin;
    const body = JSON.stringify({ Username: Email, Password });
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': FORGED, 'X-Real-IP': FORGED };
    const answer = await ask(AUTH, '/account/login', { method: 'POST', body, headers });
    assert.equal(answer.status, 200, answer.body);
    return (JSON.parse(answer.body) as { Token: string }).Token;
  };
  /** The client address in the audit entry of a change, and in the list of sessions for the latest login. */
  const shownOf = async (ask: Ask, token: string): Promise<string[]> => {
    const json = { 'Content-Type': 'application/json', 'X-Forwarded-For': FORGED };
    const headers = { ...json, Authorization: `Bearer ${token}` };
    const change = { method: 'POST', headers, body: JSON.stringify({ Name: 'behind TLS' }) };
    assert.equal((await ask(ADMIN, '/admin/api-token', change)).status, 201);
    const latestOf = async (list: string) => {
      const { body } = await ask(ADMIN, `/admin/${list}?limit=1`, { headers });
      return (JSON.parse(body) as { Items: { IpAddress: string }[] }).Items.map(({ IpAddress }) => IpAddress);
    };
    return [...(await latestOf('audit')), ...(await latestOf('user-session'))];
  };

  for (const kind of ['nginx', 'caddy', 'haproxy', 'nginx-proxy-protocol'] as const)
    it(`show the client's address behind ${kind}`, async () => {
      const ask = await runProxy(kind);
      const token = await logIn(ask);
      assert.deepEqual(await shownOf(ask, token), [CLIENT, CLIENT]);
      const headers = { 'X-Forwarded-For': FORGED };
      const { body } = await ask(AUTH, '/ping?includeHeaders=true', { headers });
      assert.equal((JSON.parse(body) as Record<string, string>)['x-forwarded-for'], CLIENT);
      assert.ok(!body.includes(FORGED));
    });

  it('show the proxy’s address if the gateway does not trust it', async () => {
    const free = await freePorts();
    const { core, portal, admin } = given.ports;
    const to = { ...free, core, portal, admin };
    const untold = makeFolder(join(given.directory, 'untold'), 0o711);
    await given.start(gateway({ binary: given.binaries.nginx, directory: untold, ports: to }));
    const ask = await runProxy('nginx', to, 'nginx-untold');
    assert.deepEqual(await shownOf(ask, await logIn(ask)), ['127.0.0.1', '127.0.0.1']);
  });
});

type Ask = (host: string, path: string, options?: Parameters<typeof call>[2]) => Promise<Answer>;

type Kind = keyof typeof CONFIGS;

/** The snippets of the page, completed so that they run here. */
const CONFIGS = {
  nginx: (here: Here) => nginxAround(here, snippet('nginx')),
  'nginx-proxy-protocol': (here: Here) => {
    const listen = snippet('nginx-proxy-protocol').replace('10.0.16.0/20', '127.0.0.1');
    return nginxAround(here, snippet('nginx').replaceAll('  listen 443 ssl;', listen));
  },
  caddy: ({ port, certificate }: Here) =>
    `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${snippet('caddyfile').replaceAll(
      /^(\w+\.example\.com) \{$/gm,
      `https://$1:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${certificate}`,
    )}`,
  haproxy: ({ port, certificate }: Here) =>
    snippet('haproxy')
      .replace('bind :443', `bind 127.0.0.1:${port}`)
      .replace('/etc/haproxy/auth.example.com.pem', certificate),
};

interface Here {
  home: string;
  port: number;
  certificate: string;
}

function snippet(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(PAGE)?.[1];
  assert.ok(found !== undefined, language);
  return found;
}

function nginxAround({ home, port, certificate }: Here, servers: string): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `pid ${home}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${folders.map((name) => `${name}_temp_path ${home}/${name};`).join('\n  ')}
${servers
  .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
  .replaceAll(/\/etc\/ssl\/auth\.example\.com\.(pem|key)/g, certificate)}
}
`;
}

function commandFor(
  kind: Kind,
  binaries: Record<'nginx' | 'caddy' | 'haproxy', string>,
  { home, config }: { home: string; config: string },
): Pick<ManagedProcess, 'command' | 'args'> {
  if (kind === 'caddy')
    return { command: binaries.caddy, args: ['run', '--config', config, '--adapter', 'caddyfile'] };
  if (kind === 'haproxy') return { command: binaries.haproxy, args: ['-db', '-f', config] };
  return { command: binaries.nginx, args: ['-p', home, '-c', config, '-e', 'stderr', '-g', 'daemon off;'] };
}

/** Sends one request over TLS. `before` is sent first, unencrypted, like a header of the PROXY protocol. */
async function callOverTls(
  { port, from, ca, before }: { port: number; from: string; ca: string; before: string },
  ...[host, path, { headers, ...options } = {}]: Parameters<Ask>
): Promise<Answer> {
  const socket = connectTcp({ port, host: '127.0.0.1', localAddress: from });
  await once(socket, 'connect');
  socket.write(before);
  const over = connectTls({ socket, ca, servername: host });
  const answer = call(port, path, { ...options, headers: { ...headers, Host: host }, over });
  return answer.finally(() => socket.destroy());
}
