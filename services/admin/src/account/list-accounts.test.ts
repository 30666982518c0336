import assert from 'node:assert/strict';
import { failuresFor, setFailures, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { loginThrottle, query, throttleKeyText, type ThrottleKey } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account';
const DAY_MS = 86_400_000;

describe('GET /admin/account', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const list = async (filter: Record<string, string>) =>
    (await admin.get(`${PATH}?${new URLSearchParams(filter).toString()}`, token).expect(200)).body;
  const ids = async (filter: Record<string, string>): Promise<string[]> =>
    (await list({ limit: '200', ...filter })).Items.map(({ Id }: { Id: string }) => Id);
  const faultOf = async (filter: Record<string, string>) => {
    const { body } = await admin.get(`${PATH}?${new URLSearchParams(filter).toString()}`, token).expect(400);
    return [body.errors[0].pointer, body.errors[0].code];
  };
  /** An account with these times of creation and last login, in milliseconds. */
  const madeAt = async (created: number, lastLogin?: number) => {
    const { id } = await admin.newAccount({ displayName: TAG });
    const time = Math.floor(created).toString(16).padStart(12, '0');
    const made = `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`;
    const moments = [made, new Date(created), lastLogin === undefined ? null : new Date(lastLogin), id];
    await query(
      admin.app.db,
      'update account set id = ?, created_at = ?, last_login_at = ? where id = ?',
      moments,
    );
    return made;
  };
  const TAG = `Tag ${newId()}`;

  it('finds an account by id, case-insensitively, on a single page', async () => {
    const { id } = await admin.newAccount();
    for (const search of [id, id.toUpperCase(), ` ${id} `]) {
      const { Items, NextCursor } = await list({ search });
      assert.deepEqual([Items.length, Items[0].Id, NextCursor], [1, id, undefined]);
    }
    assert.deepEqual(await ids({ search: id, role: 'Admin' }), []);
    assert.deepEqual(await ids({ search: newId() }), []);
  });

  it('finds an unknown id in names and emails', async () => {
    const word = newId();
    const { id } = await admin.newAccount({ email: `${word}@example.com` });
    assert.deepEqual(await ids({ search: word }), [id]);
  });

  it('filters by whether two-factor authentication is on', async () => {
    const displayName = `Factor ${newId()}`;
    const [plain, protectedOne] = [
      await admin.newAccount({ displayName }),
      await admin.newAccount({ displayName }),
    ];
    await switchOnTwoFactor(admin.app, protectedOne.id);
    assert.deepEqual(await ids({ search: displayName, hasTwoFactor: 'true' }), [protectedOne.id]);
    assert.deepEqual(await ids({ search: displayName, hasTwoFactor: 'false' }), [plain.id]);
    assert.deepEqual(await ids({ hasTwoFactor: 'true' }), [protectedOne.id]);
    assert.ok(!(await ids({ hasTwoFactor: 'false' })).includes(protectedOne.id));
  });

  it('filters by creation time', async () => {
    const noon = Date.parse('2024-05-06T12:00:00Z');
    const [early, exact, late] = [await madeAt(noon - 1), await madeAt(noon), await madeAt(noon + DAY_MS)];
    const at = (milliseconds: number) => new Date(milliseconds).toISOString();
    assert.deepEqual(await ids({ search: TAG, createdFrom: at(noon) }), [late, exact]);
    assert.deepEqual(await ids({ createdTo: at(noon) }), [early]);
    assert.deepEqual(await ids({ createdFrom: at(noon), createdTo: at(noon + DAY_MS) }), [exact]);
    assert.deepEqual(await ids({ createdFrom: '2024-05-06T14:00:00+02:00', createdTo: at(noon + 1) }), [
      exact,
    ]);
  });

  it('filters by last login, including accounts that never logged in', async () => {
    const since = Date.parse('2023-03-01T00:00:00Z');
    const dormant = await madeAt(since - 9 * DAY_MS, since - DAY_MS);
    const never = await madeAt(since - 8 * DAY_MS);
    await madeAt(since - 7 * DAY_MS, since + DAY_MS);
    await madeAt(since + DAY_MS);
    assert.deepEqual(await ids({ lastLoginBefore: new Date(since).toISOString() }), [never, dormant]);
  });

  it('filters by active throttling, of passwords or of second factors', async () => {
    const fail = async (key: ThrottleKey, wait: string) => {
      await setFailures(admin.app, key, 12);
      await query(
        admin.app.db,
        'update login_throttle set blocked_until = now() + cast(? as interval) where email_key = ?',
        [wait, throttleKeyText(key)],
      );
    };
    const [password, factor, over, once, elsewhere] = await Promise.all(
      Array.from({ length: 5 }, () => admin.newAccount()),
    );
    assert.ok(password && factor && over && once && elsewhere);
    await fail(failuresFor(password.email), '1 minute');
    await fail({ kind: 'second-factor', accountId: factor.id }, '1 minute');
    await fail(failuresFor(over.email), '-1 second');
    await loginThrottle.raise(admin.app.db, failuresFor(once.email), 10);
    await fail({ ...failuresFor(elsewhere.email), from: '192.0.2.1' }, '1 minute');
    await fail({ kind: 'user-name', hash: Buffer.from('no account') }, '1 minute');
    await query(
      admin.app.db,
      "insert into login_throttle (email_key, blocked_until) values ('{', now() + '1h')",
    );
    const waiting = [password.id, factor.id].toSorted().toReversed();
    assert.deepEqual(await ids({ isThrottled: 'true' }), waiting);
    assert.deepEqual(await ids({ isThrottled: 'true', email: password.email }), [password.id]);
    const others = await ids({ isThrottled: 'false' });
    assert.deepEqual(
      [password, factor, over, once, elsewhere].map(({ id }) => others.includes(id)),
      [false, false, true, true, true],
    );
  });

  it('returns accounts by ids in their order, each once, without unknown ones', async () => {
    const created = await Promise.all(Array.from({ length: 60 }, () => admin.newAccount()));
    const wanted = created
      .map(({ id }) => id)
      .toSorted((one, other) => (one.slice(-4) < other.slice(-4) ? -1 : 1));
    const asked = [newId(), ...wanted, wanted[3]?.toUpperCase() ?? ''].join(',');
    const { Items, NextCursor } = await list({ ids: asked });
    assert.deepEqual(
      Items.map(({ Id }: { Id: string }) => Id),
      wanted,
    );
    assert.equal(NextCursor, undefined);
    assert.deepEqual(await faultOf({ ids: `${newId()},x` }), ['/query/ids', 'not_a_uuid']);
    assert.deepEqual(await faultOf({ ids: '' }), ['/query/ids', 'too_short']);
    assert.deepEqual(await faultOf({ ids: Array.from({ length: 101 }, () => 'a').join(',') }), [
      '/query/ids',
      'not_a_uuid',
    ]);
    assert.deepEqual(await faultOf({ ids: Array.from({ length: 101 }, () => newId()).join(',') }), [
      '/query/ids',
      'too_long',
    ]);
    assert.deepEqual(await faultOf({ ids: newId(), role: 'User' }), ['/query/ids', 'does_not_go_with']);
  });

  it('refuses invalid dates', async () => {
    for (const name of ['createdFrom', 'createdTo', 'lastLoginBefore']) {
      assert.deepEqual(await faultOf({ [name]: '2016-12-31T23:59:60Z' }), [
        `/query/${name}`,
        'not_a_date_time',
      ]);
      assert.deepEqual(await faultOf({ [name]: 'yesterday' }), [`/query/${name}`, 'not_a_date_time']);
    }
  });

  it('pages through all accounts with each filter', async () => {
    for (const filter of [
      { hasTwoFactor: 'false' },
      { createdFrom: '2024-01-01T00:00:00Z' },
      { lastLoginBefore: new Date(Date.now() + DAY_MS).toISOString() },
      { isThrottled: 'false' },
    ]) {
      const all = await ids({ ...filter, limit: '200' });
      assert.ok(all.length > 7);
      const paged: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ ...filter, limit: '7', ...(cursor !== undefined && { cursor }) });
        paged.push(...page.Items.map(({ Id }: { Id: string }) => Id));
        cursor = page.NextCursor;
      } while (cursor !== undefined);
      assert.deepEqual(paged, all, JSON.stringify(filter));
    }
  });
});
