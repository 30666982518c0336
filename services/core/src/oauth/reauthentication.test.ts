import assert from 'node:assert/strict';
import { PASSWORD, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { newPkce, startOAuthCore, type OAuthCore, type TestClient } from './testing.ts';
import { during } from '../testing/index.ts';

type SignedIn = Awaited<ReturnType<OAuthCore['signIn']>>;

describe('a client that asks for a fresh login has the same session proved again', () => {
  const core = during(() => startOAuthCore());
  let client: TestClient;
  let ann: SignedIn;
  before(async () => {
    [client, ann] = [await core.newClient(), await core.signIn()];
  });

  const ask = (more: Record<string, string> = {}, fields: object = {}, who = ann) =>
    core.authorize(who, { ...core.requestOf(client, newPkce().asked), ...more }, fields);
  const errorOf = async (more: Record<string, string>) => (await ask(more)).back?.get('error');
  const setLogin = async (at: string) => {
    await query(core.app.db, `update user_session set authenticated_at = ${at} where id = ?`, [
      ann.sessionId,
    ]);
    await query(core.app.db, 'delete from session_confirmation where session_id = ?', [ann.sessionId]);
  };
  const sessions = async () =>
    (await query(core.app.db, 'select 1 from user_session where account_id = ?', [ann.id])).length;

  for (const more of [{ prompt: 'login' }, { max_age: '0' }, { max_age: '600' }]) {
    it(`for ${JSON.stringify(more)}`, async () => {
      await setLogin(`now() - interval '1 hour'`);
      const before = await sessions();
      const { Since, Kind, Prompt } = (await ask(more)).body;
      assert.deepEqual([Kind, Prompt], ['Login', 'Confirm']);
      assert.equal((await ask(more, { Since })).body['Kind'], 'Login');
      const wrong = await ask(more, { Since, Password: 'wrong' });
      assert.deepEqual([wrong.status, wrong.body['code']], [403, 'wrong_password']);
      assert.ok((await ask(more, { Since, Password: PASSWORD })).back?.has('code'));
      // The proof counts for this request, also if the consent is asked afterwards, and for no other.
      assert.ok((await ask(more, { Since })).back?.has('code'));
      if (more.max_age !== '600') assert.equal((await ask(more)).body['Kind'], 'Login');
      assert.equal(await sessions(), before);
    });
  }

  it('with the second factor, where there is one', async () => {
    const person = await core.newAccount();
    await switchOnTwoFactor(core.app, person.id);
    const bob = await core.signIn(person);
    const answer = await ask({ prompt: 'login' }, { Password: PASSWORD }, bob);
    assert.deepEqual([answer.status, answer.body['code']], [403, 'confirmation_required']);
  });

  it('but not silently', async () => {
    await setLogin(`now() - interval '1 hour'`);
    assert.equal(await errorOf({ prompt: 'none', max_age: '600' }), 'login_required');
    assert.ok((await ask({ prompt: 'none', max_age: '7200' })).back?.has('code'));
  });

  it('where it was handed over by an app, whose login proves nothing here', async () => {
    const { id: accountId, sessionId } = ann;
    await setLogin('now()');
    const value = core.app.browser.sessions.issue('pages', { accountId, sessionId, isHandedOver: true });
    const handedOver = { ...ann, cookie: `__Host-gatehouse=${value}` };
    assert.equal((await ask({ max_age: '600' }, {}, handedOver)).body['Prompt'], 'Confirm');
    assert.ok((await ask({ max_age: '600' })).back?.has('code'));
  });

  it('and where nobody is signed in, a login after the request is fresh', async () => {
    const parameters = { ...core.requestOf(client, newPkce().asked), prompt: 'login' };
    const { Since } = (await core.authorize(undefined, parameters)).body;
    const bob = await core.signIn();
    assert.ok((await core.authorize(bob, parameters, { Since })).back?.has('code'));
  });
});
