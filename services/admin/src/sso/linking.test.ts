import assert from 'node:assert/strict';
import { someEmail, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { accounts, inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { emailKey } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { somebody, startSso, type Returned, type TestSso } from './testing-browser.ts';

describe('whose account somebody at an identity provider is signed on to', function () {
  this.timeout(20_000);
  let sso: TestSso;
  before(async () => {
    sso = await startSso({
      off: {},
      invited: { provisioning: 'invited' },
      jit: { provisioning: 'jit' },
      strange: { trustEmail: false },
      staff: { provisioning: 'jit', allowedDomains: ['corp.example', 'xn--bcher-kva.example'] },
      strong: { provisioning: 'jit', trustSecondFactor: true },
    });
    // What is not published stays in the outbox, where the tests look.
    await sso.admin.app.relay.stop();
  });
  after(() => sso.stop());

  /** The account that the tokens are for, or the error. */
  const outcome = async (id: string, back: Returned): Promise<string | undefined> => {
    if (back.parameters['error'] !== undefined) {
      assert.deepEqual(Object.keys(back.parameters), ['error']);
      return back.parameters['error'];
    }
    const caller = await sso.admin.app.auth.authenticate(`Bearer ${back.parameters[`${id}_token`]}`);
    return 'accountId' in caller ? caller.accountId : JSON.stringify(caller);
  };
  const signOn = async (id: string, person: Record<string, unknown>) =>
    outcome(id, await sso.signOn(id, person));
  const change = (id: string, assignments: string) =>
    query(sso.admin.app.db, `update account set ${assignments} where id = ?`, [id]);
  const findAccount = (email: string) => accounts.findByEmailKey(sso.admin.app.db, emailKey(email));
  const identities = (accountId: string) =>
    query<{ subject: string }>(
      sso.admin.app.db,
      'select subject from sso_identity where account_id = ? order by linked_at',
      [accountId],
    );
  const audited = async (accountId: string) => {
    const rows = await query<{ action: string; actor_kind: string; details: object }>(
      sso.admin.app.db,
      'select action, actor_kind, details from audit where target_id = ? order by id',
      [accountId],
    );
    return rows.map((row) => [row.action, row.actor_kind, row.details]);
  };
  const verifications = (accountId: string) =>
    query(
      sso.admin.app.db,
      `select id from outbox where event->>'type' = 'account.verified' and event->'data'->>'UserId' = ?`,
      [accountId],
    );
  const newPending = async (
    overrides: Partial<Parameters<typeof accounts.insert>[1]>,
  ): Promise<{ id: string; email: string }> => {
    const person = { id: newId(), email: someEmail() };
    await inTransaction(sso.admin.app.db, NO_DEADLINE, (tx) =>
      accounts.insert(tx, {
        ...person,
        emailKey: emailKey(person.email),
        displayName: undefined,
        locale: 'en',
        role: 'User',
        signup: 'complete',
        passwordHash: undefined,
        isEmailVerified: false,
        ...overrides,
      }),
    );
    return person;
  };

  for (const id of ['off', 'invited', 'jit', 'strong']) {
    it(`is the account with the same verified email (${id})`, async () => {
      const person = await sso.admin.newAccount();
      assert.equal(await signOn(id, somebody(person.email.toUpperCase())), person.id);
      assert.deepEqual(await audited(person.id), [['sso.linked', 'System', { Provider: id }]]);
    });
  }

  it('stays that account when the email changes, here or there', async () => {
    const person = await sso.admin.newAccount();
    const claims = somebody(person.email);
    assert.equal(await signOn('off', claims), person.id);
    const other = await sso.admin.newAccount();
    assert.equal(await signOn('off', { ...claims, email: other.email }), person.id);
    assert.equal(await signOn('off', { sub: claims.sub }), person.id);
    assert.equal(await signOn('off', { ...claims, email_verified: false }), person.id);
    assert.equal((await identities(other.id)).length, 0);
  });

  it('is not the account when the provider has not verified the email', async () => {
    const person = await sso.admin.newAccount();
    for (const id of ['off', 'invited', 'jit', 'strong']) {
      assert.equal(await signOn(id, somebody(person.email, { email_verified: false })), 'account_exists');
    }
    assert.deepEqual(await identities(person.id), []);
    assert.deepEqual(await audited(person.id), []);
  });

  it('is not the account when the provider is not trusted with emails', async () => {
    const person = await sso.admin.newAccount();
    assert.equal(await signOn('strange', somebody(person.email)), 'account_exists');
    assert.deepEqual(await identities(person.id), []);
  });

  it('is not an account whose own email nobody has confirmed (pre-hijacking)', async () => {
    const passwordHash = await sso.admin.app.passwords.hash('a stranger has chosen it');
    const { id, email } = await newPending({ passwordHash });
    for (const provider of ['off', 'invited', 'jit', 'strong']) {
      assert.equal(await signOn(provider, somebody(email)), 'account_exists', provider);
    }
    assert.deepEqual(await identities(id), []);
    assert.equal((await findAccount(email))?.isEmailVerified, false);
  });

  it('is not the account of somebody else of the same issuer, who had the address before', async () => {
    const person = await sso.admin.newAccount();
    assert.equal(await signOn('jit', somebody(person.email)), person.id);
    assert.equal(await signOn('jit', somebody(person.email, { sub: 'the next one' })), 'account_exists');
    assert.equal((await identities(person.id)).length, 1);
    assert.equal(await signOn('off', somebody(person.email)), person.id, 'another issuer');
  });

  it('is a new one with provisioning jit alone', async () => {
    const email = someEmail();
    assert.equal(await signOn('off', somebody(email)), 'not_provisioned');
    assert.equal(await signOn('strange', somebody(email)), 'not_provisioned');
    assert.equal(await signOn('invited', somebody(email)), 'not_provisioned');
    assert.equal(await findAccount(email), undefined);
    const id = await signOn('jit', somebody(email));
    assert.equal(id, (await findAccount(email))?.id);
    assert.deepEqual(await audited(id ?? ''), [
      ['account.created', 'System', { Provider: 'jit' }],
      ['sso.linked', 'System', { Provider: 'jit' }],
    ]);
    const events = await query<{ type: string }>(
      sso.admin.app.db,
      `select type from outbox where event -> 'data' ->> 'UserId' = ? order by id`,
      [id ?? ''],
    );
    const types = events.map(({ type }) => type).filter((type) => type !== 'session.new-device');
    assert.deepEqual(types, ['account.registered', 'session.started']);
  });

  it('is one new account for ten sign-ons at once', async () => {
    const email = someEmail();
    sso.recognise('jit', somebody(email));
    const backs = await Promise.all(Array.from({ length: 10 }, () => sso.browser().signOn('jit')));
    const account = await findAccount(email);
    for (const back of backs) assert.equal(back.parameters['error'], undefined);
    assert.equal((await identities(account?.id ?? '')).length, 1);
    assert.equal((await audited(account?.id ?? '')).length, 2);
  });

  for (const completing of ['invited', 'jit']) {
    it(`completes an account that an administrator made, with provisioning ${completing}`, async () => {
      for (const signup of ['new', 'migration'] as const) {
        const { id, email } = await newPending({ signup });
        for (const provider of ['off', 'strange']) {
          assert.equal(await signOn(provider, somebody(email)), 'account_exists', provider);
        }
        const unverified = somebody(email, { email_verified: false });
        assert.equal(await signOn(completing, unverified), 'account_exists');
        assert.equal(await signOn(completing, somebody(email)), id);
        const { signup: now, isEmailVerified, displayName } = (await findAccount(email)) ?? {};
        assert.deepEqual([now, isEmailVerified, displayName], ['complete', true, 'Ann Other']);
        assert.equal((await verifications(id)).length, 1);
      }
    });
  }

  it('completes an administrator’s account with provisioning invited alone', async () => {
    const { id, email } = await newPending({ signup: 'new', role: 'Admin' });
    assert.equal(await signOn('jit', somebody(email)), 'account_exists');
    assert.equal((await findAccount(email))?.signup, 'new');
    assert.equal(await signOn('invited', somebody(email)), id);
  });

  it('is never a guest’s, invited, tied or turned into one', async () => {
    const guest = await sso.admin.newAccount({ role: 'Guest' });
    const invited = await newPending({ role: 'Guest', signup: 'invitation' });
    const turned = await sso.admin.newAccount();
    assert.equal(await signOn('jit', somebody(turned.email)), turned.id);
    await change(turned.id, `role = 'Guest'`);
    for (const { id, email } of [guest, invited, turned]) {
      assert.equal(await signOn('jit', somebody(email)), 'guest_not_allowed');
      const sessions = await query(
        sso.admin.app.db,
        'select 1 from user_session where account_id = ? and status = 5',
        [id],
      );
      assert.equal(sessions.length, 0);
    }
  });

  for (const [what, assignments, error] of [
    ['disabled', 'is_disabled = true', 'account_disabled'],
    ['expired', `expires_at = now() - interval '1 second'`, 'account_expired'],
    ['in need of a new password', 'new_password_required = true', 'new_password_required'],
  ] as const) {
    it(`signs nobody on to an account that is ${what}, tied or not`, async () => {
      const untied = await sso.admin.newAccount();
      await change(untied.id, assignments);
      assert.equal(await signOn('jit', somebody(untied.email)), error);
      assert.deepEqual(await identities(untied.id), []);
      const tied = await sso.admin.newAccount();
      assert.equal(await signOn('jit', somebody(tied.email)), tied.id);
      await change(tied.id, assignments);
      assert.equal(await signOn('jit', somebody(tied.email)), error);
      await change(tied.id, 'two_factor_required = true');
      assert.equal(await signOn('jit', somebody(tied.email)), error, 'a second factor would not help');
    });
  }

  it('asks for the second factor of an account, which only a trusted provider stands in for', async () => {
    const [withOne, toHaveOne] = [await sso.admin.newAccount(), await sso.admin.newAccount()];
    await switchOnTwoFactor(sso.admin.app, withOne.id);
    await change(toHaveOne.id, 'two_factor_required = true');
    for (const { id, email } of [withOne, toHaveOne]) {
      assert.equal(await signOn('jit', somebody(email)), 'two_factor_required');
      assert.equal(await signOn('strong', somebody(email)), id);
    }
  });

  it('ties and makes accounts of the allowed domains alone', async () => {
    const outsider = await sso.admin.newAccount();
    assert.equal(await signOn('staff', somebody(outsider.email)), 'domain_not_allowed');
    for (const domain of [
      'evil.example',
      'corp.example.evil.example',
      'evilcorp.example',
      'a.corp.example',
    ]) {
      assert.equal(await signOn('staff', somebody(`ann@${domain}`)), 'domain_not_allowed', domain);
    }
    for (const domain of ['corp.example', 'CORP.example', 'bücher.example']) {
      const email = `ann.${newId()}@${domain}`;
      assert.match((await signOn('staff', somebody(email))) ?? '', /^[0-9a-f-]{36}$/, domain);
    }
  });

  it('takes one address for one account, however it is spelled', async () => {
    const email = someEmail();
    const id = await signOn('jit', somebody(email));
    assert.equal(await signOn('off', somebody(` ${email.toUpperCase()} `)), id);
  });

  it('is not the account of an address that merely reads like it, which may be another mailbox', async () => {
    const { email, id } = await sso.admin.newAccount();
    const [, local = '', domain = ''] = /^([^@]+)@([^@]+)$/.exec(email) ?? [];
    const wide = String.fromCodePoint((local.codePointAt(0) ?? 0) + 0xfee0) + local.slice(1);
    assert.equal(`${wide}@${domain}`.normalize('NFKC'), email);
    for (const alike of [`${wide}@${domain}`, `${local}＠${domain}`, `${local}@x＠${domain}`]) {
      for (const provider of ['jit', 'off']) {
        assert.equal(await signOn(provider, somebody(alike)), 'email_missing', alike);
      }
    }
    assert.deepEqual(await identities(id), []);
  });

  it('is not an account that was deleted; who comes again is new', async () => {
    const email = someEmail();
    const first = await signOn('jit', somebody(email));
    await query(sso.admin.app.db, 'delete from account where id = ?', [first ?? '']);
    assert.equal(await signOn('off', somebody(email)), 'not_provisioned');
    const second = await signOn('jit', somebody(email));
    assert.match(second ?? '', /^[0-9a-f-]{36}$/);
    assert.notEqual(second, first);
  });
});
