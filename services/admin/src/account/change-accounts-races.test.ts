import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const BULK = '/admin/account/bulk';

describe('concurrent bulk changes of accounts', function () {
  this.timeout(30_000);
  let admin: TestAdmin;
  let other: TestAdmin;
  before(async () => {
    admin = await startAdmin({ SINGLE_SESSION: false });
    other = await startAdmin({ SINGLE_SESSION: false }, admin);
  });
  after(async () => {
    await other.stop();
    await admin.stop();
  });

  const administrator = async () => {
    const { id } = await admin.newAccount({ role: 'Admin' });
    return { id, Token: (await admin.login({ id })).Token };
  };
  const crowd = async (count: number) => {
    const displayName = `Race ${newId()}`;
    const made = await Promise.all(Array.from({ length: count }, () => admin.newAccount({ displayName })));
    return { Search: displayName, ids: made.map(({ id }) => id) };
  };
  const activeOf = (ids: readonly string[]) =>
    query(admin.app.db, 'select id from user_session where account_id = any(?) and ended_at is null', [ids]);

  it('leave no session of a disabled account despite concurrent logins', async () => {
    const { Token } = await administrator();
    const { Search, ids } = await crowd(15);
    const logins = ids.flatMap((id) => [1, 2].map(() => admin.login({ id }).catch(() => undefined)));
    const bulk = admin.post(BULK, Token, { Filter: { Search }, Change: { IsDisabled: true } }).expect(200);
    const late = ids.map((id) => admin.login({ id }).catch(() => undefined));
    assert.equal((await bulk).body.Count, 15);
    await Promise.all([...logins, ...late]);
    assert.deepEqual(await activeOf(ids), []);
  });

  it('of two administrators complete without deadlock, with concurrent session changes', async () => {
    const [one, two] = await Promise.all([administrator(), administrator()]);
    const { Search, ids } = await crowd(12);
    await Promise.all(ids.flatMap((id) => [1, 2, 3].map(() => admin.login({ id }))));
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, at) => [
        admin.post(BULK, one.Token, { Filter: { Search }, Change: { NewPasswordRequired: at % 2 === 0 } }),
        other.post(BULK, two.Token, {
          Filter: { Ids: ids.toReversed() },
          Change: { TwoFactorRequired: at % 2 === 0 },
        }),
        other.post('/admin/user-session', two.Token, { Filter: { Search }, Status: 1 + (at % 2) }),
        ...ids
          .slice(0, 3)
          .map((id) => admin.call('patch', `/admin/account/${id}`, one.Token, { IsDisabled: at % 2 === 0 })),
      ]).flat(),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => status !== 200),
      [],
    );
  });

  it('leave an administrator when several demote each other concurrently', async () => {
    for (let round = 0; round < 3; round += 1) {
      await query(admin.app.db, "update account set is_disabled = true where role = 'Admin'");
      const group = await Promise.all(Array.from({ length: 4 }, administrator));
      const answers = await Promise.all(
        group.map(({ Token }, at) => {
          const Ids = group.filter((_, of) => of !== at).map(({ id }) => id);
          return (at % 2 === 0 ? admin : other).post(BULK, Token, {
            Filter: { Ids },
            Change: { IsDisabled: true },
          });
        }),
      );
      const statuses = answers.map(({ status }) => status);
      assert.ok(statuses.includes(200) && statuses.every((status) => [200, 401, 403, 409].includes(status)));
      const left = await query(
        admin.app.db,
        "select id from account where role = 'Admin' and not is_disabled",
      );
      assert.equal(left.length, 1);
    }
  });
});
