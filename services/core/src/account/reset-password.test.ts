import assert from 'node:assert/strict';
import { whileAuditFails, whileCommitsFail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, cast, countOf, type Person } from '../testing/cast.ts';
import { someAddress } from '../testing/index.ts';

const NEW = 'an entirely new one';

describe('POST /account/forgot-password and /account/reset-password', () => {
  const { core, someone, member } = cast();

  const asks = (ann: Person) => ann.post('/account/forgot-password', { Email: ann.email }).expect(200, {});
  /** Until the requests for a new password that were acknowledged are done. */
  const areDone = ({ email }: Person) =>
    eventually(async () => {
      const sql = 'select id from reset_request where email_key = ?';
      return (await query(core().app.db, sql, [email])).length === 0;
    }, 15);

  it('ends every session, clears a required new password, and notifies the owner', async () => {
    const ann = await member();
    const session = await ann.session();
    await ann.set('new_password_required = true');
    await ann.resets(await ann.forgets(), NEW).expect(200, {});
    assert.equal(await session.pings(), 4);
    await session.refreshes().expect(401);
    await ann.logsIn().expect(404);
    await ann.logsIn(NEW).expect(200);
    assert.equal((await ann.mailTypes()).at(-1), 'account.password-changed');
  });

  it('is atomic with its audit entry, which has no email or code', async () => {
    const ann = await member();
    const session = await ann.session();
    const code = await ann.forgets();
    const recorded = async () => {
      const { entries, text } = await ann.audit();
      return { entries: entries.filter(({ action }) => action.startsWith('password.')), text };
    };
    for (const whileFaulty of [whileAuditFails, whileCommitsFail])
      await whileFaulty(core().app, () => ann.resets(code, NEW).expect(500));
    assert.deepEqual((await recorded()).entries, []);
    assert.equal(await session.pings(), 1);
    await ann.logsIn().expect(200);
    await ann.resets(code, NEW).expect(200);
    const { entries, text } = await recorded();
    assert.deepEqual(
      entries.map(({ action, actorId, actorKind, targetKind }) => [action, actorId, actorKind, targetKind]),
      [['password.reset', await ann.id(), 'Account', 'Account']],
    );
    for (const secret of [ann.email, code, NEW]) assert.ok(!text.includes(secret));
  });

  it('verifies the email, and invalidates the registration code', async () => {
    const ann = someone();
    await ann.registers();
    const [verification] = await ann.codes();
    await ann.resets(await ann.forgets(), NEW).expect(200);
    await ann.logsIn(NEW).expect(200);
    await ann.verifies(verification).expect(400);
  });

  it('responds to every invalid code with the same 400, and changes nothing', async () => {
    const [ann, bob] = [await member(), await member()];
    const [code, foreign] = [await ann.forgets(), await bob.forgets()];
    const first = await someone().resets('0000-0000', NEW).expect(400);
    for (const none of ['', 'AAAA', 'UUUU-UUUU', 'x'.repeat(5000), '\u0000', foreign]) {
      const { body, status } = await ann.resets(none, NEW);
      assert.deepEqual({ ...body, traceId: 0, status }, { ...first.body, traceId: 0, status: 400 });
    }
    await ann.logsIn().expect(200);
    await ann.resets(code, NEW).expect(200);
  });

  it('uses a code once with twenty concurrent requests', async () => {
    const ann = await member();
    const code = await ann.forgets();
    assert.equal(countOf(200, await atOnce(20, () => ann.resets(code, NEW))), 1);
  });

  it('keeps the code for a better password when the first choice is refused', async () => {
    const ann = await member();
    const code = await ann.forgets();
    assert.equal((await ann.resets(code, 'short').expect(400)).body.errors[0].pointer, '/Password');
    await ann.resets(code, NEW).expect(200);
  });

  it('accepts only the newest code', async () => {
    const ann = await member();
    const [older, newer] = [await ann.forgets(), await ann.forgets()];
    await ann.resets(older, NEW).expect(400);
    await ann.resets(newer, NEW).expect(200);
  });

  it('mails nothing to an account that could not log in after a reset', async () => {
    const ann = await member();
    for (const change of ['is_disabled = true', "is_disabled = false, signup = 'invitation'"]) {
      await ann.set(change);
      await asks(ann);
      await areDone(ann);
    }
    assert.deepEqual(await ann.mails(), []);
  });

  it('mails a code to an owner at a known address, although strangers have used up the mails', async () => {
    const ann = await member();
    const atHome = ann.from(someAddress());
    await atHome.logsIn().expect(200);
    const mailsAfter = async (who: Person) => {
      await asks(who);
      await areDone(ann);
      return (await ann.mails()).length;
    };
    for (let asked = 0; asked < 5; asked += 1) await mailsAfter(ann);
    assert.equal(await mailsAfter(ann), 5);
    assert.equal(await mailsAfter(atHome), 6);
    await ann.resets((await ann.codes()).at(-1), NEW).expect(200);
  });

  it('resets the count of failed logins', async () => {
    const ann = await member();
    for (let time = 0; time < 11; time += 1) await ann.logsIn('a wrong password');
    await ann.resets(await ann.forgets(), NEW).expect(200);
    await ann.logsIn(NEW).expect(200);
  });

  it('responds as fast as usual while the account is locked by others, and mails after the response', async () => {
    const ann = await member();
    await core().app.db.transaction(async (tx) => {
      await query(tx, 'select id from account where id = ? for update', [await ann.id()]);
      // Together with as many requests for unknown emails, so that other load affects both alike.
      const slowest = async (who: Person) => {
        const begun = performance.now();
        await atOnce(12, () => asks(who));
        return performance.now() - begun;
      };
      const [known, unknown] = await Promise.all([slowest(ann), slowest(someone())]);
      assert.ok(known < unknown + 1000, `${known} ms, and ${unknown} ms for nobody`);
      assert.deepEqual(await ann.mails(), []);
    });
    await areDone(ann);
    await ann.resets((await ann.codes()).at(-1), NEW).expect(200);
  });

  it('takes as long for an email without an account as for one with', async () => {
    const ann = await member();
    const timeOf = async (who: Person) => {
      const begun = performance.now();
      await asks(who);
      return performance.now() - begun;
    };
    const times = { known: [] as number[], unknown: [] as number[] };
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
    const ratio = () => median(times.known) / median(times.unknown);
    const isEven = () => ratio() > 0.8 && ratio() < 1.25;
    // In turns, and more of them on a busy machine: the medians of equal distributions converge.
    for (let round = 1; round <= 60 && !(round > 9 && isEven()); round += 1) {
      times.known.push(await timeOf(ann));
      times.unknown.push(await timeOf(someone()));
    }
    assert.ok(isEven(), `medians differ by ${ratio()}`);
  });
});
