import assert from 'node:assert/strict';
import { endSessions, publishSessions } from '@gatehouse/accounts';
import { accountFixtures } from '@gatehouse/accounts/testing';
import { inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { SessionStatus } from '@gatehouse/schema';
import { startCore, type TestCore } from '../../../../services/core/src/testing/index.ts';
import { spellingsOf } from '../roles/spellings.ts';
import { GATEWAYS, get, runGateways } from './running-gateways.ts';

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

describe('examples of gateways', function () {
  this.timeout(180_000); // mostly for installing gateways on a new machine
  let core: TestCore;
  let fixtures: ReturnType<typeof accountFixtures>;
  let gateways: Awaited<ReturnType<typeof runGateways>>;
  before(async () => {
    core = await startCore();
    fixtures = accountFixtures(core.app);
    gateways = await runGateways();
  });
  after(async () => {
    await gateways.stop();
    await core.stop();
  });

  const kick = async (sessionId: string): Promise<void> => {
    const change = {
      status: SessionStatus.Deactivated,
      reason: 'administrator',
      changedBy: undefined,
    } as const;
    const target = { kind: 'session', sessionId } as const;
    await inTransaction(core.app.db, NO_DEADLINE, (tx) =>
      endSessions(core.app, tx, target, change, undefined),
    );
    await publishSessions(core.app, [sessionId]);
  };

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
        await kick(sessionId);
        const refused = await eventually(async () => {
          const answer = await get(port, '/', core.bearer(Token));
          return answer.status === 401 && answer;
        }, 3);
        assert.equal(refused.body['code'], 'session_deactivated');
        assert.match(String(refused.headers['content-type']), /^application\/problem\+json/);
      });

      it('allows only administrators on /admin/', async () => {
        const user = await fixtures.login(await fixtures.newAccount());
        const admin = await fixtures.login(await fixtures.newAccount({ role: 'Admin' }));
        const refused = await get(port, '/admin/x', core.bearer(user.Token));
        assert.deepEqual([refused.status, refused.body['code']], [403, 'forbidden']);
        const { status, body } = await get(port, '/admin/x', core.bearer(admin.Token));
        assert.deepEqual([status, body['x-auth-role']], [200, 'Admin']);
        assert.equal((await get(port, '/admin/x', core.bearer(user.Token))).status, 403);
        assert.equal((await get(port, '/', core.bearer(user.Token))).status, 200);
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
        assert.deepEqual(
          passed.map(({ path, status }) => `${path} ${status}`),
          [],
        );
        for (const path of ['/admin', '/admin/x', '/ADMIN/x', '/%61dmin/x']) {
          assert.equal((await get(port, path, core.bearer(admin.Token))).status, 200, path);
        }
        // What only looks like one of them is the app's own affair.
        for (const path of ['/x/admin', '/.well-known/x', '/a.b/..c?d=//e/../%2f']) {
          assert.equal((await get(port, path, core.bearer(user.Token))).status, 200, path);
        }
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
        assert.deepEqual(await reached(`a=1; ${pages}; b=gatehouse=2; ${consoles}; c=3`), [
          'a=1',
          'b=gatehouse=2',
          'c=3',
        ]);
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
