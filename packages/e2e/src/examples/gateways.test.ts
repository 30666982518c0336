import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endSessions, publishSessions } from '@gatehouse/accounts';
import { accountFixtures } from '@gatehouse/accounts/testing';
import { inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { SessionStatus } from '@gatehouse/schema';
import { startCore, type TestCore } from '../../../../services/core/src/testing/index.ts';

const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url));
const DEAD = '127.0.0.1:1';

/** How each is started with its folder as the working directory; it listens on 127.0.0.1:8000 there. */
const START: Record<string, string[]> = {
  nginx: ['nginx', '-e', 'stderr', '-c'],
  caddy: ['caddy', 'run', '--config'],
  haproxy: ['haproxy', '-f'],
};
const FILE: Record<string, string> = { nginx: 'nginx.conf', caddy: 'Caddyfile', haproxy: 'haproxy.cfg' };

interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

describe('examples of gateways', function () {
  this.timeout(60_000);
  let core: TestCore;
  let fixtures: ReturnType<typeof accountFixtures>;
  /** Says which headers have reached it. */
  let app: Server;
  let folder: string;
  const started: ChildProcess[] = [];
  before(async () => {
    core = await startCore();
    fixtures = accountFixtures(core.app);
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'gatehouse-gateways-'));
    app = createServer((message, response) => response.end(JSON.stringify(message.headers)));
    await new Promise<void>((resolve) => {
      app.listen(0, '127.0.0.1', resolve);
    });
  });
  after(async () => {
    // Not SIGKILL, which nginx's worker process would outlive.
    for (const child of started) {
      const exited = once(child, 'exit');
      if (child.kill('SIGTERM')) await exited;
    }
    app.close();
    rmSync(folder, { recursive: true, force: true });
    await core.stop();
  });

  /** Starts the example as it is, but for the addresses. */
  const start = async (kind: string, gatehouse: string): Promise<number> => {
    const port = await freePort();
    const place = mkdtempSync(join(folder, `${kind}-`));
    cpSync(join(EXAMPLES, kind), place, { recursive: true });
    for (const name of readdirSync(place)) {
      const text = readFileSync(join(place, name), 'utf8')
        .replaceAll('127.0.0.1:8080', gatehouse)
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${(app.address() as AddressInfo).port}`)
        .replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`)
        .replaceAll('/var/cache/nginx/', `${place}/`);
      writeFileSync(join(place, name), text);
    }
    if (kind === 'nginx') writeFileSync(join(place, 'nginx.conf'), nginxAround(place));
    const [program = '', ...args] = START[kind] ?? [];
    const file = join(place, FILE[kind] ?? '');
    // `env` finds the program and adds to the environment of this process.
    const settings = ['HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME'].map((name) => `${name}=${place}`);
    started.push(spawn('env', [...settings, program, ...args, file], { cwd: place, stdio: 'ignore' }));
    await eventually(() => get(port, '/').then(Boolean), 20);
    return port;
  };
  const kick = async (sessionId: string): Promise<void> => {
    const change = { status: SessionStatus.Deactivated, reason: 'administrator', changedBy: undefined };
    const target = { kind: 'session', sessionId } as const;
    await inTransaction(core.app.db, NO_DEADLINE, (tx) =>
      endSessions(core.app, tx, target, change, undefined),
    );
    await publishSessions(core.app, [sessionId]);
  };
  const FORGED = {
    'x-auth-account': 'forged',
    'X-AUTH-SESSION': 'forged',
    'x-auth-role': 'Admin',
  };

  for (const kind of Object.keys(START)) {
    describe(kind, () => {
      let port: number;
      before(async () => {
        port = await start(kind, new URL(core.url).host);
      });

      it('tells the app who is calling, and keeps the token', async () => {
        const person = await fixtures.newAccount();
        const { Token, sessionId } = await fixtures.login(person);
        const { status, body } = await get(port, '/things?role=Admin', { ...FORGED, ...core.bearer(Token) });
        assert.equal(status, 200);
        assert.deepEqual(
          [body['x-auth-account'], body['x-auth-session'], body['x-auth-role'], body['authorization']],
          [person.id, sessionId, 'User', undefined],
        );
      });

      it('lets no forged header reach the app, nor anybody who shows no good token', async () => {
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
        await kick(sessionId);
        const refused = await eventually(async () => {
          const answer = await get(port, '/', core.bearer(Token));
          return answer.status === 401 && answer;
        }, 3);
        assert.equal(refused.body['code'], 'session_deactivated');
        assert.match(String(refused.headers['content-type']), /^application\/problem\+json/);
      });

      it('lets administrators alone into /admin/', async () => {
        const user = await fixtures.login(await fixtures.newAccount());
        const admin = await fixtures.login(await fixtures.newAccount({ role: 'Admin' }));
        const refused = await get(port, '/admin/x', core.bearer(user.Token));
        assert.deepEqual([refused.status, refused.body['code']], [403, 'forbidden']);
        const { status, body } = await get(port, '/admin/x', core.bearer(admin.Token));
        assert.deepEqual([status, body['x-auth-role']], [200, 'Admin']);
        assert.equal((await get(port, '/admin/x', core.bearer(user.Token))).status, 403);
        assert.equal((await get(port, '/', core.bearer(user.Token))).status, 200);
      });

      it('answers 503 while Gatehouse does not answer', async () => {
        const { Token } = await fixtures.login(await fixtures.newAccount());
        const { status, headers } = await get(await start(kind, DEAD), '/', core.bearer(Token));
        assert.deepEqual([status, headers['retry-after']], [503, '1']);
      });
    });
  }
});

function nginxAround(place: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${place}/${name};`,
  );
  // Else root's nginx would work as somebody who may not enter the test's folder.
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

function get(port: number, path: string, headers: Record<string, string> = {}): Promise<Got> {
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
