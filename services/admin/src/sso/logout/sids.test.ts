import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { personClaims, useSso } from '../testing/browser.ts';

describe('the sid of a sign-on', () => {
  const sso = useSso({ demo: { provisioning: 'jit' } }, { SINGLE_SESSION: false });

  const signOn = async (email: string, sid: unknown) => {
    const person = personClaims(email);
    const { parameters } = await sso.signOn('demo', person, { claims: { sid } });
    const bearer = `Bearer ${parameters['demo_token']}`;
    const code = async (): Promise<string | undefined> => {
      const caller = await sso.admin.app.auth.authenticate(bearer);
      return caller.kind === 'refused' ? caller.code : undefined;
    };
    return { sub: person.sub, code };
  };
  const logOut = (claims: object) =>
    sso.admin.http
      .post('/auth/demo/backchannel-logout')
      .type('application/x-www-form-urlencoded')
      .send(`logout_token=${sso.provider('demo').logoutToken(claims)}`);

  for (const [what, text] of [
    ['characters beyond ASCII', 'Sitzung für Jürgen 🔑'],
    ['255 characters', 'x'.repeat(219)],
    ['a control character', '\u0001'],
  ] as const) {
    it(`may have ${what}: a logout with it ends that session alone`, async () => {
      const [email, sid] = [someEmail(), newId() + text];
      const [here, there] = [await signOn(email, sid), await signOn(email, newId())];
      await logOut({ sid }).expect(200);
      assert.deepEqual([await here.code(), await there.code()], ['session_ended', undefined]);
    });
  }

  for (const [what, text] of [
    ['more than 255 characters', 'x'.repeat(220)],
    ['NUL', '\0'],
    ['half a character', '\ud800'],
  ] as const) {
    it(`counts as none with ${what}: a logout with it ends all sessions of the person, and needs a sub`, async () => {
      const [email, sid] = [someEmail(), newId() + text];
      const [here, there] = [await signOn(email, sid), await signOn(email, newId())];
      await logOut({ sid }).expect(400);
      assert.equal(await here.code(), undefined);
      await logOut({ sub: here.sub, sid }).expect(200);
      assert.deepEqual([await here.code(), await there.code()], ['session_ended', 'session_ended']);
    });
  }
});
