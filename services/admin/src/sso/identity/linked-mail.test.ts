import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { someEmail, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { personClaims } from '../testing/browser.ts';
import { startLinking, type TestLinking } from '../testing/linking.ts';

describe('notice to the owner of an account that is linked by email at a sign-on', function () {
  this.timeout(20_000);
  let app: TestLinking;
  before(async () => {
    app = await startLinking();
  });
  after(() => app.sso.stop());

  const mails = async (email: string) =>
    (await app.sso.admin.app.mailsTo(email)).filter(({ type }) => type === 'account.identity-linked');
  const events = (accountId: string) =>
    query<{ provider: string }>(
      app.sso.admin.app.db,
      `select event -> 'data' ->> 'Provider' as provider from outbox
       where event ->> 'type' = 'account.identity-linked' and event -> 'data' ->> 'UserId' = ?`,
      [accountId],
    );

  it('is one mail with time and address in the language of the account, with repeated sign-ons', async () => {
    const { id, email } = await app.sso.admin.newAccount();
    await app.change(id, `locale = 'de', display_name = 'Anna'`);
    for (let time = 0; time < 3; time += 1) assert.equal(await app.signOn('off', personClaims(email)), id);
    const [mail, ...others] = await mails(email);
    assert.equal(others.length, 0);
    const { Locale, DisplayName, At, IpAddress } = (mail?.content ?? {}) as Record<string, string>;
    assert.deepEqual([Locale, DisplayName], ['de', 'Anna']);
    assert.ok(Math.abs(Date.parse(At ?? '') - Date.now()) < 60_000);
    assert.notEqual(isIP(IpAddress ?? ''), 0);
    assert.deepEqual(await events(id), [{ provider: 'off' }]);
  });

  it('is sent once per identity, also with ten concurrent sign-ons', async () => {
    const { id, email } = await app.sso.admin.newAccount();
    for (const provider of ['jit', 'off']) {
      app.sso.recognise(provider, personClaims(email));
      const backs = await Promise.all(Array.from({ length: 10 }, () => app.sso.browser().signOn(provider)));
      for (const back of backs) assert.equal(back.parameters['error'], undefined);
    }
    assert.deepEqual(await events(id), [{ provider: 'jit' }, { provider: 'off' }]);
    assert.equal((await mails(email)).length, 2);
  });

  for (const signup of ['new', 'migration'] as const) {
    it(`is sent if the sign-on completes the account (${signup}), with the name from the provider`, async () => {
      const { id, email } = await app.newPending({ signup });
      assert.equal(await app.signOn('invited', personClaims(email)), id);
      const [mail, ...others] = await mails(email);
      assert.deepEqual(
        [((mail?.content ?? {}) as Record<string, string>)['DisplayName'], others],
        ['Ann Other', []],
      );
    });
  }

  it('is sent if the sign-on is refused for a missing second factor, as the identity is linked', async () => {
    const { id, email } = await app.sso.admin.newAccount();
    await switchOnTwoFactor(app.sso.admin.app, id);
    assert.equal(await app.signOn('jit', personClaims(email)), 'two_factor_required');
    assert.deepEqual([(await app.identities(id)).length, (await mails(email)).length], [1, 1]);
  });

  it('is not sent if nothing is linked, or the sign-on creates the account', async () => {
    const [refused, expired] = [await app.sso.admin.newAccount(), await app.sso.admin.newAccount()];
    assert.equal(await app.signOn('strange', personClaims(refused.email)), 'email_not_verified');
    await app.change(expired.id, 'new_password_required = true');
    assert.equal(await app.signOn('jit', personClaims(expired.email)), 'new_password_required');
    const made = someEmail();
    assert.match((await app.signOn('jit', personClaims(made))) ?? '', /^[0-9a-f-]{36}$/);
    for (const email of [refused.email, expired.email, made]) assert.deepEqual(await mails(email), []);
  });
});
