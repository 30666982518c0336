import assert from 'node:assert/strict';
import { changeAccount, createAccount, importAccounts, inviteUsers } from '@gatehouse/accounts';
import { newContent, switchOnTwoFactor, unexpected } from '@gatehouse/accounts/testing';
import { contentDefinitions, type AccountChange } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { cast, type Person } from '../../testing/cast.ts';
import { PASSWORD, type TestCore } from '../../testing/index.ts';

const ORIGIN = { traceId: '0', dueAt: Infinity };
const BY = { actor: { kind: 'System' }, origin: ORIGIN } as const;
const WRONG = 'another password';

/** Changes of administrators and inviters to an account, and the response of its next login. */
describe('POST /account/login, in each of the nine statuses', () => {
  const { core, another, someone } = cast();
  let quiet: TestCore;
  before(async () => {
    quiet = await another({ DISCLOSE_PENDING_ACCOUNTS: false });
  });

  const made = async (password: string | undefined, isMigrated = false) => {
    const ann = someone();
    const given = { email: ann.email, password, displayName: undefined, locale: undefined, isMigrated };
    assert.ok(await createAccount(core().app, { ...given, role: 'User' }, BY));
    return ann;
  };
  const changed = async (change: AccountChange) => {
    const ann = await made(PASSWORD);
    const session = await ann.session();
    assert.equal((await changeAccount(core().app, await ann.id(), change, BY)).kind, 'changed');
    return { ann, session };
  };
  const statusOf = async (ann: Person, password?: string) =>
    (await ann.logsIn(password).expect(403)).body.LoginStatus as number;

  it('has none for an account that was made with a password', async () => {
    const { body } = await (await made(PASSWORD)).logsIn().expect(200);
    assert.deepEqual(Object.keys(body as object), ['Token', 'RefreshToken', 'ExpirationSeconds']);
  });

  it('is in 1 when two-factor is required and not set up, as soon as an administrator requires it', async () => {
    const { ann, session } = await changed({ isTwoFactorRequired: true });
    await session.refreshes().expect(401);
    assert.equal((await ann.logsIn().expect(200)).body.LoginStatus, 1);
  });

  it('is in 2 when two-factor is on', async () => {
    const ann = await made(PASSWORD);
    await switchOnTwoFactor(core().app, await ann.id());
    const { body } = await ann.logsIn().expect(200);
    assert.deepEqual([body.LoginStatus, 'Token' in body], [2, false]);
  });

  for (const [status, change, ping] of [
    [3, { isDisabled: true }, 4],
    [7, { isNewPasswordRequired: true }, 4],
    [8, { expiresAt: new Date(0) }, 3],
  ] as const) {
    it(`is in ${status} after an administrator’s change, as are its session and refresh`, async () => {
      const { ann, session } = await changed(change);
      assert.equal(await statusOf(ann), status);
      assert.equal((await ann.logsIn(WRONG).expect(404)).body.LoginStatus, undefined);
      assert.equal(await session.pings(), ping);
      assert.equal((await session.refreshes().expect(403)).body.LoginStatus, status);
    });
  }

  it('tells the owner in 3 until when and why only if an administrator chose to, and nobody without the password', async () => {
    const disabledUntil = new Date(Date.now() + 3_600_000);
    const ban = { isDisabled: true, disabledUntil, disabledReason: 'spam' };
    for (const tellsReason of [true, false]) {
      const { ann } = await changed({ ...ban, tellsReason });
      const { body } = await ann.logsIn().expect(403);
      const told = [body.LoginStatus, body.DisabledUntil, body.DisabledReason];
      const expected = tellsReason ? [3, disabledUntil.toISOString(), 'spam'] : [3, undefined, undefined];
      assert.deepEqual(told, expected);
      const wrong = JSON.stringify((await ann.logsIn(WRONG).expect(404)).body);
      assert.doesNotMatch(wrong, /Disabled|spam/);
    }
  });

  it('is in 4 until a registration is verified, for the right password alone', async () => {
    const ann = someone();
    assert.equal((await ann.registers().expect(200)).body.LoginStatus, 4);
    assert.equal(await statusOf(ann), 4);
    await ann.logsIn(WRONG).expect(404);
  });

  const invited = async () => {
    const gus = someone();
    const content = await contentDefinitions.findById(core().app.db, await newContent(core().app));
    assert.ok(content);
    const sharing = { content, sharer: { id: newId(), account: undefined }, actor: BY.actor };
    const emails = new Map([[gus.email, gus.email]]);
    await inviteUsers(core().app, { ...sharing, emails }, ORIGIN, unexpected);
    assert.deepEqual(await gus.row('role'), { role: 'Guest' });
    return gus;
  };
  for (const [status, what, arrange] of [
    [5, 'without a password', () => made(undefined)],
    [6, 'if it comes from elsewhere without a password', () => made(undefined, true)],
    [9, 'until a guest has accepted the invitation', invited],
  ] as const) {
    it(`is in ${status} ${what}, for any password and after registering, unless pending accounts are hidden`, async () => {
      const ann = await arrange();
      assert.equal(await statusOf(ann, 'whatever it is'), status);
      await ann.registers().expect(200);
      assert.equal(await statusOf(ann), status);
      assert.equal((await ann.at(quiet).logsIn()).body.code, 'authentication_failed');
    });
  }

  it('is in 6 when it was imported without a hash, and in none with one', async () => {
    const [without, hashed] = [someone(), someone()];
    const PasswordHash = '$2y$04$4rl0W1m3R87qE4ZVvCOFZOPlerQmAjQec10vlN8bwtf0CVcksih1y';
    async function* lines() {
      yield { number: 1, kind: 'value', value: { Email: without.email } } as const;
      yield { number: 2, kind: 'value', value: { Email: hashed.email, PasswordHash } } as const;
    }
    await importAccounts(core().app, lines(), BY);
    assert.equal(await statusOf(without), 6);
    await hashed.logsIn('imported from elsewhere').expect(200);
  });
});
