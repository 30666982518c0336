import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { during, eventually, serve, testFolder } from '@gatehouse/runtime/testing';
import { freePorts, provide, quiet } from '@gatehouse/dev';
import { startCoreWithSessions } from '../../../../services/core/src/testing/index.ts';
import { send } from '../requests/send.ts';
import { spellingsOf } from '../roles/spellings.ts';
import { runProgram } from '../testing/run-program.ts';
import { setStatus } from '../verify/installation.ts';

const DEAD = '127.0.0.1:1';
/** The identity headers as gateways, servers and frameworks may also read them: with underscores, in other letter case. */
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

const GATEWAYS = Object.keys(START) as Gateway[];

async function runGateways(folder: string) {
  const programs = await provide(quiet, GATEWAYS);
  const upstream = await serve((message, response) => response.end(JSON.stringify(message.headers)));
  const started: ReturnType<typeof runProgram>[] = [];

  /** Starts the example unchanged, except for addresses. */
  const start = async (kind: Gateway, gatehouse: string): Promise<number> => {
    const { app: port } = await freePorts();
    const place = mkdtempSync(join(folder, `${kind}-`));
    cpSync(join(EXAMPLES, kind), place, { recursive: true });
    for (const name of readdirSync(place)) {
      const text = readFileSync(join(place, name), 'utf8')
        .replaceAll('127.0.0.1:8080', gatehouse)
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${upstream.port}`)
        .replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`)
        .replaceAll('/var/cache/nginx/', `${place}/`);
      writeFileSync(join(place, name), text);
    }
    if (kind === 'nginx') writeFileSync(join(place, 'nginx.conf'), nginxAround(place));
    const file = join(place, FILE[kind]);
    const settings = { HOME: place, XDG_DATA_HOME: place, XDG_CONFIG_HOME: place };
    const args = [...START[kind], file];
    started.push(runProgram(programs[kind], args, { settings, cwd: place, errors: 'ignore' }));
    await eventually(() => get(port, '/').then(Boolean), 20);
    return port;
  };

  const stop = async (): Promise<void> => {
    for (const gateway of started) await gateway.stop();
    await upstream.stop();
  };
  return { start, stop };
}

function get(port: number, path: string, headers: Record<string, string> = {}) {
  return send(`http://127.0.0.1:${port}`, { method: 'GET', path, headers });
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
  const core = during(() => startCoreWithSessions());
  const gateways = during(() => runGateways(folder));
  const folder = testFolder();

  for (const kind of GATEWAYS) {
    describe(kind, () => {
      let port: number;
      before(async () => (port = await gateways.start(kind, new URL(core.url).host)));

      it('passes the identity to the app, and removes the token', async () => {
        const person = await core.newAccount();
        const { Token, sessionId } = await core.login(person);
        const { status, body } = await get(port, '/things?role=Admin', { ...FORGED, ...core.bearer(Token) });
        assert.equal(status, 200);
        const names = ['x-auth-account', 'x-auth-session', 'x-auth-role', 'authorization'];
        const seen = names.map((name) => body[name]);
        assert.deepEqual(seen, [person.id, sessionId, 'User', undefined]);
      });

      it('removes forged identity headers, and refuses requests without a valid token', async () => {
        const { Token } = await core.newToken();
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
        const { Token, sessionId } = await core.login(await core.newAccount());
        assert.equal((await get(port, '/', core.bearer(Token))).status, 200);
        await setStatus(core.app, sessionId);
        const refused = await eventually(async () => {
          const answer = await get(port, '/', core.bearer(Token));
          return answer.status === 401 && answer;
        }, 3);
        assert.equal(refused.body['code'], 'session_deactivated');
        assert.match(String(refused.headers['content-type']), /^application\/problem\+json/);
      });

      it('allows only administrators on any spelling of /admin', async () => {
        const user = await core.login(await core.newAccount());
        const admin = await core.login(await core.newAccount({ role: 'Admin' }));
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
        const person = await core.newAccount();
        const { Token, sessionId } = await core.login(person);
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
        const { Token } = await core.login(await core.newAccount());
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
        const { Token } = await core.login(await core.newAccount());
        const { status, headers } = await get(await gateways.start(kind, DEAD), '/', core.bearer(Token));
        assert.deepEqual([status, headers['retry-after']], [503, '1']);
      });
    });
  }
});
