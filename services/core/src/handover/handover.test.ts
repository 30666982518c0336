import assert from 'node:assert/strict';
import { assertAudited, readTables, someAddress } from '@gatehouse/accounts/testing';
import { deleteExpired } from '@gatehouse/db';
import { endings } from '@gatehouse/runtime/testing';
import { atOnce, countOf, problem } from '../testing/cast.ts';
import { PASSWORD, RETURN_URL, startCoreWithSessions } from '../testing/index.ts';
import { claimsIn, newPkce, SAME_ORIGIN, useOAuth } from '../oauth/testing.ts';

const PAGE = /^https:\/\/gatehouse\.test(\/profile[a-z/]*)#HandoverCode=([\w-]{43})$/;
const COOKIE =
  /^__Host-gatehouse=2\.pages\.([0-9a-f-]{36})\.([0-9a-f-]{36})\.(\d{10})\.handed-over-[\w-]{22}\.[\w-]{43}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/;

describe('a hand-over of a session', () => {
  const { core, ann } = useOAuth();
  const atEnd = endings();

  const handOver = async (body: object = {}, who = ann) =>
    (await core.post('/account/handover', who, body).expect(200)).body as { Url: string; ExpiresAt: string };
  const codeIn = ({ Url }: { Url: string }): string => new URL(Url).hash.slice(14);
  const newCode = async (who = ann): Promise<string> => codeIn(await handOver({}, who));
  const exchange = (HandoverCode: unknown, headers: object = SAME_ORIGIN, more: object = {}) =>
    core.http
      .post('/account/handover/exchange')
      .set({ 'x-forwarded-for': someAddress(), ...headers })
      .send({ HandoverCode, ...more });
  const lineOf = ({ headers }: { headers: Record<string, unknown> }): string => String(headers['set-cookie']);
  const shown = (line: string) => ({ cookie: line.split(';')[0] ?? '', ...SAME_ORIGIN });
  /** The headers of a browser that has the session from the app. */
  const handedOver = async (who = ann) => shown(lineOf(await exchange(await newCode(who)).expect(204)));
  const refused = async (exchanged: ReturnType<typeof exchange>, what?: string): Promise<void> => {
    const { status, body, headers } = await exchanged;
    assert.deepEqual([status, body.code, headers['set-cookie']], [400, 'invalid_code', undefined], what);
  };

  it('opens the requested page in the app’s session', async () => {
    for (const Page of [undefined, 'security', 'sessions', 'data']) {
      const { Url, ExpiresAt } = await handOver({ Page });
      const [, page, code] = PAGE.exec(Url) ?? [];
      assert.equal(page, Page === undefined ? '/profile' : `/profile/${Page}`, Url);
      const seconds = (Date.parse(ExpiresAt) - Date.now()) / 1000;
      assert.ok(seconds > 50 && seconds < 62, ExpiresAt);
      const line = lineOf(await exchange(code).expect(204, ''));
      const [, accountId, sessionId] = COOKIE.exec(line) ?? [];
      assert.deepEqual([accountId, sessionId], [ann.id, ann.sessionId], line);
      const known = await core.http.get('/ping/auth').set(shown(line)).expect(200);
      assert.equal(known.headers['x-auth-account'], ann.id);
    }
    const sql = 'select id from user_session where account_id = ? and ended_at is null';
    assert.equal((await core.sql(sql, [ann.id])).length, 1);
    await core.get('/ping/auth', ann).expect(200);
  });

  it('works once with concurrent requests, which do not count as guesses', async () => {
    const [code, other] = [await newCode(), await newCode()];
    const from = { 'x-forwarded-for': someAddress() };
    const answers = await atOnce(100, () => exchange(code, from));
    assert.deepEqual([countOf(204, answers), countOf(400, answers)], [1, 99]);
    await exchange(other, from).expect(204);
    await refused(exchange(code), 'later');
  });

  it('refuses a code that is wrong or expired', async () => {
    const code = await newCode();
    for (const odd of ['', `${code} `, `${code}=`, 'A'.repeat(43), '\u0000'])
      await refused(exchange(odd), odd);
    await core.sql(`update handover_code set expires_at = now() where account_id = ?`, [ann.id]);
    await refused(exchange(code), 'expired');
    await exchange(code, SAME_ORIGIN, { DryRun: true }).expect(problem('invalid_code'));
  });

  it('does not replace a session of another account in the browser, unless requested', async () => {
    const own = await core.signIn();
    const browser = await handedOver(own);
    await exchange(await newCode(own), browser).expect(204);
    const code = await newCode();
    for (const DryRun of [true, false]) {
      const refusal = await exchange(code, browser, { DryRun }).expect(409);
      assert.deepEqual([refusal.body.code, refusal.headers['set-cookie']], ['conflict', undefined]);
    }
    await exchange(code, browser, { InPlaceOfOthers: true }).expect(204);
    // An ended session belongs to no one.
    await core.post('/account/logout', own).expect(200);
    await exchange(await newCode(), browser).expect(204);
  });

  it('refuses pages of other sites, without using up the code', async () => {
    const code = await newCode();
    for (const [headers, DryRun] of [
      [{ 'sec-fetch-site': 'same-site' }, false],
      [{ 'sec-fetch-site': 'cross-site' }, true],
      [{ origin: 'https://evil.test' }, false],
    ] as const)
      await exchange(code, headers, { DryRun }).expect(problem('cross_site'));
    await exchange(code, { origin: 'https://gatehouse.test' }).expect(204);
  });

  it('redirects to RETURN_URLS only', async () => {
    const { Url } = await handOver({ ReturnUrl: RETURN_URL });
    const [target, fragment = ''] = Url.split('#');
    assert.equal(target, RETURN_URL);
    await exchange(fragment.replace('HandoverCode=', ''), {}).expect(204);
    for (const body of [
      { ReturnUrl: `${RETURN_URL}/` },
      { ReturnUrl: '' },
      { ReturnUrl: RETURN_URL, Page: 'profile' },
      { Page: '/../admin' },
    ]) {
      const answer = await core.post('/account/handover', ann, body);
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], JSON.stringify(body));
    }
  });

  it('is refused to a service account, also with an earlier code', async () => {
    const code = await newCode();
    const set = (isService: boolean) =>
      core.sql('update account set is_service = ? where id = ?', [isService, ann.id]);
    await set(true);
    await core.post('/account/handover', ann, {}).expect(problem('forbidden'));
    await refused(exchange(code), 'made before');
    await set(false);
    await exchange(await newCode()).expect(204);
  });

  it('does not take the app’s login as proof of identity, but the password', async () => {
    const ask = (headers: ReturnType<typeof shown>, path: string, body: object = {}) =>
      core.http.post(path).set(headers).send(body);
    await core.post('/account/passkey/options', ann).expect(200);
    const browser = await handedOver();
    const { body: again } = await ask(browser, '/account/handover').expect(200);
    const next = shown(lineOf(await exchange(codeIn(again as { Url: string })).expect(204)));
    for (const headers of [browser, next]) {
      for (const path of ['/account/passkey/options', '/account/export', '/account/erase'])
        assert.equal((await ask(headers, path).expect(403)).body.code, 'confirmation_required', path);
      await ask(headers, '/account/passkey/options', { Password: PASSWORD }).expect(200);
    }
  });

  const endOf = (line: string): number => Number(line.split('.')[4]);

  it('expires with the access token of the request, and so does one that it is handed over to', async () => {
    const exp = Number(claimsIn(ann.Token)['exp']);
    const line = lineOf(await exchange(await newCode(), SAME_ORIGIN, { KeepSignedIn: true }).expect(204));
    assert.equal(endOf(line), exp);
    const maxAge = Number(/Max-Age=(\d+)/.exec(line)?.[1]);
    assert.ok(Math.abs(exp - Date.now() / 1000 - maxAge) < 3, `${maxAge} s`);
    const handOn = () => core.http.post('/account/handover').set(shown(line)).send({});
    const { body: on } = await handOn().expect(200);
    assert.equal(endOf(lineOf(await exchange(codeIn(on as { Url: string })).expect(204))), exp);
    const bens = await newCode(await core.signIn());
    core.app.clock.now = () => exp * 1000;
    atEnd(() => (core.app.clock.now = Date.now));
    await core.http.get('/ping/auth').set(shown(line)).expect(problem('token_invalid'));
    await handOn().expect(401);
    // An expired cookie does not block another account.
    await exchange(bens, shown(line)).expect(204);
  });

  it('does not expire before its session if a session of the account pages requested it', async () => {
    const { body } = await core.http.post('/account/handover').set(shown(ann.cookie)).send({}).expect(200);
    const line = lineOf(await exchange(codeIn(body as { Url: string })).expect(204));
    const [, given = ''] = line.split(';')[0]?.split('=') ?? [];
    const { endsAt, isHandedOver } = core.app.browser.sessions.read('pages', given) ?? {};
    assert.deepEqual([endsAt, isHandedOver], [undefined, true]);
  });

  it('is recorded in the audit atomically with the exchange', async () => {
    const code = await newCode();
    const target = { targetKind: 'UserSession', targetId: ann.sessionId } as const;
    const entry = { actorId: ann.id, ...target, details: { UserId: ann.id } };
    const change = { call: () => exchange(code), status: 204, entry, secrets: [code] };
    await assertAudited(core.app, 'session.handed-over', change);
  });

  it('stores only hashes of codes, and deletes expired ones', async () => {
    const code = await newCode();
    const used = await newCode();
    await exchange(used).expect(204);
    const text = JSON.stringify(await readTables(core.app));
    const hexOf = (one: string) => Buffer.from(one, 'base64url').toString('hex');
    for (const secret of [code, hexOf(code), used, hexOf(used)]) assert.ok(!text.includes(secret));
    assert.ok(!JSON.stringify(core.app.lines).includes(code));
    const left = async () =>
      (await core.sql('select 1 from handover_code where account_id = ?', [ann.id])).length;
    assert.equal(await left(), 2);
    await deleteExpired(core.app.service.db, ['handover_code']);
    assert.equal(await left(), 1);
    await exchange(code).expect(204);
  });

  it('is refused if no cookie can be set', async () => {
    const plain = await startCoreWithSessions({ ISSUER: 'http://auth.example.com' }, core);
    atEnd(plain.stop);
    await plain.post('/account/handover', await plain.login(ann), {}).expect(problem('invalid_request'));
  });

  describe('from the login page to an app', () => {
    const newVerifier = () => newPkce().verifier;
    const ask = (body: object) =>
      core.http
        .post('/account/handover')
        .set({ cookie: ann.cookie, ...SAME_ORIGIN })
        .send(body);
    const returns = async (body: object) => {
      const { Url } = (await ask({ ReturnUrl: RETURN_URL, ...body }).expect(200)).body as { Url: string };
      const [page, fragment = ''] = Url.split('#');
      assert.equal(page, RETURN_URL);
      return Object.fromEntries(new URLSearchParams(fragment));
    };
    /** As the app's server does, which sends no header of a browser. */
    const takes = (code: unknown, CodeVerifier?: unknown) => exchange(code, {}, { CodeVerifier });

    it('brings the State of the app back', async () => {
      const State = newVerifier();
      const back = await returns({ State });
      assert.deepEqual([Object.keys(back).toSorted(), back['State']], [['HandoverCode', 'State'], State]);
      assert.deepEqual(Object.keys(await returns({})), ['HandoverCode']);
    });

    it('requires the verifier of its challenge; a wrong or missing one does not use up the code', async () => {
      const { verifier, asked } = newPkce();
      const { code_challenge: CodeChallenge } = asked;
      const { HandoverCode } = await returns({ CodeChallenge });
      for (const wrong of [undefined, newVerifier(), CodeChallenge, `${verifier}A`])
        await refused(takes(HandoverCode, wrong));
      await takes(HandoverCode, verifier).expect(204);
      await refused(takes(HandoverCode, verifier));
    });

    it('is refused with a verifier if there was no challenge: a code may be an attacker’s', async () => {
      const { HandoverCode } = await returns({});
      await refused(takes(HandoverCode, newVerifier()));
      await takes(HandoverCode).expect(204);
    });

    it('gives a cookie that expires like an access token, also if that of the pages does not', async () => {
      const { HandoverCode } = await returns({});
      const answer = await takes(HandoverCode).expect(204);
      const end = Number(String(answer.headers['set-cookie']).split('.')[4]);
      const seconds = end - Date.now() / 1000;
      const { ACCESS_TOKEN_SECONDS } = core.app.settings;
      assert.ok(seconds > ACCESS_TOKEN_SECONDS - 30 && seconds <= ACCESS_TOKEN_SECONDS, `${seconds}`);
    });

    it('takes State and CodeChallenge only with a ReturnUrl, and in their form', async () => {
      const { verifier: State, asked } = newPkce();
      const { code_challenge: CodeChallenge } = asked;
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
});
