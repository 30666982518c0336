import assert from 'node:assert/strict';
import { cast, type Person } from '../testing/cast.ts';
import { PASSWORD, type TestCore } from '../testing/index.ts';
import { registeredBody } from '../testing/registered-body.ts';

const WORDS = { DisplayName: 'Call +1 555 0100', Locale: 'de' };
const OTHER = 'the password of somebody else';

/** Anybody can press the button in a mail, also for the password of a stranger (docs/attacks.md). */
describe('verifying an email with what its registration showed', () => {
  const { core, another, someone, member } = cast();

  /** Registers, and returns what only this browser is shown. */
  const isShown = async (ann: Person, password = PASSWORD): Promise<string> => {
    const { body } = await ann.registers(password, WORDS).expect(200);
    assert.deepEqual(registeredBody(body), { LoginStatus: 4 });
    return String(body.RegistrationToken);
  };
  /** Presses the button in the first mail, in a browser that shows this. */
  const verifies = async (ann: Person, shown: object, at: TestCore = core()) =>
    ann
      .at(at)
      .verifies((await ann.codes())[0], shown)
      .expect(200, {});
  /** The account is verified, and its owner has to choose a password by mail. */
  const hasNoPassword = async (ann: Person): Promise<void> => {
    const expected = { password_hash: null, display_name: null, locale: 'en' };
    assert.deepEqual(await ann.row('password_hash, display_name, locale'), expected);
    await ann.logsIn().expect(404);
    await ann.resets(await ann.forgets(), OTHER).expect(200);
    await ann.logsIn(OTHER).expect(200);
  };

  it('keeps the password for every browser that registered it', async () => {
    for (const which of [0, 1, 2]) {
      const ann = someone();
      const tokens = [await isShown(ann), await isShown(ann), await isShown(ann)];
      assert.equal(new Set(tokens).size, 3);
      await verifies(ann, { RegistrationToken: tokens[which] });
      await ann.logsIn().expect(200);
    }
  });

  it('keeps the password for whoever types it again', async () => {
    const ann = someone();
    await isShown(ann);
    await verifies(ann, { Password: PASSWORD });
    await ann.logsIn().expect(200);
  });

  const shownToOther = () => isShown(someone());
  for (const [name, shown] of [
    ['no token of the page', () => ({ RegistrationToken: '' })],
    ['the token of another account', async () => ({ RegistrationToken: await shownToOther() })],
    [
      'the token that an existing account gets',
      async () => ({ RegistrationToken: await isShown(await member()) }),
    ],
    ['another password', () => ({ Password: OTHER })],
    ['its token, but another password', (token: string) => ({ RegistrationToken: token, Password: OTHER })],
    [
      'its password, but another token',
      async () => ({ RegistrationToken: await shownToOther(), Password: PASSWORD }),
    ],
  ] as const) {
    it(`verifies the email and leaves no password: ${name}`, async () => {
      const ann = someone();
      const token = await isShown(ann);
      await verifies(ann, await shown(token));
      await hasNoPassword(ann);
    });
  }

  it('leaves no password to a stranger who registers before or after the owner, whoever verifies', async () => {
    for (const order of [
      [OTHER, PASSWORD],
      [PASSWORD, OTHER],
    ]) {
      for (const which of [0, 1]) {
        const ann = someone();
        const tokens: string[] = [];
        for (const password of order) tokens.push(await isShown(ann, password));
        await verifies(ann, { RegistrationToken: tokens[which] });
        await ann.logsIn(OTHER).expect(404);
        await hasNoPassword(ann);
      }
    }
  });

  it('ignores what is shown with a wrong code, which uses nothing up', async () => {
    const ann = someone();
    const RegistrationToken = await isShown(ann);
    await ann.verifies('AAAA-AAAA', { RegistrationToken: '' }).expect(400);
    await verifies(ann, { RegistrationToken });
    await ann.logsIn().expect(200);
  });

  it('is required if the installation says so: a call without it leaves no password', async () => {
    const strict = await another({}, { verifyNeedsRegistrant: true });
    const [ann, bob] = [someone(), someone()];
    await verifies(ann, { RegistrationToken: await isShown(ann) }, strict);
    await ann.logsIn().expect(200);
    await isShown(bob);
    await verifies(bob, {}, strict);
    await hasNoPassword(bob);
  });

  it('tells the browser that waits, and no other, that its password was discarded', async () => {
    const ann = someone();
    const RegistrationToken = await isShown(ann);
    const discarded = async (token: string, who = ann) => {
      const body = { Email: who.email, RegistrationToken: token };
      return ((await who.post('/account/registration', body).expect(200)).body as { IsDiscarded: boolean })
        .IsDiscarded;
    };
    assert.equal(await discarded(RegistrationToken), false);
    await verifies(ann, { RegistrationToken: '' });
    assert.equal(await discarded(RegistrationToken), true);
    // A token that was never of this account, as a stranger gets for an address that is taken.
    for (const other of [await isShown(ann), await shownToOther(), ''])
      assert.equal(await discarded(other), false);
    assert.equal(await discarded(RegistrationToken, someone()), false);
    await ann.resets(await ann.forgets(), OTHER).expect(200);
    assert.equal(await discarded(RegistrationToken), true);
    const bob = someone();
    const kept = await isShown(bob);
    await verifies(bob, { RegistrationToken: kept });
    assert.equal(await discarded(kept, bob), false);
  });

  it('is in the audit if the password was discarded', async () => {
    const ann = someone();
    await isShown(ann);
    await verifies(ann, { RegistrationToken: '' });
    const last = (await ann.audit()).entries.at(-1);
    assert.deepEqual([last?.action, last?.details], ['account.verified', { Contested: true }]);
  });
});
