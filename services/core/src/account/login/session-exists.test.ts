import assert from 'node:assert/strict';
import { changeAccount } from '@gatehouse/accounts';
import { accounts, query } from '@gatehouse/db';
import { moveClock } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, startCore, type TestCore } from '../../testing/index.ts';
import { newOwner } from '../../testing/two-factor.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('POST /account/login with SESSION_LIMIT=refuse', () => {
  let core: TestCore;
  let other: TestCore;
  before(async () => {
    core = await startCore({ SESSION_LIMIT: 'refuse', SESSION_SLOTS: 'web:1,mobile:1', HASH_THREADS: 2 });
    other = await startCore({}, core);
    moveClock(core.app, 0);
  });
  after(async () => {
    await other.stop();
    await core.stop();
  });

  const attempt = (body: object, at = core) => at.post('/account/login', body, { 'user-agent': FIREFOX });
  const credentialsOf = (email: string) => ({ Username: email, Password: PASSWORD });
  const logIn = async (body: object): Promise<string> =>
    (await attempt(body).expect(200)).body.Token as string;
  const takeOverTokenFor = async (body: object): Promise<string> => {
    const { body: problem } = await attempt(body).expect(409);
    assert.equal(problem.code, 'session_exists');
    return problem.TakeOverToken as string;
  };
  const statusesOf = (tokens: readonly string[]) => Promise.all(tokens.map((token) => core.pingWith(token)));
  const takeOver = (TakeOverToken: string, more: object = {}, at = core) =>
    attempt({ TakeOverToken, ...more }, at);
  const refusesToken = async (token: string, more: object = {}) =>
    assert.equal((await takeOver(token, more).expect(404)).body.code, 'authentication_failed');

  it('says who is signed in, changes nothing, and lets the token end that session', async () => {
    const email = await core.newAccount();
    const first = await logIn({ ...credentialsOf(email), DeviceName: 'Ann’s laptop' });
    const { body } = await attempt(credentialsOf(email)).expect(409);
    assert.equal(body.code, 'session_exists');
    assert.equal(body.Active.length, 1);
    const [{ LastSeenAt, ...device }] = body.Active;
    assert.deepEqual(device, { DeviceName: 'Ann’s laptop', UserAgent: FIREFOX });
    assert.ok(Math.abs(Date.now() - Date.parse(LastSeenAt)) < 60_000, LastSeenAt);
    assert.deepEqual(await statusesOf([first]), [1]);
    const { body: tokens } = await takeOver(body.TakeOverToken).expect(200);
    assert.deepEqual(await statusesOf([first, tokens.Token]), [4, 1]);
  });

  it('shows the owner the refused login and the take-over among the sign-ins', async () => {
    const email = await core.newAccount();
    await logIn(credentialsOf(email));
    const { body } = await takeOver(await takeOverTokenFor(credentialsOf(email))).expect(200);
    const signIns = async (): Promise<{ Result: string; Reason: string | null }[]> =>
      (await core.http.get('/account/sign-in').set(core.bearer(body.Token)).expect(200)).body.Items;
    await eventually(async () => (await signIns()).length === 3);
    assert.deepEqual(
      (await signIns()).map(({ Result, Reason }) => [Result, Reason]),
      [
        ['Succeeded', null],
        ['Refused', 'session_exists'],
        ['Succeeded', null],
      ],
    );
  });

  it('asks only about sessions of the same tag', async () => {
    const email = await core.newAccount();
    const tokens = [
      await logIn(credentialsOf(email)),
      await logIn({ ...credentialsOf(email), SessionTag: 'mobile' }),
    ];
    const token = await takeOverTokenFor({ ...credentialsOf(email), SessionTag: 'mobile' });
    const { body } = await takeOver(token).expect(200);
    assert.deepEqual(await statusesOf([...tokens, body.Token]), [1, 4, 1]);
  });

  it('tells nothing without the whole proof', async () => {
    const { email, phone, withPassword } = await newOwner(core);
    await logIn({ ...withPassword, TwoFactorCode: phone.nextCode() });
    await attempt({ ...withPassword, Password: 'a wrong password' }).expect(404);
    await attempt({ ...withPassword, TwoFactorCode: phone.wrongCode() }).expect(404);
    const { body } = await attempt(withPassword).expect(200);
    assert.equal(body.LoginStatus, 2);
    assert.ok(!('Active' in body), email);
  });

  it('stands for the second factor too, whose code cannot be used again', async () => {
    const { phone, withPassword } = await newOwner(core);
    const first = await logIn({ ...withPassword, TwoFactorCode: phone.nextCode() });
    const { body: asked } = await attempt(withPassword).expect(200);
    const second = { TwoFactorToken: asked.TwoFactorToken, TwoFactorCode: phone.nextCode() };
    const token = await takeOverTokenFor(second);
    await attempt(second).expect(404);
    const { body } = await takeOver(token).expect(200);
    assert.deepEqual(await statusesOf([first, body.Token]), [4, 1]);
    const [row] = await query<{ by: string[] }>(
      core.app.db,
      'select authenticated_by as by from user_session where id = ?',
      [sessionIdIn(body.Token)],
    );
    assert.deepEqual(row?.by, ['password', 'second-factor']);
  });

  it('leaves one session after ten take-overs at once', async () => {
    const email = await core.newAccount();
    await logIn(credentialsOf(email));
    const tokens: string[] = [];
    for (let index = 0; index < 10; index += 1) tokens.push(await takeOverTokenFor(credentialsOf(email)));
    const answers = await Promise.all(
      tokens.map((token, index) => takeOver(token, {}, index % 2 === 0 ? core : other).expect(200)),
    );
    const statuses = await statusesOf(answers.map(({ body }) => body.Token as string));
    assert.equal(statuses.filter((status) => status === 1).length, 1);
  });

  it('refuses a token used twice, and one of thirty uses at once succeeds', async () => {
    const email = await core.newAccount();
    await logIn(credentialsOf(email));
    const token = await takeOverTokenFor(credentialsOf(email));
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => takeOver(token, {}, index % 2 === 0 ? core : other)),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 404).length, 29);
    await refusesToken(token);
  });

  it('refuses a token after two minutes', async () => {
    const email = await core.newAccount();
    await logIn(credentialsOf(email));
    const token = await takeOverTokenFor(credentialsOf(email));
    const [row] = await query<{ left: number }>(
      core.app.db,
      `select extract(epoch from t.expires_at - now())::float8 as left
       from session_take_over t join account a on a.id = t.account_id where a.email = ?`,
      [email],
    );
    assert.ok(row !== undefined && row.left > 60 && row.left <= 120, String(row?.left));
    await query(
      core.app.db,
      `update session_take_over set expires_at = expires_at - interval '2 minutes'
       where account_id = (select id from account where email = ?)`,
      [email],
    );
    await refusesToken(token);
  });

  it('refuses a token after the password was changed', async () => {
    const email = await core.newAccount();
    const session = await logIn(credentialsOf(email));
    const token = await takeOverTokenFor(credentialsOf(email));
    await core
      .post(
        '/account/change-password',
        { CurrentPassword: PASSWORD, Password: 'another password than that' },
        core.bearer(session),
      )
      .expect(200);
    await refusesToken(token);
  });

  it('refuses a token for another account, and accepts the same login with it', async () => {
    const [email, stranger] = [await core.newAccount(), await core.newAccount()];
    await logIn(credentialsOf(email));
    const theirs = await logIn(credentialsOf(stranger));
    const token = await takeOverTokenFor(credentialsOf(email));
    await refusesToken(token, credentialsOf(stranger));
    assert.deepEqual(await statusesOf([theirs]), [1]);
    await takeOver(token, { ...credentialsOf(email), SessionTag: 'web' }).expect(200);
  });

  it('refuses a token after an administrator ended the sessions of the account, whatever follows', async () => {
    const email = await core.newAccount();
    await logIn(credentialsOf(email));
    const token = await takeOverTokenFor(credentialsOf(email));
    const { id } =
      (await accounts.findByEmailKey(core.app.db, email)) ?? assert.fail('there is no such account');
    const by = { actor: { kind: 'System' }, origin: { traceId: '0', dueAt: Infinity } } as const;
    for (const isDisabled of [true, false]) await changeAccount(core.app, id, { isDisabled }, by);
    await refusesToken(token);
  });

  it('refuses a token of a password alone once the account requires a second factor', async () => {
    const email = await core.newAccount();
    await logIn(credentialsOf(email));
    const token = await takeOverTokenFor(credentialsOf(email));
    await query(core.app.db, 'update account set two_factor_required = true where email = ?', [email]);
    await refusesToken(token);
  });

  it('says the account’s condition if it was disabled meanwhile', async () => {
    const email = await core.newAccount();
    await logIn(credentialsOf(email));
    const token = await takeOverTokenFor(credentialsOf(email));
    await query(core.app.db, 'update account set is_disabled = true where email = ?', [email]);
    assert.equal((await takeOver(token).expect(403)).body.LoginStatus, 3);
  });

  it('replaces a session without asking that was not seen for ten online windows', async () => {
    const email = await core.newAccount();
    const first = await logIn(credentialsOf(email));
    await attempt(credentialsOf(email)).expect(409);
    const forgetful = await startCore({ ONLINE_WINDOW_SECONDS: 0.0001 }, core);
    try {
      const { body } = await forgetful.post('/account/login', credentialsOf(email)).expect(200);
      assert.deepEqual(await statusesOf([first, body.Token]), [4, 1]);
    } finally {
      await forgetful.stop();
    }
  });

  it('never asks for a service account', async () => {
    const email = await core.newAccount();
    await query(core.app.db, 'update account set is_service = true where email = ?', [email]);
    const tokens = [await logIn(credentialsOf(email)), await logIn(credentialsOf(email))];
    assert.deepEqual(await statusesOf(tokens), [1, 1]);
  });
});

function sessionIdIn(token: string): string {
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return (claims as { sid: string }).sid;
}
