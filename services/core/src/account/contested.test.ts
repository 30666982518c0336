import assert from 'node:assert/strict';
import { changeAccount } from '@gatehouse/accounts';
import { mailCodeAsAdministrator } from '@gatehouse/accounts/testing';
import { cast, problem, type Person } from '../testing/cast.ts';
import { BY_SYSTEM, PASSWORD, someAddress } from '../testing/index.ts';
import { fieldsOf } from '@gatehouse/runtime/testing';

const OWN = 'the password of the owner';
const STRANGE = 'the password of the stranger';
const WORDS = { DisplayName: 'Call +1 555 0100', Locale: 'de' };
/** The statuses of accounts without a password, and whether those come from elsewhere. */
const WITHOUT_PASSWORD = [
  [5, false],
  [6, true],
] as const;

/** An attacker registers an address before its owner (docs/attacks.md); their password must never work. */
describe('an account that is registered with two passwords before its email is verified', () => {
  const { core, another, created, someone } = cast();

  const isRegistered = async (ann: Person, ...passwords: string[]) => {
    for (const password of passwords) await ann.registers(password, WORDS).expect(200);
  };

  const registered = async (...passwords: string[]) => {
    const ann = someone();
    await isRegistered(ann, ...passwords);
    return ann;
  };

  /** The account is verified, and only the password that the mailbox's owner chooses works. */
  const staysTheOwners = async (ann: Person, code: string | undefined): Promise<void> => {
    await ann.verifies(code).expect(200);
    for (const password of [OWN, STRANGE])
      await ann.logsIn(password).expect(problem('authentication_failed'));
    const emptied = { password_hash: null, display_name: null, locale: 'en', new_password_required: true };
    assert.deepEqual(await ann.row(Object.keys(emptied).join()), emptied);
    for (const other of await ann.codes()) await ann.verifies(other).expect(400);
    await ann.resets(await ann.forgets(), OWN).expect(200);
    await ann.logsIn(OWN).expect(200);
    await ann.logsIn(STRANGE).expect(404);
  };

  for (const [order, passwords, which] of [
    ['the owner first, by the first code', [OWN, STRANGE], 0],
    ['the owner first, by the last code', [OWN, STRANGE], -1],
    ['the stranger first and last, by the first code', [STRANGE, OWN, STRANGE], 0],
    ['the owner first and last, by the last code', [OWN, STRANGE, OWN], -1],
  ] as const)
    it(`belongs to the owner of the mailbox: ${order}`, async () => {
      const ann = await registered(...passwords);
      await staysTheOwners(ann, (await ann.codes()).at(which));
    });

  it('is contested even if the hourly limit of mails was reached before', async () => {
    const ann = await registered(STRANGE, STRANGE, STRANGE, STRANGE, STRANGE, OWN);
    const codes = await ann.codes();
    assert.equal(codes.length, 5);
    await staysTheOwners(ann, codes.at(-1));
  });

  it('is contested by concurrent registrations in two processes', async () => {
    const other = await another();
    const people = Array.from({ length: 8 }, someone);
    for (const ann of people)
      await Promise.all([ann.registers(OWN).expect(200), ann.at(other).registers(STRANGE).expect(200)]);
    for (const ann of people) await staysTheOwners(ann, (await ann.codes())[0]);
  });

  it('responds to a login before verification as for any unverified account', async () => {
    const ann = await registered(OWN, STRANGE);
    assert.equal((await ann.logsIn(OWN).expect(403)).body.LoginStatus, 4);
    await ann.logsIn(STRANGE).expect(404);
  });

  it('is settled by a password reset, which no registration code can undo', async () => {
    const ann = await registered(STRANGE, OWN);
    const older = await ann.codes();
    await ann.resets(await ann.forgets(), OWN).expect(200);
    for (const code of older) await ann.verifies(code).expect(400);
    await ann.logsIn(OWN).expect(200);
    await isRegistered(ann, STRANGE);
    assert.equal((await ann.mailTypes()).at(-1), 'account.registration-repeated');
    await ann.logsIn(OWN).expect(200);
  });

  it('stays contested while it is disabled', async () => {
    const ann = await registered(STRANGE);
    await changeAccount(core().app, await ann.id(), { isDisabled: true }, BY_SYSTEM);
    await isRegistered(ann, OWN);
    await changeAccount(core().app, await ann.id(), { isDisabled: false }, BY_SYSTEM);
    await staysTheOwners(ann, (await ann.codes())[0]);
  });

  it('is in the audit once, without personal data, as is its verification', async () => {
    const ann = await registered(STRANGE, OWN, STRANGE, OWN);
    await ann.verifies((await ann.codes())[0]).expect(200);
    const { entries, text } = await ann.audit();
    assert.deepEqual(fieldsOf(entries, 'action', 'actorKind'), [
      ['account.registered', 'System'],
      ['account.contested', 'System'],
      ['account.verified', 'Account'],
    ]);
    for (const secret of [ann.email, OWN, STRANGE, WORDS.DisplayName]) assert.ok(!text.includes(secret));
  });

  it('is none that has become an administrator’s, which no registration completes', async () => {
    const ann = await registered(STRANGE);
    const [older] = await ann.codes();
    await changeAccount(core().app, await ann.id(), { role: 'Admin' }, BY_SYSTEM);
    await isRegistered(ann, OWN);
    assert.equal((await ann.mailTypes()).at(-1), 'account.registration-repeated');
    await ann.verifies(older).expect(400);
    await ann.post('/account/forgot-password', { Email: ann.email }).expect(200);
    assert.equal((await ann.codes()).length, 1);
    await changeAccount(core().app, await ann.id(), { role: 'User' }, BY_SYSTEM);
    await ann.verifies(older).expect(400);
  });

  for (const [status, isMigrated] of WITHOUT_PASSWORD)
    it(`is none that an administrator has without a password (${status}), which takes a code that an administrator has mailed`, async () => {
      const ann = await created({ role: 'Admin', isMigrated });
      await isRegistered(ann, STRANGE);
      assert.deepEqual(await ann.mailTypes(), ['account.registration-repeated']);
      assert.equal((await ann.logsIn(STRANGE).expect(403)).body.LoginStatus, status);
      await ann.post('/account/forgot-password', { Email: ann.email }).expect(200);
      assert.deepEqual(await ann.codes(), []);
      await mailCodeAsAdministrator(core().app, await ann.id(), 'reset');
      const [code] = await ann.codes();
      await ann.verifies(code).expect(400);
      await ann.resets(code, OWN).expect(200);
      await ann.logsIn(OWN).expect(200);
      assert.deepEqual(await ann.row('role, display_name'), { role: 'Admin', display_name: 'Ann' });
    });
});

