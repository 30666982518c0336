import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { someAddress } from '@gatehouse/accounts/testing';
import { during, RETURN_URL, startCoreWithSessions } from '../testing/index.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

describe('a hand-over from the login page to an app', () => {
  const core = during(() => startCoreWithSessions());
  let cookie: string;
  beforeEach(async () => {
    const { id: accountId } = await core.newAccount();
    const { sessionId } = await core.login({ id: accountId });
    cookie = `__Host-gatehouse=${core.app.browser.sessions.issue('pages', { accountId, sessionId })}`;
  });

  const newVerifier = (): string => randomBytes(32).toString('base64url');
  const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
  const ask = (body: object) =>
    core.http
      .post('/account/handover')
      .set({ cookie, ...SAME_ORIGIN })
      .send(body);
  const handOver = async (body: object) => {
    const { Url } = (await ask({ ReturnUrl: RETURN_URL, ...body }).expect(200)).body as { Url: string };
    const [page, fragment = ''] = Url.split('#');
    assert.equal(page, RETURN_URL);
    return Object.fromEntries(new URLSearchParams(fragment));
  };
  /** As the app's server does, which sends no header of a browser. */
  const exchange = (HandoverCode: unknown, CodeVerifier?: unknown) =>
    core.http
      .post('/account/handover/exchange')
      .set({ 'x-forwarded-for': someAddress() })
      .send({ HandoverCode, CodeVerifier });
  const refused = async (code: unknown, verifier: unknown) => {
    const { status, body } = await exchange(code, verifier);
    assert.deepEqual([status, body.code], [400, 'invalid_code']);
  };

  it('brings the State of the app back', async () => {
    const State = newVerifier();
    const back = await handOver({ State });
    assert.deepEqual([Object.keys(back).toSorted(), back['State']], [['HandoverCode', 'State'], State]);
    assert.deepEqual(Object.keys(await handOver({})), ['HandoverCode']);
  });

  it('requires the verifier of its challenge; a wrong or missing one does not use up the code', async () => {
    const verifier = newVerifier();
    const CodeChallenge = challengeOf(verifier);
    const { HandoverCode } = await handOver({ CodeChallenge });
    for (const wrong of [undefined, newVerifier(), CodeChallenge, `${verifier}A`])
      await refused(HandoverCode, wrong);
    await exchange(HandoverCode, verifier).expect(204);
    await refused(HandoverCode, verifier);
  });

  it('is refused with a verifier if there was no challenge: a code may be an attacker’s', async () => {
    const { HandoverCode } = await handOver({});
    await refused(HandoverCode, newVerifier());
    await exchange(HandoverCode).expect(204);
  });

  it('gives a cookie that expires like an access token, also if that of the pages does not', async () => {
    const { HandoverCode } = await handOver({});
    const answer = await exchange(HandoverCode).expect(204);
    const end = Number(String(answer.headers['set-cookie']).split('.')[4]);
    const seconds = end - Date.now() / 1000;
    const { ACCESS_TOKEN_SECONDS } = core.app.settings;
    assert.ok(seconds > ACCESS_TOKEN_SECONDS - 30 && seconds <= ACCESS_TOKEN_SECONDS, `${seconds}`);
  });

  it('takes State and CodeChallenge only with a ReturnUrl, and in their form', async () => {
    const [State, CodeChallenge] = [newVerifier(), challengeOf(newVerifier())];
    for (const [body, pointer] of [
      [{ State }, '/State'],
      [{ CodeChallenge, Page: 'security' }, '/CodeChallenge'],
      [{ ReturnUrl: RETURN_URL, State: 'short' }, '/State'],
      [{ ReturnUrl: RETURN_URL, State: `${'x'.repeat(30)}&HandoverCode=y` }, '/State'],
      [{ ReturnUrl: RETURN_URL, CodeChallenge: `${CodeChallenge}=` }, '/CodeChallenge'],
    ] as const) {
      const { status, body: answer } = await ask(body);
      assert.deepEqual([status, answer.errors[0].pointer], [400, pointer], JSON.stringify(body));
    }
  });
});
