import assert from 'node:assert/strict';
import { createAccount } from '@gatehouse/accounts';
import { mailCodeAsAdministrator } from '@gatehouse/accounts/testing';
import { cast, type Person } from '../testing/cast.ts';
import { PASSWORD, someAddress } from '../testing/index.ts';

const STRANGE = 'the password of the stranger';
const WORDS = { DisplayName: 'Call +1 555 0100', Locale: 'de' };
const BY = { actor: { kind: 'System' }, origin: { traceId: '0', dueAt: Infinity } } as const;

/** Anybody can register an address; what they type must never open an account that waits for its owner. */
for (const [status, isMigrated] of [
  [5, false],
  [6, true],
] as const) {
  describe(`an account that an administrator made for its owner (status ${status})`, () => {
    const { core, someone } = cast();

    const awaited = async (locale?: string) => {
      const ann = someone();
      const given = { email: ann.email, password: undefined, displayName: 'Ann', locale, isMigrated };
      await createAccount(core().app, { ...given, role: 'User' }, BY);
      return ann;
    };
    const stateOf = (ann: Person) => ann.row<object>('signup, display_name, locale');
    const isRegisteredByStranger = (ann: Person) => ann.registers(STRANGE, WORDS).expect(200);
    const completes = (ann: Person, code: string | undefined, more: object = {}) =>
      ann.resets(code, PASSWORD, more);
    const newestCode = async (ann: Person) => (await ann.codes()).at(-1);
    /** The code of the invitation that an administrator has mailed. */
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
      assert.deepEqual(await ann.row('signup'), { signup: 'complete' });
    });

    it('takes the owner’s name with the code, and otherwise keeps the administrator’s', async () => {
      for (const [more, display_name] of [
        [{ DisplayName: 'Ann Other' }, 'Ann Other'],
        [{}, 'Ann'],
      ] as const) {
        const ann = await awaited();
        await isRegisteredByStranger(ann);
        await completes(ann, await newestCode(ann), more).expect(200);
        assert.deepEqual(await stateOf(ann), { signup: 'complete', display_name, locale: 'en' });
      }
    });

    it('gets its code also by forgot-password, and from an administrator', async () => {
      const ann = await awaited();
      const own = await ann.forgets();
      await mailCodeAsAdministrator(core().app, await ann.id(), 'reset');
      const newest = await newestCode(ann);
      await completes(ann, own).expect(400);
      await completes(ann, newest).expect(200);
      await ann.logsIn().expect(200);
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
}

describe('a password reset of a complete account', () => {
  const { member } = cast();

  it('does not change its name', async () => {
    const ann = await member();
    await ann.resets(await ann.forgets(), PASSWORD, { DisplayName: 'Eve' }).expect(200);
    assert.deepEqual(await ann.row('display_name'), { display_name: null });
  });
});
