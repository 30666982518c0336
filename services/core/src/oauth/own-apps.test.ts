import assert from 'node:assert/strict';
import { assertAudited } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { newPkce, startOAuthCore, type OAuthCore } from './testing.ts';
import { during } from '../testing/index.ts';

describe('the apps of an account', () => {
  const core = during(() => startOAuthCore());

  const newPerson = async () => {
    const person = await core.newAccount();
    const { Token, sessionId } = await core.login(person);
    const value = core.app.browser.sessions.issue('pages', { accountId: person.id, sessionId });
    return { ...person, token: Token, sessionId, cookie: `__Host-gatehouse=${value}` };
  };
  const appsOf = async ({ token }: { token: string }) => {
    const { body } = await core.get('/account/app', token).expect(200);
    return body.Items as { Id: string; Scopes: string[]; SignIns: number; GrantedAt: string | null }[];
  };
  const remove = ({ token }: { token: string }, id: string) =>
    core.http.delete(`/account/app/${id}`).set(core.bearer(token));
  const signInTo = async (client: Awaited<ReturnType<OAuthCore['newClient']>>, who: { cookie: string }) => {
    await core.sendAuthorization(who, core.requestOf(client, newPkce().asked), { Consent: 'granted' });
    return core.open(client, who);
  };

  it('are those that it is signed in to, and those that it has allowed', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const [trusted, asking] = [await core.newClient(), await core.newClient({ isTrusted: false })];
    assert.deepEqual(await appsOf(ann), []);
    for (const client of [trusted, trusted, asking]) await signInTo(client, ann);
    const found = new Map((await appsOf(ann)).map((app) => [app.Id, app]));
    assert.deepEqual([...found.keys()].toSorted(), [trusted.id, asking.id].toSorted());
    assert.deepEqual([found.get(trusted.id)?.SignIns, found.get(asking.id)?.SignIns], [2, 1]);
    assert.equal(found.get(trusted.id)?.GrantedAt, null);
    assert.match(found.get(asking.id)?.GrantedAt ?? '', /Z$/);
    assert.deepEqual(found.get(asking.id)?.Scopes.toSorted(), ['email', 'offline_access', 'openid']);
    assert.deepEqual(await appsOf(bob), []);

    // Another session shows the consent only, because the sign-ins were of the session that it replaced.
    const { Token: token } = await core.login(ann);
    const left = await appsOf({ token });
    assert.deepEqual(
      left.map(({ Id, SignIns }) => [Id, SignIns]),
      [[asking.id, 0]],
    );
  });

  it('lose everything at once when they are removed, and ask again', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const asking = await core.newClient({ isTrusted: false });
    const [tokens, others] = [await signInTo(asking, ann), await signInTo(asking, bob)];
    assert.equal((await core.refresh(asking, tokens.refresh_token)).status, 200);
    await assertAudited(core.app, 'consent.withdrawn', {
      call: () => remove(ann, asking.id),
      status: 204,
      entry: { actorId: ann.id, targetKind: 'OauthClient', targetId: asking.id },
      secrets: [],
    });
    assert.equal((await core.refresh(asking, tokens.refresh_token)).body.error, 'invalid_grant');
    assert.equal((await core.refresh(asking, others.refresh_token)).status, 200);
    assert.deepEqual(await appsOf(ann), []);
    const again = await core.authorize(ann, core.requestOf(asking, newPkce().asked));
    assert.equal(again.body['Kind'], 'Consent');
    await remove(ann, asking.id).expect(404);
  });

  it('cannot be removed by others', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const asking = await core.newClient({ isTrusted: false });
    const tokens = await signInTo(asking, ann);
    await remove(bob, asking.id).expect(404);
    await remove(bob, newId()).expect(404);
    assert.equal((await core.refresh(asking, tokens.refresh_token)).status, 200);
  });
});
