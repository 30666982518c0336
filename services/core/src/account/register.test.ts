import assert from 'node:assert/strict';
import { readTables } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, cast, countOf, type Person, problem } from '../testing/cast.ts';
import { PASSWORD, someAddress, type TestCore } from '../testing/index.ts';

const WORDS = { DisplayName: 'Call +1 555 0100', Locale: 'de' };
const OTHER = 'the password of somebody else';

describe('POST /account/register and /account/verify', () => {
  const { core, another, someone, member } = cast();

  it('has the same response for a new and a known email, whose owner is notified by mail', async () => {
    const ann = await member();
    const [known, unknown] = [await ann.registers(), await someone().registers()];
    assert.deepEqual([known.status, unknown.status], [200, 200]);
    assert.deepEqual(registeredBody(known.body), registeredBody(unknown.body));
    assert.deepEqual(await ann.mailTypes(), ['account.registration-repeated']);
    await ann.logsIn().expect(200);
  });

  for (const which of [0, 1, 2])
    it(`mails another code for a repeated registration, and accepts any of them once: number ${which + 1}`, async () => {
      const ann = someone();
      for (const Email of [ann.email, ann.email.toUpperCase(), ann.email])
        await ann.registers(PASSWORD, { Email }).expect(200);
      const codes = await ann.codes();
      assert.equal(new Set(codes).size, 3);
      await ann.verifies(codes[which]).expect(200);
      for (const code of codes) await ann.verifies(code).expect(400);
      await ann.logsIn().expect(200);
    });

  it('creates one account for twenty concurrent registrations, which is not contested', async () => {
    const crowd = someone();
    assert.equal(countOf(200, await atOnce(20, () => crowd.registers())), 20);
    assert.equal((await core().sql('select 1 from account where email_key = ?', [crowd.email])).length, 1);
    await crowd.verifies((await crowd.codes())[0]).expect(200);
    await crowd.logsIn().expect(200);
  });

  it('limits an address that requests too many mails, with 429', async () => {
    const strict = await another({ MAILS_PER_ADDRESS: 3, EMAIL_LOGIN: 'users' });
    await eventually(() => strict.app.sessionCache.isConnected());
    const home = someAddress();
    const forgets = (from: string) => {
      const ann = someone().at(strict).from(from);
      return ann.post('/account/forgot-password', { Email: ann.email });
    };
    for (let time = 0; time < 2; time += 1) await someone().at(strict).from(home).registers().expect(200);
    await forgets(home).expect(200);
    const refused = await someone().at(strict).from(home).registers().expect(429);
    assert.ok(Number(refused.headers['retry-after']) > 3000);
    await forgets(home).expect(429);
    const late = someone().at(strict).from(home);
    for (const path of ['/account/resend-verification', '/account/login/email'])
      await late.post(path, { Email: late.email }).expect(429);
    // Whoever has a /48 of IPv6 cannot go on for ever with others of its networks.
    const answers: number[] = [];
    const site = someAddress().replace(/:[\da-f]+::1$/, '');
    for (let network = 1; network <= 11; network += 1)
      answers.push((await forgets(`${site}:${network}::1`)).status);
    assert.deepEqual(answers, [...Array<number>(9).fill(200), 429, 429]);
  });

  for (const [password, reason] of [
    ['short', /at least 8/],
    ['password1', /most common/],
    ['someone@example.com', /email/],
    ['x'.repeat(257), /at most 256/],
    ['with a \u0000 in it', /well-formed/],
    ['with a \ud800 in it', /well-formed/],
  ] as const)
    it(`refuses the password ${JSON.stringify(password).slice(0, 30)}`, async () => {
      const asked = someone().registers(password, { Email: 'someone@example.com' });
      const { body } = await asked.expect(problem('invalid_request', '/Password'));
      assert.match(body.errors[0].message, reason);
    });

  it('refuses a code that has expired', async () => {
    const ann = someone();
    await ann.registers();
    await core().sql('update account_code set expires_at = now() where account_id = ?', [await ann.id()]);
    await ann.verifies((await ann.codes())[0]).expect(400);
  });
});

