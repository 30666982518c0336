import assert from 'node:assert/strict';
import { codeIn, newContent, untilWaiting } from '@gatehouse/accounts/testing';
import { inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { atOnce, cast, countOf, problem, type Session } from '../testing/cast.ts';
import { PASSWORD } from '../testing/index.ts';
import { ownerWithPasskey } from '../testing/passkeys.ts';

describe('erasure by the owner', () => {
  const { another, core, member, memberWithSession } = cast();

  const newPerson = async () => {
    const [ann, session] = await memberWithSession();
    const erases = (body: object) => session.post('/account/erase', body);
    return {
      ann,
      session,
      erases,
      asks: async () => {
        await erases({ Password: PASSWORD }).expect(200, {});
        return codeIn(await ann.mails());
      },
      restores: (Code: string) => ann.post('/account/restore', { Code }),
      restoreCode: async () => {
        const mail = (await ann.mails()).at(-1);
        assert.equal(mail?.type, 'account.erasure-scheduled');
        return 'RestoreCode' in mail.content ? (mail.content.RestoreCode ?? '') : '';
      },
    };
  };
  const erasedPerson = async () => {
    const person = await newPerson();
    await person.erases({ Code: await person.asks() }).expect(202);
    return person;
  };

  it('disables it everywhere before the response, and returns when it will be erased', async () => {
    const { ann, session, asks, erases } = await newPerson();
    const Code = await asks();
    const { body } = await erases({ Code }).expect(202);
    const days = (Date.parse(String(body.ErasedAt)) - Date.now()) / 86_400_000;
    assert.ok(days > 13.9 && days < 14.1, String(days));
    assert.equal(await session.pings(), 4);
    await session.refreshes().expect(403);
    assert.equal((await ann.logsIn().expect(403)).body.LoginStatus, 3);
    await erases({ Code }).expect(401);
    const { entries } = await ann.audit();
    assert.ok(entries.some(({ action }) => action === 'account.erasure-requested'));
  });

  it('requires a proof: a wrong password, a wrong code and a foreign one are refused', async () => {
    const [{ asks, erases, session }, other] = [await newPerson(), await newPerson()];
    await erases({ Password: 'wrong' }).expect(403);
    const Code = await asks();
    await other.erases({ Code }).expect(400);
    await erases({ Code: 'AAAA-AAAA' }).expect(400);
    assert.equal(await session.pings(), 1);
    await erases({ Code }).expect(202);
  });

  it('is left to the operators of a service account, who read no mail of it', async () => {
    const { ann, erases } = await newPerson();
    await ann.set('is_service = true');
    await erases({ Password: PASSWORD }).expect(409);
    assert.deepEqual(await ann.mails(), []);
  });

  it('is cancelled by the link in the mail, once of ten times at once, and sessions stay ended', async () => {
    const { ann, restoreCode, restores, session } = await erasedPerson();
    const code = await restoreCode();
    await restores(`${code}x`).expect(400);
    assert.equal(countOf(200, await atOnce(10, () => restores(code))), 1);
    await session.isChecked().expect(401);
    await ann.session();
  });

  it('is due at once, and no link cancels it, with ERASE_AFTER_DAYS=0', async () => {
    const ann = await member();
    const session = await ann.at(await another({ ERASE_AFTER_DAYS: 0 })).session();
    await session.post('/account/erase', { Password: PASSWORD }).expect(200, {});
    const { body } = await session.post('/account/erase', { Code: codeIn(await ann.mails()) }).expect(202);
    assert.ok(Date.parse(String(body.ErasedAt)) < Date.now() + 1000);
    const mail = (await ann.mails()).at(-1);
    assert.ok(mail?.type === 'account.erasure-scheduled' && !('RestoreCode' in mail.content));
  });

  it('does not enable an account that an administrator has disabled', async () => {
    const { ann, asks, erases, restoreCode, restores } = await newPerson();
    const Code = await asks();
    // Possible as long as the session has not ended.
    await ann.set('is_disabled = true');
    await erases({ Code }).expect(202);
    await restores(await restoreCode()).expect(200);
    assert.equal((await ann.logsIn().expect(403)).body.LoginStatus, 3);
  });

  it('requires that owned content is transferred first', async () => {
    const { ann, erases } = await newPerson();
    await newContent(core().app, { id: await ann.id() });
    await erases({ Password: PASSWORD }).expect(409);
  });
});

describe('a passkey as the proof for', () => {
  const { core } = cast();

  const newOwner = async () => {
    const owner = await ownerWithPasskey(core());
    await owner.forgetProof();
    return owner;
  };

  for (const path of ['/account/export', '/account/erase'])
    it(`POST ${path} is accepted once, of the same account, if the login is too old`, async () => {
      const owner = await newOwner();
      const ask = (body: object) => core().post(path, body, owner.bearer);
      await ask({}).expect(problem('confirmation_required'));
      await ask(await (await newOwner()).prove()).expect(problem('wrong_code'));
      const proof = await owner.prove();
      await ask(proof).expect(200);
      await ask(proof).expect(problem('wrong_code'));
    });
});

describe('export by the owner', () => {
  const { core, member } = cast({});

  const anyone = async () => (await member()).session();
  const ask = (who: Session, body: object = {}) => who.post('/account/export', body);

  it('is a file that nobody caches, without secrets, and is audited', async () => {
    const ann = await member();
    const session = await ann.session();
    const { body, headers } = await ask(session, { Password: PASSWORD }).expect(200);
    assert.match(String(headers['content-disposition']), /attachment/);
    assert.equal(headers['cache-control'], 'no-store');
    assert.deepEqual(fieldsOf(body.Profile, 'Email', 'HasPassword'), [[ann.email, true]]);
    assert.doesNotMatch(JSON.stringify(body), /\$2b\$|hash|secret/i);
    const { entries } = await ann.audit();
    assert.ok(entries.some(({ action }) => action === 'account.exported'));
  });

  it('allows one at a time, and uses up no proof if refused', async () => {
    const own = await anyone();
    const withPassword = () => ask(own, { Password: PASSWORD });
    const { first } = await inTransaction(core().app.db, NO_DEADLINE, async (tx) => {
      await query(tx, 'lock table invitation in access exclusive mode');
      const asked = withPassword().then(({ status }) => status);
      await untilWaiting(core().app.db);
      const { body, headers } = await withPassword().expect(429);
      assert.deepEqual([body.code, headers['retry-after']], ['too_many_requests', '5']);
      return { first: asked };
    });
    assert.equal(await first, 200);
    await withPassword().expect(200);
  });

  it('is limited to ten an hour, not counting wrong proofs', async () => {
    const [own, other] = [await anyone(), await anyone()];
    for (let time = 0; time < 3; time += 1) await ask(own, { Password: 'wrong' }).expect(403);
    for (let time = 0; time < 10; time += 1) await ask(own).expect(200);
    const refused = await ask(own).expect(429);
    assert.equal(refused.body.detail, 'Hourly limit of exports of this account reached');
    assert.ok(Number(refused.headers['retry-after']) > 3000);
    await ask(other).expect(200);
  });

  it('waits a short time for a slot, as other requests need Postgres too', async () => {
    const own = await anyone();
    const { exportTurns } = core().app.service;
    let release = (): void => {};
    const others = new Promise<void>((resolve) => (release = resolve));
    const held = [exportTurns(() => others), exportTurns(() => others)];
    const late = await ask(own).expect(503);
    assert.deepEqual([late.body.code, Number(late.headers['retry-after']) > 0], ['unavailable', true]);
    const waiting = ask(own).expect(200);
    setTimeout(release, 200);
    await Promise.all([waiting, ...held]);
  });
});
