import assert from 'node:assert/strict';
import { logIn, readAudit } from '@gatehouse/accounts/testing';
import { openSession } from '@gatehouse/accounts';
import { accounts, BY_PASSWORD, query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startIdentities, type Identities } from './testing-identities.ts';
import { during } from '../testing/during.ts';

describe('an identity that its owner unlinks', function () {
  this.timeout(30_000);
  const world = during(() => startIdentities());

  type Owner = Awaited<ReturnType<Identities['newOwner']>>;
  const link = async (owner: Owner, provider = 'corp'): Promise<number> => {
    const [row] = await query<{ number: string }>(
      world.services.app.db,
      'insert into sso_identity (issuer, subject, account_id, provider) values (?, ?, ?, ?) returning number',
      [`https://${provider}.example`, newId(), owner.id, provider],
    );
    return Number(row?.number);
  };
  const change = (owner: Owner, assignments: string) =>
    query(world.services.app.db, `update account set ${assignments} where id = ?`, [owner.id]);
  const withoutPassword = (owner: Owner) => change(owner, 'password_hash = null, password_scheme = null');
  const signOn = async (owner: Owner, ssoProvider: string): Promise<string> => {
    const { app } = world.services;
    const account = await accounts.findById(app.db, owner.id);
    if (account === undefined) throw new Error('there is no such account');
    const opening = await openSession(app, account, {
      traceId: '0',
      dueAt: Infinity,
      authentication: BY_PASSWORD,
      ssoProvider,
    });
    if (opening.kind !== 'opened') throw new Error('no session opens');
    return opening.tokens.Token;
  };
  const statusWith = async (owner: Owner, token: string) =>
    (await owner.call('GET', '/account/identity', undefined, token)).status;

  it('is removed with the other sessions that it opened, and no others', async () => {
    const owner = await world.newOwner();
    const number = await link(owner);
    await link(owner, 'strict');
    const [byIt, byOther] = [await signOn(owner, 'corp'), await signOn(owner, 'strict')];
    const { Token: byPassword } = await logIn(world.services.app, owner);
    assert.equal((await owner.unlink(number)).status, 204);
    assert.deepEqual(
      [await statusWith(owner, byIt), await statusWith(owner, byOther), await statusWith(owner, byPassword)],
      [401, 200, 200],
    );
    assert.equal((await owner.unlink(number)).status, 404);
    const { entries } = await readAudit(world.services.app);
    const unlinked = entries.filter(
      ({ action, targetId }) => action === 'sso.unlinked' && targetId === owner.id,
    );
    assert.deepEqual(
      unlinked.map(({ actorId, details }) => [actorId, details]),
      [[owner.id, { Provider: 'corp' }]],
    );
  });

  it('is reported to the owner in a mail when unlinked', async () => {
    const owner = await world.newOwner();
    for (const provider of ['corp', 'gone'])
      assert.equal((await owner.unlink(await link(owner, provider))).status, 204);
    const only = await link(owner);
    await withoutPassword(owner);
    assert.equal((await owner.unlink(only)).status, 409);
    const mails = await world.mailsTo(owner.email);
    assert.deepEqual(
      mails.map(({ type, content }) => [type, 'At' in content, 'IpAddress' in content]),
      Array.from({ length: 2 }, () => ['account.identity-unlinked', true, true]),
    );
  });

  it('keeps the current session', async () => {
    const owner = await world.newOwner();
    const number = await link(owner);
    const token = await signOn(owner, 'corp');
    assert.equal((await owner.call('DELETE', '/account/identity', { Number: number }, token)).status, 204);
    assert.equal(await statusWith(owner, token), 200);
  });

  it('cannot be removed if it is the only sign-in method', async () => {
    const owner = await world.newOwner();
    const number = await link(owner);
    await withoutPassword(owner);
    const { status, body } = await owner.unlink(number);
    assert.deepEqual([status, body['code']], [409, 'conflict']);
    assert.equal((await owner.list()).length, 1);
  });

  it('cannot be removed if the other identities cannot sign in: unknown providers, or a required second factor', async () => {
    const owner = await world.newOwner();
    const number = await link(owner);
    await withoutPassword(owner);
    await link(owner, 'gone');
    assert.equal((await owner.unlink(number)).status, 409);
    await link(owner, 'strict');
    await change(owner, 'two_factor_required = true');
    assert.equal((await owner.unlink(number)).status, 409);
    await change(owner, 'two_factor_required = false');
    assert.equal((await owner.unlink(number)).status, 204);
  });

  it('keeps one of two that are unlinked concurrently', async () => {
    const owner = await world.newOwner();
    const numbers = [await link(owner), await link(owner, 'strict')];
    await withoutPassword(owner);
    const answers = await Promise.all(numbers.map((number) => owner.unlink(number)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204, 409]));
    assert.equal((await owner.list()).length, 1);
  });

  it('can be removed by its owner only, after a proof', async () => {
    const [owner, other] = [await world.newOwner(), await world.newOwner()];
    const number = await link(owner);
    assert.equal((await other.unlink(number)).status, 404);
    assert.deepEqual(await other.list(), []);
    await query(
      world.services.app.db,
      `update user_session set authenticated_at = now() - interval '6 minutes' where account_id = ?`,
      [owner.id],
    );
    const { status, body } = await owner.unlink(number);
    assert.deepEqual([status, body['code']], [403, 'confirmation_required']);
    for (const wrong of [0, String(number), number + 0.5, -1, 2 ** 53])
      assert.equal((await owner.unlink(wrong)).status, 400, String(wrong));
  });
});
