import assert from 'node:assert/strict';
import { PASSWORD, someAddress } from '@gatehouse/accounts/testing';
import { startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

describe('a browser that has its session from an app', () => {
  let core: CoreWithSessions;
  before(async () => {
    core = await startCoreWithSessions();
  });
  after(() => core.stop());

  /** Hands a session over, and returns how the browser calls Core. */
  const handOver = async (who: string | Record<string, string>) => {
    const from = typeof who === 'string' ? { authorization: `Bearer ${who}` } : who;
    const { body } = await core.http.post('/account/handover').set(from).send({}).expect(200);
    const HandoverCode = String(body.Url).split('#HandoverCode=')[1];
    const answer = await core.http
      .post('/account/handover/exchange')
      .set({ 'x-forwarded-for': someAddress(), ...SAME_ORIGIN })
      .send({ HandoverCode })
      .expect(204);
    return { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '', ...SAME_ORIGIN };
  };
  const ask = (headers: Record<string, string>, path: string, body: object = {}) =>
    core.http.post(path).set(headers).send(body);

  it('does not take the app’s login as proof of identity, but the password', async () => {
    const person = await core.newAccount();
    const { Token } = await core.login(person);
    const byApp = { authorization: `Bearer ${Token}` };
    await ask(byApp, '/account/passkey/options').expect(200);
    for (const browser of [await handOver(Token), await handOver(await handOver(Token))]) {
      for (const path of ['/account/passkey/options', '/account/export', '/account/erase']) {
        const { body } = await ask(browser, path).expect(403);
        assert.equal(body.code, 'confirmation_required', path);
      }
      await ask(browser, '/account/passkey/options', { Password: PASSWORD }).expect(200);
    }
  });

  it('is told from one that has logged in itself', async () => {
    const person = await core.newAccount();
    const answer = await core.http
      .post('/account/login')
      .set({ 'x-forwarded-for': someAddress(), ...SAME_ORIGIN })
      .send({ Username: person.email, Password: PASSWORD, Delivery: 'Cookie' })
      .expect(200);
    const own = { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '', ...SAME_ORIGIN };
    await ask(own, '/account/passkey/options').expect(200);
  });
});
