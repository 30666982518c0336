import assert from 'node:assert/strict';
import { someAddress } from '@gatehouse/accounts/testing';
import { startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

describe('the cookie of a hand-over', () => {
  let core: CoreWithSessions;
  before(async () => {
    core = await startCoreWithSessions();
  });
  after(() => core.stop());

  const newPerson = async () => {
    const person = await core.newAccount();
    return { ...person, ...(await core.login(person)) };
  };
  const codeIn = (body: { Url?: string }): string => body.Url?.split('#HandoverCode=')[1] ?? '';
  const codeFor = async (token: string) =>
    codeIn((await core.post('/account/handover', token, {}).expect(200)).body as { Url: string });
  const exchange = (body: object, headers: Record<string, string> = {}) =>
    core.http
      .post('/account/handover/exchange')
      .set({ 'x-forwarded-for': someAddress(), ...SAME_ORIGIN, ...headers })
      .send(body)
      .expect(204);
  const lineOf = (answer: { headers: Record<string, unknown> }): string =>
    String(answer.headers['set-cookie']);
  const shown = (line: string) => ({ cookie: line.split(';')[0] ?? '', ...SAME_ORIGIN });
  const handOverFrom = (headers: Record<string, string>) =>
    core.http.post('/account/handover').set(headers).send({});
  const endOf = (line: string): number => Number(line.split('.')[4]);
  const expiryOf = (token: string): number => {
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    return (JSON.parse(claims) as { exp: number }).exp;
  };

  it('expires with the access token of the request, and so does one that it is handed over to', async () => {
    const { Token } = await newPerson();
    const exp = expiryOf(Token);
    const line = lineOf(await exchange({ HandoverCode: await codeFor(Token), KeepSignedIn: true }));
    assert.equal(endOf(line), exp);
    const maxAge = Number(/Max-Age=(\d+)/.exec(line)?.[1]);
    assert.ok(Math.abs(exp - Date.now() / 1000 - maxAge) < 3, `${maxAge} s`);
    const HandoverCode = codeIn((await handOverFrom(shown(line)).expect(200)).body as { Url: string });
    assert.equal(endOf(lineOf(await exchange({ HandoverCode }))), exp);
    const bens = await codeFor((await newPerson()).Token);
    const use = () => core.http.get('/ping/auth').set(shown(line));
    await use().expect(200);
    core.app.clock.now = () => exp * 1000;
    try {
      assert.equal((await use().expect(401)).body.code, 'token_invalid');
      await handOverFrom(shown(line)).expect(401);
      // An expired cookie does not block another account.
      await exchange({ HandoverCode: bens }, shown(line));
    } finally {
      core.app.clock.now = Date.now;
    }
  });

  it('does not expire before its session if a session of the account pages requested it', async () => {
    const { id: accountId, sessionId } = await newPerson();
    const { sessions } = core.app.browser;
    const value = sessions.issue('pages', { accountId, sessionId });
    const headers = { cookie: `__Host-gatehouse=${value}`, ...SAME_ORIGIN };
    const HandoverCode = codeIn((await handOverFrom(headers).expect(200)).body as { Url: string });
    const line = lineOf(await exchange({ HandoverCode }));
    const [, given = ''] = line.split(';')[0]?.split('=') ?? [];
    const { endsAt, isHandedOver } = sessions.read('pages', given) ?? {};
    assert.deepEqual([endsAt, isHandedOver], [undefined, true]);
  });
});
