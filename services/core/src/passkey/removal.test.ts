import assert from 'node:assert/strict';
import { startCore, type TestCore } from '../testing/index.ts';
import { newPasskeyOwner, send, signIn, type PasskeyOwner } from '../testing/passkeys.ts';

describe('the removal of a passkey by its owner', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore({ SINGLE_SESSION: false });
  });
  after(() => core.stop());

  const logIn = async (owner: PasskeyOwner) => {
    const { body } = await send(core, await signIn(core, owner)).expect(200);
    return core.bearer((body as { Token: string }).Token);
  };
  const statusOf = async (bearer: object) => {
    const { status, body } = await core.http.get('/account/passkey').set({ ...bearer });
    return [status, (body as { code?: string }).code];
  };

  it('ends the sessions that it opened, and no others', async () => {
    const owner = await newPasskeyOwner(core);
    const { Id } = await owner.add();
    const thiefs = [await logIn(owner), await logIn(owner)];
    const byPassword = core.bearer((await core.login(owner.email)).Token);
    await core.http.delete(`/account/passkey/${Id}`).set(owner.bearer).send({}).expect(204);
    for (const bearer of thiefs) assert.deepEqual(await statusOf(bearer), [401, 'session_deactivated']);
    for (const bearer of [owner.bearer, byPassword])
      assert.deepEqual(await statusOf(bearer), [200, undefined]);
  });

  it('does not end the session that removes it', async () => {
    const owner = await newPasskeyOwner(core);
    const { Id } = await owner.add();
    const [own, other] = [await logIn(owner), await logIn(owner)];
    await core.http.delete(`/account/passkey/${Id}`).set(own).send({}).expect(204);
    assert.deepEqual(await statusOf(own), [200, undefined]);
    assert.deepEqual(await statusOf(other), [401, 'session_deactivated']);
  });
});
