import assert from 'node:assert/strict';
import { query, userSessions } from '@gatehouse/db';
import { someEmail } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { hasTokens, personClaims, startSso, type TestSso } from '../testing/browser.ts';

const ROUTE = '/auth/:provider/callback';

describe('the session that a sign-on opens', function () {
  this.timeout(20_000);
  let sso: TestSso;
  before(async () => {
    sso = await startSso({ demo: { provisioning: 'jit' }, other: { provisioning: 'jit' } });
  });
  after(() => sso.stop());

  it('leaves no address, code, token or cookie in the log', async () => {
    const { lines } = sso.admin.app;
    const before = lines.length;
    const email = someEmail();
    const browser = sso.browser();
    sso.recognise('demo', personClaims(email));
    const callback = await browser.visit(await browser.begin('demo'));
    const cookie = browser.jar.all()[0]?.value ?? '';
    const back = await browser.returnFromProvider(callback);
    assert.ok(hasTokens(back));
    const secrets = [
      ...new URL(callback).searchParams.values(),
      ...Object.values(back.parameters),
      cookie,
      email,
      personClaims(email).sub,
    ].filter((text) => text !== 'true' && text !== sso.provider('demo').issuer);
    const line = await eventually(() =>
      lines.slice(before).find((one) => one['accountId'] !== undefined && one['route'] === ROUTE),
    );
    assert.deepEqual([line['provider'], typeof line['accountId']], ['demo', 'string']);
    const log = JSON.stringify(lines);
    for (const secret of secrets) assert.ok(!log.includes(secret), secret);
  });

  it('replaces the session of a password login, and is replaced by one', async () => {
    const { admin } = sso;
    const person = await admin.newAccount();
    const first = await admin.login(person);
    const back = await sso.signOn('demo', personClaims(person.email));
    assert.ok(hasTokens(back));
    const refusalOf = async (token = '') => {
      const caller = await admin.app.auth.authenticate(`Bearer ${token}`);
      return caller.kind === 'refused' ? caller.code : undefined;
    };
    assert.equal(await refusalOf(first.Token), 'session_replaced');
    await admin.login(person);
    assert.equal(await refusalOf(back.parameters['demo_token']), 'session_replaced');
  });

  it('leaves one session after ten concurrent sign-ons', async () => {
    const person = await sso.admin.newAccount();
    const claims = personClaims(person.email);
    sso.recognise('demo', claims);
    const backs = await Promise.all(Array.from({ length: 10 }, () => sso.browser().signOn('demo')));
    assert.ok(
      backs.every((back) => hasTokens(back)),
      JSON.stringify(backs.map(({ parameters }) => parameters['error'])),
    );
    const rows = await query<{ id: string }>(
      sso.admin.app.db,
      'select id from user_session where account_id = ? order by id',
      [person.id],
    );
    const ids = rows.map(({ id }) => id);
    const states = await userSessions.findStates(sso.admin.app.db, ids);
    assert.deepEqual([states.length, states.filter(({ status }) => status === 1).length], [10, 1]);
    assert.equal(states.filter(({ status }) => status === 3).length, 9);
  });
});
