import assert from 'node:assert/strict';
import { checkPassword } from '@gatehouse/accounts';
import { moveClock, someEmail, statusesOf, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { atOnce, cast, problem, type Person, type Session } from '../testing/cast.ts';
import { PASSWORD, someAddress } from '../testing/index.ts';
import { fieldsOf } from '@gatehouse/runtime/testing';

const NEW = 'a wholly new one';

describe('POST /account/change-password', () => {
  const { core, member, memberWithSession } = cast({ SINGLE_SESSION: false, LOGIN_FAILURES_FREE: 10 });

  const change = (session: Session, current: unknown, password: unknown = NEW) =>
    session.post('/account/change-password', { CurrentPassword: current, Password: password });

  it('sets the new password, ends every other session and notifies the owner', async () => {
    const ann = await member();
    const [mine, other] = [await ann.session(), await ann.session()];
    await change(mine, 'a wrong password').expect(problem('wrong_password'));
    await other.isChecked().expect(200);
    await change(mine, PASSWORD).expect(200, {});
    await ann.logsIn().expect(404);
    await mine.isChecked().expect(200);
    await other.isChecked().expect(problem('session_deactivated'));
    const [, ended] = await ann.sessions<object>('status, end_reason');
    assert.deepEqual(ended, { status: 4, end_reason: 'password_changed' });
    assert.equal((await ann.mailTypes()).at(-1), 'account.password-changed');
    await ann.logsIn(NEW).expect(200);
  });

  it('counts wrong passwords together with those of logins', async () => {
    const [ann, mine] = await memberWithSession();
    const attempt = { userName: ann.email, password: 'a wrong password', addressGroup: someAddress() };
    for (let failure = 0; failure < 5; failure += 1) await checkPassword(core().app, attempt);
    for (let failure = 0; failure < 5; failure += 1) await change(mine, 'a wrong password').expect(403);
    const refused = await change(mine, PASSWORD).expect(429);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.equal((await checkPassword(core().app, { ...attempt, password: PASSWORD })).kind, 'throttled');
  });

  it('has the same password rules as registration', async () => {
    const [ann, mine] = await memberWithSession();
    for (const bad of ['short', 'password123', ann.email])
      await change(mine, PASSWORD, bad).expect(problem('invalid_request', '/Password'));
    await ann.logsIn().expect(200);
  });

  it('lets one of many concurrent changes win', async () => {
    const [ann, mine] = await memberWithSession();
    const answers = await atOnce(6, (index) => change(mine, PASSWORD, `${NEW} ${index}`));
    const won = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    assert.equal(won.length, 1);
    await ann.logsIn(`${NEW} ${won[0]}`).expect(200);
  });

  it('invalidates codes that were mailed before', async () => {
    const [ann, mine] = await memberWithSession();
    await mine.post('/account/change-email', { Email: someEmail(), Password: PASSWORD }).expect(200);
    await change(mine, PASSWORD).expect(200);
    const codes = core().sql('select id from account_code where account_id = ?', [await ann.id()]);
    assert.deepEqual(await codes, []);
  });

  /** Requests of somebody with a second factor, whose login with both factors was this long ago. */
  const isProtected = async (kind: 'email' | 'password', minutesAgo: number) => {
    moveClock(core().app, 0);
    const ann: Person = await member();
    const phone = await switchOnTwoFactor(core().app, await ann.id());
    const session = await ann.session({ TwoFactorCode: phone.recoveryCodes[0] });
    const sql = 'update user_session set authenticated_at = now() - make_interval(mins => ?) where id = ?';
    await core().sql(sql, [minutesAgo, session.id]);
    const asks = (more: object = {}, current = PASSWORD) =>
      kind === 'email'
        ? session.post('/account/change-email', { Email: someEmail(), Password: current, ...more })
        : session.post('/account/change-password', { CurrentPassword: current, Password: NEW, ...more });
    return { ann, phone, asks };
  };

  for (const kind of ['email', 'password'] as const)
    it(`takes a code too, once, or a login with both soon before, where there is a second factor: ${kind}`, async () => {
      const { ann, phone, asks } = await isProtected(kind, 6);
      await asks().expect(problem('confirmation_required'));
      const TwoFactorCode = phone.nextCode();
      const { length } = await ann.mails();
      await asks({ TwoFactorCode }, 'a wrong one').expect(problem('wrong_password'));
      await asks({ TwoFactorCode: '000000' }).expect(problem('wrong_code'));
      assert.equal((await ann.mails()).length, length);
      await asks({ TwoFactorCode }).expect(200);
      await asks({ TwoFactorCode }, kind === 'email' ? PASSWORD : NEW).expect(problem('wrong_code'));
      await (await isProtected(kind, 4)).asks().expect(200);
    });
});

describe('email change', () => {
  const { core, another, someone, member, memberWithSession } = cast();

  const asksFor = (session: Session, Email: unknown, Password = PASSWORD) =>
    session.post('/account/change-email', { Email, Password });
  const confirms = (session: Session, Code: unknown) => session.post('/account/confirm-email', { Code });
  const emailOf = async (ann: Person) => (await ann.row<{ email: string }>('email'))?.email;
  const newestCode = async (wish: Person) => (await wish.codes()).at(-1);
  const isMailed = async (session: Session, wish: Person) => {
    await asksFor(session, wish.email).expect(200, {});
    return newestCode(wish);
  };

  it('mails a code to the new address and a notice to the old one, and changes with the code', async () => {
    const ann = (await member()).at(await another({ SINGLE_SESSION: false }));
    const [session, other] = [await ann.session(), await ann.session()];
    const wish = someone();
    const code = await isMailed(session, wish);
    assert.equal(await emailOf(ann), ann.email);
    assert.deepEqual(await wish.mailTypes(), ['account.email-change-requested']);
    assert.deepEqual(await ann.mailTypes(), ['account.email-change-announced']);

    await confirms(session, code?.toLowerCase().replace('-', ' ')).expect(200, {});
    assert.equal(await emailOf(ann), wish.email);
    const holderOf = async ({ email }: Person) => (await accounts.findByEmailKey(core().app.db, email))?.id;
    assert.deepEqual([await holderOf(ann), await holderOf(wish)], [undefined, await ann.id()]);
    for (const one of [session, other]) await one.isChecked().expect(200);
    assert.deepEqual(await ann.mailTypes(), ['account.email-change-announced', 'account.email-changed']);
    await confirms(session, code).expect(problem('invalid_code'));
  });

  it('has the same response for a taken address, mails no code and notifies only its owner', async () => {
    const [ann, session] = await memberWithSession();
    const bob = await member();
    await asksFor(session, bob.email.toUpperCase()).expect(200, {});
    assert.deepEqual(await bob.mailTypes(), ['account.email-claimed']);
    assert.deepEqual(await ann.mailTypes(), ['account.email-change-announced']);
    await confirms(session, 'ABCD-1234').expect(400);
  });

  it('invalidates the older code, whether the newer address is free or taken', async () => {
    const [, session] = await memberWithSession();
    for (const next of [await member(), someone()]) {
      const older = await isMailed(session, someone());
      await asksFor(session, next.email).expect(200);
      await confirms(session, older).expect(problem('invalid_code'));
    }
  });

  it('assigns an address to one of two accounts that confirm it concurrently', async () => {
    const [[, one], [, other]] = [await memberWithSession(), await memberWithSession()];
    const wish = someone();
    const codes = [await isMailed(one, wish), await isMailed(other, wish)];
    const answers = await Promise.all([confirms(one, codes[0]), confirms(other, codes[1])]);
    assert.deepEqual(statusesOf(answers), [200, 409]);
  });

  it('mails five codes an hour to an unknown address, whoever asks', async () => {
    const stranger = someone();
    for (let index = 0; index < 6; index += 1) {
      const [, other] = await memberWithSession();
      await asksFor(other, stranger.email).expect(200, {});
    }
    assert.equal((await stranger.mails()).length, 5);
  });

  it('is in the audit as often as a code is mailed, in the same way for free and taken addresses', async () => {
    const taken = await member();
    for (const wish of [() => someone().email, () => taken.email]) {
      const [ann, session] = await memberWithSession();
      for (let turn = 0; turn < 7; turn += 1) await asksFor(session, wish()).expect(200);
      const { entries } = await ann.audit();
      const one = ['email.change-requested', await ann.id(), {}];
      assert.deepEqual(fieldsOf(entries, 'action', 'actorId', 'details'), [one, one, one, one, one]);
    }
  });

  it('accepts a new spelling of the same address', async () => {
    const [ann, session] = await memberWithSession();
    const wish = ann.email.replace('person', 'Person');
    await asksFor(session, wish).expect(200);
    await confirms(session, await newestCode(someone(wish))).expect(200);
    assert.equal(await emailOf(ann), wish);
  });
});
