import assert from 'node:assert/strict';
import { takeSignOn } from '@gatehouse/accounts';
import { readTables, someAddress, someEmail, atOnce } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { ADMIN_URL, personClaims, startSso, useSso, type TestSso } from '../testing/browser.ts';

const STATE = 'abcdefghij-ABCDEFGHIJ_0123456789';
const QUERY = `?pages=true&state=${STATE}`;
const PAGE = 'https://gatehouse.test/login';

describe('a sign-on from the account pages', () => {
  const sso = useSso({ demo: { provisioning: 'jit' } });

  const arrive = async (browser: ReturnType<TestSso['browser']>) => {
    const { status, headers } = await browser.signOn('demo', QUERY);
    const [page, fragment = ''] = (headers['location'] ?? '').split('#');
    assert.deepEqual([status, page], [303, PAGE]);
    return { headers, parameters: Object.fromEntries(new URLSearchParams(fragment)) };
  };
  const exchange = (code = '') => {
    const { app } = sso.admin;
    const origin = { traceId: '0', dueAt: Infinity };
    const shown = { code, purpose: 'pages', present: undefined, addressGroup: someAddress() } as const;
    return takeSignOn(app, shown, origin);
  };

  it('ends at the login page, with a single-use code and without a token', async () => {
    const { app } = sso.admin;
    const email = someEmail();
    sso.recognise('demo', personClaims(email));
    const { headers, parameters } = await arrive(sso.browser());
    assert.deepEqual(Object.keys(parameters).toSorted(), ['HandoverCode', 'State']);
    assert.equal(parameters['State'], STATE);
    assert.match(parameters['HandoverCode'] ?? '', /^sso_[\w-]{43}$/);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    const selectUserSession = `select s.id, s.account_id as "accountId"
      from user_session s join account a on a.id = s.account_id
         where a.email = ?`;
    const sessions = () => query<{ id: string; accountId: string }>(app.db, selectUserSession, [email]);
    assert.deepEqual(await sessions(), []);
    const statement = `select extract(epoch from c.expires_at - now())::int as seconds
       from sign_on_code c join account a on a.id = c.account_id where a.email = ?`;
    const [kept] = await query<{ seconds: number }>(app.db, statement, [email]);
    assert.ok(kept !== undefined && kept.seconds > 50 && kept.seconds <= 60, `${kept?.seconds}`);
    const text = JSON.stringify(await readTables(app)) + JSON.stringify(app.lines);
    assert.ok(!text.includes(parameters['HandoverCode']?.slice(4) ?? ''));
    const taken = await exchange(parameters['HandoverCode']);
    const [session] = await sessions();
    assert.deepEqual(taken, { kind: 'taken', accountId: session?.accountId, sessionId: session?.id });
    assert.deepEqual(await exchange(parameters['HandoverCode']), { kind: 'failed' });
  });

  it('ends there with an error if the sign-on fails', async () => {
    sso.recognise('demo', personClaims(someEmail(), { email_verified: false }));
    const { parameters } = await arrive(sso.browser());
    assert.deepEqual(parameters, { SignOnError: 'email_not_verified', State: STATE });
  });

  it('issues one code per response of the provider, only in the browser that started it', async () => {
    sso.recognise('demo', personClaims(someEmail()));
    const mallory = sso.browser();
    const callback = await mallory.visit(await mallory.begin('demo', QUERY));
    const cookie = mallory.jar.header(callback);
    const elsewhere = await sso.browser().returnFromProvider(callback);
    const shown = [elsewhere.status, elsewhere.headers['location']];
    assert.deepEqual(shown, [303, `${PAGE}#SignOnError=invalid_attempt`]);
    const backs = await atOnce(5, () => sso.browser().returnFromProvider(callback, { cookie }));
    const codes = backs.filter(({ headers }) => headers['location']?.includes('#HandoverCode='));
    const late = backs.filter(({ headers }) =>
      headers['location']?.includes('#SignOnError=invalid_attempt&'),
    );
    assert.deepEqual([codes.length, late.length], [1, 4]);
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
