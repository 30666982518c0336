import assert from 'node:assert/strict';
import { newAccount, statusesOf } from '@gatehouse/accounts/testing';
import { accounts, query } from '@gatehouse/db';
import { cast, type Person, type Session } from '../testing/cast.ts';
import { PASSWORD, someAddress } from '../testing/index.ts';

describe('email change', () => {
  const { core, another, someone, member } = cast();

  const asksFor = (session: Session, Email: unknown, Password = PASSWORD) =>
    session.post('/account/change-email', { Email, Password });
  const confirms = (session: Session, Code: unknown) => session.post('/account/confirm-email', { Code });
  const emailOf = async (ann: Person) => (await ann.row<{ email: string }>('email'))?.email;
  const newestCode = async (wish: Person) => (await wish.codes()).at(-1);
  /** Asks for another address, and returns the code that it gets. */
  const isMailed = async (session: Session, wish: Person) => {
    await asksFor(session, wish.email).expect(200, {});
    return newestCode(wish);
  };
  const memberWithSession = async () => {
    const ann = await member();
    return [ann, await ann.session()] as const;
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
    assert.equal((await confirms(session, code).expect(400)).body.code, 'invalid_code');
  });

  it('refuses a wrong password and mails nobody', async () => {
    const [ann, session] = await memberWithSession();
    const wish = someone();
    const { body } = await asksFor(session, wish.email, 'a wrong password').expect(403);
    assert.equal(body.code, 'wrong_password');
    assert.deepEqual([await wish.mails(), await ann.mails()], [[], []]);
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
      assert.equal((await confirms(session, older).expect(400)).body.code, 'invalid_code');
    }
  });

  it('reports that the address was taken meanwhile, and uses up no code', async () => {
    const [ann, session] = await memberWithSession();
    const wish = someone();
    const code = await isMailed(session, wish);
    const faster = await newAccount(core().app, { email: wish.email });
    assert.equal((await confirms(session, code).expect(409)).body.code, 'email_taken');
    assert.equal(await emailOf(ann), ann.email);
    await query(core().app.db, 'delete from account where id = ?', [faster.id]);
    await confirms(session, code).expect(200);
  });

  it('assigns an address to one of two accounts that confirm it concurrently', async () => {
    const [[, one], [, other]] = [await memberWithSession(), await memberWithSession()];
    const wish = someone();
    const codes = [await isMailed(one, wish), await isMailed(other, wish)];
    const answers = await Promise.all([confirms(one, codes[0]), confirms(other, codes[1])]);
    assert.deepEqual(statusesOf(answers), [200, 409]);
  });

  it('refuses a code of another account, and allows five attempts', async () => {
    const ann = await member();
    const mine = await ann.from(someAddress()).session();
    const [, theirs] = await memberWithSession();
    const code = await isMailed(mine, someone());
    const foreign = await isMailed(theirs, someone());
    await confirms(theirs, code).expect(400);
    for (const guess of ['', foreign, 'ABCD-1234', 'ABCD-1235', 'ABCD-1236', 'ABCD-1237'])
      assert.equal((await confirms(mine, guess).expect(400)).body.code, 'invalid_code');
    await confirms(mine, code).expect(400);
    assert.equal(await emailOf(ann), ann.email);
  });

  it('mails five codes an hour per account and per unknown address', async () => {
    const [, session] = await memberWithSession();
    const wishes = Array.from({ length: 6 }, someone);
    for (const { email } of wishes) await asksFor(session, email).expect(200, {});
    const mails = await Promise.all(wishes.map((wish) => wish.mails()));
    assert.deepEqual(
      mails.map(({ length }) => length),
      [1, 1, 1, 1, 1, 0],
    );
    const [code] = (await wishes[4]?.codes()) ?? [];
    await confirms(session, code).expect(200);

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
      assert.deepEqual(
        entries.map(({ action, actorId, details }) => [action, actorId, details]),
        [one, one, one, one, one],
      );
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
