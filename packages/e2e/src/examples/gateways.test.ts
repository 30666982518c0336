import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accountFixtures } from '@gatehouse/accounts/testing';
import { during, eventually } from '@gatehouse/runtime/testing';
import { freePorts, provide, quiet } from '@gatehouse/dev';
import { startCore } from '../../../../services/core/src/testing/index.ts';
import { spellingsOf } from '../roles/spellings.ts';
import { endSession } from '../verify/installation.ts';

const DEAD = '127.0.0.1:1';
/**
 * Variants of the identity headers that gateways, servers and frameworks treat as equal: underscores for hyphens, and
 * other letter case.
 */
const FORGED = {
  'x-auth-account': 'forged',
  'X-AUTH-SESSION': 'forged',
  'x-auth-role': 'Admin',
  X_Auth_Account: 'forged',
  x_auth_session: 'forged',
  'X-Auth_Role': 'forged',
  'X_AUTH-ACCOUNT': 'forged',
};

const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url));

/** The arguments of each gateway. Its working directory is its folder, and it listens on 127.0.0.1:8000. */
const START = { nginx: ['-e', 'stderr', '-c'], caddy: ['run', '--config'] };
const FILE = { nginx: 'nginx.conf', caddy: 'Caddyfile' };
type Gateway = keyof typeof START;

interface GatewayAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

/** The gateways whose examples can be run. */
const GATEWAYS = Object.keys(START) as Gateway[];

/** Runs examples in front of an app that reports the headers that reach it. `stop` ends all of them. */
async function runGateways() {
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
function get(port: number, path: string, headers: Record<string, string> = {}): Promise<GatewayAnswer> {
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

describe('examples of gateways', function () {
  this.timeout(180_000); // mostly for installing gateways on a new machine
  const core = during(() => startCore());
  let fixtures: ReturnType<typeof accountFixtures>;
  const gateways = during(() => runGateways());
  before(() => {
    fixtures = accountFixtures(core.app);
  });

  for (const kind of GATEWAYS) {
    describe(kind, () => {
      let port: number;
      before(async () => {
        port = await gateways.start(kind, new URL(core.url).host);
      });

      it('passes the identity to the app, and removes the token', async () => {
        const person = await fixtures.newAccount();
        const { Token, sessionId } = await fixtures.login(person);
        const { status, body } = await get(port, '/things?role=Admin', { ...FORGED, ...core.bearer(Token) });
        assert.equal(status, 200);
        assert.deepEqual(
          [body['x-auth-account'], body['x-auth-session'], body['x-auth-role'], body['authorization']],
          [person.id, sessionId, 'User', undefined],
        );
      });

      it('removes forged identity headers, and refuses requests without a valid token', async () => {
        const { Token } = await fixtures.newToken();
        const { status, body } = await get(port, '/', { ...FORGED, ...core.bearer(Token) });
        assert.equal(status, 200);
        assert.ok(!JSON.stringify(body).includes('forged'), JSON.stringify(body));
        assert.equal(body['x-auth-role'], 'Service');
        for (const headers of [FORGED, { ...FORGED, ...core.bearer('nonsense') }]) {
          const refused = await get(port, '/', headers);
          assert.equal(refused.status, 401);
          assert.match(String(refused.headers['www-authenticate']), /^Bearer /);
        }
      });

      it('refuses a session that was ended, with the reason', async () => {
        const { Token, sessionId } = await fixtures.login(await fixtures.newAccount());
        assert.equal((await get(port, '/', core.bearer(Token))).status, 200);
        await endSession(core.app, sessionId);
        const refused = await eventually(async () => {
          const answer = await get(port, '/', core.bearer(Token));
          return answer.status === 401 && answer;
        }, 3);
        assert.equal(refused.body['code'], 'session_deactivated');
        assert.match(String(refused.headers['content-type']), /^application\/problem\+json/);
      });

      it('allows only administrators on any spelling of /admin', async () => {
        const user = await fixtures.login(await fixtures.newAccount());
        const admin = await fixtures.login(await fixtures.newAccount({ role: 'Admin' }));
        const spelled = [
          ...['/admin', '/admin/x', '/admin/x?y=//'].flatMap((path) => [path, ...spellingsOf(path)]),
          ...[
            '/admin/../x',
            '/admin/x%2f..%2f..%2fx',
            '/x/..;/admin',
            '/;x/admin',
            '/%2e/admin',
            '/x\\..\\admin',
          ],
          'http://127.0.0.1/admin/x',
          'http://127.0.0.1//admin/x',
        ];
        const answers = await Promise.all(
          spelled.map(async (path) => ({ path, ...(await get(port, path, core.bearer(user.Token))) })),
        );
        const passed = answers.filter(({ status }) => ![400, 403].includes(status));
        const wrong = passed.map(({ path, status }) => `${path} ${status}`);
        assert.deepEqual(wrong, []);
        for (const path of ['/admin', '/admin/x', '/ADMIN/x', '/%61dmin/x'])
          assert.equal((await get(port, path, core.bearer(admin.Token))).status, 200, path);
        // What only looks like one of them is the app's own affair.
        for (const path of ['/x/admin', '/.well-known/x', '/a.b/..c?d=//e/../%2f'])
          assert.equal((await get(port, path, core.bearer(user.Token))).status, 200, path);
      });

      it('accepts only tokens, and ignores browser cookies', async () => {
        const person = await fixtures.newAccount();
        const { Token, sessionId } = await fixtures.login(person);
        const value = core.app.browser.sessions.issue('pages', { accountId: person.id, sessionId });
        const cookie = `__Host-gatehouse=${value}`;
        const sameOrigin = { 'sec-fetch-site': 'same-origin' };
        assert.equal((await core.http.get('/ping/auth').set({ cookie, ...sameOrigin })).status, 200);
        assert.equal((await get(port, '/', { cookie, ...sameOrigin })).status, 401);
        assert.equal((await get(port, '/')).status, 401);
        assert.equal((await get(port, '/', core.bearer(Token))).status, 200);
        assert.equal((await get(port, '/')).status, 401);
      });

      it('passes the app its own cookies, and removes Gatehouse’s', async () => {
        const { Token } = await fixtures.login(await fixtures.newAccount());
        const reached = async (cookie: string) => {
          const { status, body } = await get(port, '/', { ...core.bearer(Token), cookie });
          assert.equal(status, 200);
          const left = typeof body['cookie'] === 'string' ? body['cookie'] : '';
          return left
            .split(';')
            .map((one) => one.trim())
            .filter(Boolean);
        };
        const [pages, consoles] = ['__Host-gatehouse=1.s', '__Host-gatehouse-console=1.s'];
        const some = await reached(`a=1; ${pages}; b=gatehouse=2; ${consoles}; c=3`);
        assert.deepEqual(some, ['a=1', 'b=gatehouse=2', 'c=3']);
        assert.deepEqual(await reached(`${consoles}; ${pages}`), []);
        assert.deepEqual(await reached(`${pages}; ${consoles}; a=1`), ['a=1']);
        assert.deepEqual(await reached('gatehouse-pages=1.s; a=1; gatehouse-console=1.s'), ['a=1']);
        assert.deepEqual(await reached('my-gatehouse=1; gatehouses=2'), ['my-gatehouse=1', 'gatehouses=2']);
      });

      it('responds with 503 while Gatehouse is unavailable', async () => {
        const { Token } = await fixtures.login(await fixtures.newAccount());
        const { status, headers } = await get(await gateways.start(kind, DEAD), '/', core.bearer(Token));
        assert.deepEqual([status, headers['retry-after']], [503, '1']);
      });
    });
  }
});
