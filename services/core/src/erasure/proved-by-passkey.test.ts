import assert from 'node:assert/strict';
import { codeIn } from '@gatehouse/accounts/testing';
import type { RequestOptionsJson } from '@gatehouse/auth-core';
import { during, startCore } from '../testing/index.ts';
import { newPasskeyOwner, type PasskeyOwner } from '../testing/passkeys.ts';

describe('a passkey as the proof for', () => {
  const core = during(() => startCore());

  const newOwner = async () => {
    const owner = await newPasskeyOwner(core);
    await owner.add();
    await owner.forgetProof();
    return owner;
  };
  const prove = async (owner: PasskeyOwner) => {
    const asked = await core.post('/account/passkey/confirmation', {}, owner.bearer).expect(200);
    const { PasskeyToken, Options } = asked.body as { PasskeyToken: string; Options: RequestOptionsJson };
    return { PasskeyToken, Credential: owner.authenticator.get(Options) };
  };

  for (const path of ['/account/export', '/account/erase']) {
    it(`POST ${path} is accepted once, of the same account, if the login is too old`, async () => {
      const owner = await newOwner();
      const ask = (body: object) => core.post(path, body, owner.bearer);
      assert.equal((await ask({}).expect(403)).body.code, 'confirmation_required');
      assert.equal((await ask(await prove(await newOwner())).expect(403)).body.code, 'wrong_code');
      const proof = await prove(owner);
      await ask(proof).expect(200);
      assert.equal((await ask(proof).expect(403)).body.code, 'wrong_code');
    });
  }

  it('an erasure requests a code by mail, and only that confirms it', async () => {
    const owner = await newOwner();
    const erase = (body: object) => core.post('/account/erase', body, owner.bearer);
    await erase(await prove(owner)).expect(200, {});
    await core.http.get('/ping/auth').set(owner.bearer).expect(200);
    await erase({ Code: codeIn(await core.app.mailsTo(owner.email)) }).expect(202);
    await core.http.get('/ping/auth').set(owner.bearer).expect(401);
  });
});