/** Anybody can register an address; what they type must never open an account that waits for its owner. */
for (const [status, isMigrated] of WITHOUT_PASSWORD)
  describe(`an account that an administrator made for its owner (status ${status})`, () => {
    const { core, created } = cast();

    const awaited = (locale?: string) => created({ locale, isMigrated });
    const stateOf = (ann: Person) => ann.row<object>('signup, display_name, locale');
    const isRegisteredByStranger = (ann: Person) => ann.registers(STRANGE, WORDS).expect(200);
    const completes = (ann: Person, code: string | undefined, more: object = {}) =>
      ann.resets(code, PASSWORD, more);
    const newestCode = async (ann: Person) => (await ann.codes()).at(-1);
    const isInvited = async (ann: Person) => {
      await mailCodeAsAdministrator(core().app, await ann.id(), 'complete');
      return newestCode(ann);
    };
    const notThis = (code: string | undefined) => (code === 'AAAA-AAAA' ? 'BBBB-BBBB' : 'AAAA-AAAA');

    it('keeps nothing of a registration, which mails its owner a code that chooses the password', async () => {
      const ann = await awaited();
      const all = 'signup, password_hash, display_name, locale';
      const before = await ann.row(all);
      const { body } = await isRegisteredByStranger(ann);
      assert.deepEqual(await ann.row(all), before);
      assert.deepEqual(await ann.mailTypes(), ['account.password-reset-requested']);
      assert.equal((await ann.logsIn(STRANGE).expect(403)).body.LoginStatus, status);
      const code = await newestCode(ann);
      await ann.verifies(code, { RegistrationToken: body.RegistrationToken }).expect(400);
      await completes(ann, code).expect(200);
      await ann.logsIn().expect(200);
      await ann.logsIn(STRANGE).expect(404);
      assert.deepEqual(await stateOf(ann), { signup: 'complete', display_name: 'Ann', locale: 'en' });
    });

    it('is completed with the invitation that an administrator had mailed, once', async () => {
      const ann = await awaited('de');
      const code = await isInvited(ann);
      await completes(ann, notThis(code)).expect(400);
      await completes(ann, code, { DisplayName: 'Ann Other', Locale: 'fr' }).expect(200);
      await ann.logsIn().expect(200);
      const expected = { signup: 'complete', display_name: 'Ann Other', locale: 'fr' };
      assert.deepEqual(await stateOf(ann), expected);
      await completes(ann, code).expect(400);
    });

    it('keeps its invitation whatever codes a stranger asks for, and loses it with any of them that is used', async () => {
      const ann = await awaited();
      const invited = await isInvited(ann);
      await isRegisteredByStranger(ann);
      await completes(ann, await ann.forgets()).expect(200);
      await completes(ann, invited).expect(400);

      const bob = await awaited();
      const kept = await isInvited(bob);
      await bob.forgets();
      await completes(bob, kept).expect(200);
      await bob.logsIn().expect(200);
    });

    it('allows a guess at its codes no more tries than at one', async () => {
      const ann = await awaited();
      const invited = await isInvited(ann);
      await ann.forgets();
      const stranger = ann.from(someAddress());
      for (let tries = 0; tries < 5; tries += 1) await completes(stranger, notThis(invited)).expect(400);
      await completes(stranger, invited).expect(400);
      await completes(ann, invited).expect(200);
    });

    it('gets no code while it is disabled', async () => {
      const ann = await awaited();
      await ann.set('is_disabled = true');
      await isRegisteredByStranger(ann);
      assert.deepEqual(await ann.mailTypes(), ['account.registration-repeated']);
    });
  });
