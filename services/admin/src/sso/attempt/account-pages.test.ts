import assert from 'node:assert/strict';
import { takeSignOn } from '@gatehouse/accounts';
import { readTables, someAddress, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { ADMIN_URL, personClaims, startSso, useSso } from '../testing/browser.ts';

const STATE = 'abcdefghij-ABCDEFGHIJ_0123456789';
const QUERY = `?pages=true&state=${STATE}`;
const PAGE = 'https://gatehouse.test/login';

describe('a sign-on from the account pages', () => {
  const sso = useSso({ demo: { provisioning: 'jit' } });

  it('ends at the login page, with a single-use code and without a token', async () => {
    const { app } = sso.admin;
    const email = someEmail();
    sso.recognise('demo', personClaims(email));
    const { status, headers } = await sso.browser().signOn('demo', QUERY);
    const [page, fragment] = (headers['location'] ?? '').split('#');
    assert.deepEqual([status, page], [303, PAGE]);
    const { HandoverCode: code = '', ...others } = Object.fromEntries(new URLSearchParams(fragment));
    assert.deepEqual(others, { State: STATE });
    assert.match(code, /^sso_[\w-]{43}$/);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    const { id } = (await sso.findAccount(email)) ?? assert.fail();
    const selectSession =
      'select id as "sessionId", account_id as "accountId" from user_session where account_id = ?';
    const sessions = () => sso.sql(selectSession, [id]);
    assert.deepEqual(await sessions(), []);
    const statement = `select extract(epoch from expires_at - now())::int from sign_on_code where account_id = ?`;
    const seconds = await query.onlyValue<number>(app.db, statement, [id]);
    assert.ok(seconds > 50 && seconds <= 60, String(seconds));
    const text = JSON.stringify(await readTables(app)) + JSON.stringify(app.lines);
    assert.ok(!text.includes(code.slice(4)));
    const shown = { code, purpose: 'pages', present: undefined, addressGroup: someAddress() } as const;
    const exchange = () => takeSignOn(app, shown, { traceId: '0', dueAt: Infinity });
    const taken = await exchange();
    const [session] = await sessions();
    assert.deepEqual(taken, { kind: 'taken', ...session });
    assert.deepEqual(await exchange(), { kind: 'failed' });
  });

  it('is refused if the pages cannot have a cookie', async () => {
    const plain = await startSso({ demo: {} }, { ISSUER: 'http://auth.example.com' });
    try {
      const answer = await plain.browser().get(`${ADMIN_URL}/auth/demo/login${QUERY}`);
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request']);
    } finally {
      await plain.stop();
    }
  });
});