describe('POST /account/register with self-registration disabled', () => {
  const { core, another, created, someone, member } = cast({});
  let closed: TestCore;
  before(async () => (closed = await another({}, { selfRegistration: 'closed' })));

  const registers = (ann: Person) => ann.at(closed).registers();

  it('does nothing for an unknown email, with the same response', async () => {
    const known = await registers(await member());
    const tables = await readTables(core().app);
    const ann = someone();
    for (const { status, body } of [await registers(ann), await registers(ann)])
      assert.deepEqual([status, registeredBody(body)], [known.status, registeredBody(known.body)]);
    assert.deepEqual(await readTables(core().app), tables);
    assert.deepEqual(await ann.mails(), []);
  });

  it('completes an account that an administrator has made, and mails another code to an unverified one', async () => {
    const [made, unverified] = [await created(), someone()];
    await unverified.registers().expect(200);
    for (const ann of [made, unverified]) await registers(ann).expect(200);
    await made
      .at(closed)
      .resets((await made.codes())[0], PASSWORD)
      .expect(200);
    await unverified
      .at(closed)
      .verifies((await unverified.codes())[1])
      .expect(200);
    for (const ann of [made, unverified]) await ann.logsIn().expect(200);
  });
});

/** Anybody can press the button in a mail, also for the password of a stranger (docs/attacks.md). */
describe('verifying an email with what its registration showed', () => {
  const { core, another, someone, member } = cast();

  const isShown = async (ann: Person, password = PASSWORD): Promise<string> => {
    const { body } = await ann.registers(password, WORDS).expect(200);
    assert.deepEqual(registeredBody(body), { LoginStatus: 4 });
    return String(body.RegistrationToken);
  };
  /** Presses the button in the first mail, in a browser that shows this. */
  const verifies = async (ann: Person, shown: object, at: TestCore = core()) => {
    const [code] = await ann.codes();
    await ann.at(at).verifies(code, shown).expect(200, {});
  };
  /** The account is verified, and its owner has to choose a password by mail. */
  const hasNoPassword = async (ann: Person): Promise<void> => {
    const expected = { password_hash: null, display_name: null, locale: 'en' };
    assert.deepEqual(await ann.row('password_hash, display_name, locale'), expected);
    await ann.logsIn().expect(404);
    await ann.resets(await ann.forgets(), OTHER).expect(200);
    await ann.logsIn(OTHER).expect(200);
  };

  it('keeps the password for every browser that registered it, and for whoever types it again', async () => {
    for (const which of [0, 1, 2, undefined]) {
      const ann = someone();
      const tokens = [await isShown(ann), await isShown(ann), await isShown(ann)];
      assert.equal(new Set(tokens).size, 3);
      await verifies(
        ann,
        which === undefined ? { Password: PASSWORD } : { RegistrationToken: tokens[which] },
      );
      await ann.logsIn().expect(200);
    }
  });

  const shownToOther = () => isShown(someone());
  for (const [name, shown, Password] of [
    ['no token of the page', () => ''],
    ['the token of another account', shownToOther],
    ['the token that an existing account gets', async () => isShown(await member())],
    ['another password', () => undefined, OTHER],
    ['its token, but another password', (token: string) => token, OTHER],
    ['its password, but another token', shownToOther, PASSWORD],
  ] as const)
    it(`verifies the email and leaves no password: ${name}`, async () => {
      const ann = someone();
      const token = await isShown(ann);
      await verifies(ann, { RegistrationToken: await shown(token), Password });
      const last = (await ann.audit()).entries.at(-1);
      assert.deepEqual([last?.action, last?.details], ['account.verified', { Contested: true }]);
      await hasNoPassword(ann);
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
      const asked = who.post('/account/registration', { Email: who.email, RegistrationToken: token });
      return (await asked.expect(200)).body.IsDiscarded as boolean;
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
});

/** The body of a registration's response without its token, which must have the same form for everybody. */
function registeredBody(body: unknown): object {
  const { RegistrationToken, ...others } = body as { RegistrationToken: unknown };
  assert.match(String(RegistrationToken), /^[A-Za-z0-9_-]{64}$/);
  return others;
}
