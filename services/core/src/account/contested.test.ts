import assert from 'node:assert/strict';
import { changeAccount } from '@gatehouse/accounts';
import type { AccountChange } from '@gatehouse/db';
import { atOnce, cast, type Person } from '../testing/cast.ts';

const OWN = 'the password of the owner';
const STRANGE = 'the password of the stranger';
const WORDS = { DisplayName: 'Call +1 555 0100', Locale: 'de' };

/** An attacker registers an address before its owner (docs/attacks.md); their password must never work. */
describe('an account that is registered with two passwords before its email is verified', () => {
  const { core, another, someone } = cast();

  const isRegistered = async (ann: Person, ...passwords: string[]) => {
    for (const password of passwords) await ann.registers(password, WORDS).expect(200);
  };

  /** The account is verified, and only the password that the mailbox's owner chooses works. */
  const staysTheOwners = async (ann: Person, code: string | undefined): Promise<void> => {
    await ann.verifies(code).expect(200);
    for (const password of [OWN, STRANGE])
      assert.equal((await ann.logsIn(password).expect(404)).body.code, 'authentication_failed');
    assert.deepEqual(await ann.row('password_hash, display_name, locale, new_password_required'), {
      password_hash: null,
      display_name: null,
      locale: 'en',
      new_password_required: true,
    });
    for (const other of await ann.codes()) await ann.verifies(other).expect(400);
    await ann.resets(await ann.forgets(), OWN).expect(200);
    await ann.logsIn(OWN).expect(200);
    await ann.logsIn(STRANGE).expect(404);
  };

  for (const [order, passwords] of [
    ['the owner first', [OWN, STRANGE]],
    ['the stranger first', [STRANGE, OWN]],
    ['the stranger first and last', [STRANGE, OWN, STRANGE]],
    ['the owner first and last', [OWN, STRANGE, OWN]],
  ] as const) {
    for (const which of ['first', 'last'] as const) {
      it(`belongs to the owner of the mailbox: ${order}, by the ${which} code`, async () => {
        const ann = someone();
        await isRegistered(ann, ...passwords);
        const codes = await ann.codes();
        assert.equal(codes.length, passwords.length);
        await staysTheOwners(ann, codes.at(which === 'first' ? 0 : -1));
      });
    }
  }

  it('is contested even if the hourly limit of mails was reached before', async () => {
    const ann = someone();
    await isRegistered(ann, STRANGE, STRANGE, STRANGE, STRANGE, STRANGE, OWN);
    const codes = await ann.codes();
    assert.equal(codes.length, 5);
    await staysTheOwners(ann, codes.at(-1));
  });

  it('is contested by concurrent registrations, unless they have the same password', async () => {
    const [two, one] = [someone(), someone()];
    await Promise.all([OWN, STRANGE, OWN, STRANGE].map((password) => isRegistered(two, password)));
    await staysTheOwners(two, (await two.codes())[0]);
    await atOnce(4, () => one.registers(OWN).expect(200));
    await one.verifies((await one.codes())[0]).expect(200);
    await one.logsIn(OWN).expect(200);
  });

  it('is contested by concurrent registrations in two processes', async () => {
    const other = await another();
    const people = Array.from({ length: 8 }, someone);
    for (const ann of people)
      await Promise.all([ann.registers(OWN).expect(200), ann.at(other).registers(STRANGE).expect(200)]);
    for (const ann of people) await staysTheOwners(ann, (await ann.codes())[0]);
  });

  it('responds to a login before verification as for any unverified account', async () => {
    const ann = someone();
    await isRegistered(ann, OWN, STRANGE);
    assert.equal((await ann.logsIn(OWN).expect(403)).body.LoginStatus, 4);
    await ann.logsIn(STRANGE).expect(404);
  });

  it('is settled by a password reset, which no registration code can undo', async () => {
    const ann = someone();
    await isRegistered(ann, STRANGE, OWN);
    const older = await ann.codes();
    await ann.resets(await ann.forgets(), OWN).expect(200);
    for (const code of older) await ann.verifies(code).expect(400);
    await ann.logsIn(OWN).expect(200);
    await isRegistered(ann, STRANGE);
    assert.equal((await ann.mailTypes()).at(-1), 'account.registration-repeated');
    await ann.logsIn(OWN).expect(200);
  });

  it('stays contested while it is disabled', async () => {
    const ann = someone();
    const change = async (changes: AccountChange) =>
      changeAccount(core().app, await ann.id(), changes, {
        actor: { kind: 'System' },
        origin: { traceId: '0', dueAt: Infinity },
      });
    await isRegistered(ann, STRANGE);
    await change({ isDisabled: true });
    await isRegistered(ann, OWN);
    await change({ isDisabled: false });
    await staysTheOwners(ann, (await ann.codes())[0]);
  });

  it('is in the audit once, without personal data, as is its verification', async () => {
    const ann = someone();
    await isRegistered(ann, STRANGE, OWN, STRANGE, OWN);
    await ann.verifies((await ann.codes())[0]).expect(200);
    const { entries, text } = await ann.audit();
    assert.deepEqual(
      entries.map(({ action, actorKind }) => [action, actorKind]),
      [
        ['account.registered', 'System'],
        ['account.contested', 'System'],
        ['account.verified', 'Account'],
      ],
    );
    for (const secret of [ann.email, OWN, STRANGE, WORDS.DisplayName]) assert.ok(!text.includes(secret));
  });
});
