import assert from 'node:assert/strict';
import { conditionOf, loginStatusOf } from '@gatehouse/accounts';
import {
  PASSWORD,
  atOnce,
  failuresFor,
  setFailures,
  someEmail,
  switchOnTwoFactor,
} from '@gatehouse/accounts/testing';
import { type ThrottleKey, accounts, loginThrottle, throttleKeyText } from '@gatehouse/db';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast, refusesEach } from '../testing/cast.ts';

const PATH = '/admin/account';
const HOUR_MS = 3_600_000;

describe('GET /admin/account', () => {
  const { addPasskey, app, boss, member, sql } = cast({});

  const add = async (given: object = {}) =>
    (await boss.post(PATH, { Email: someEmail(), ...given }).expect(201)).body;
  const list = async (filter: string): Promise<{ Id: string; LoginStatus?: number }[]> =>
    (await boss.read(`${PATH}?limit=200&${filter}`)).Items;
  const ids = async (filter: string) => (await list(filter)).map(({ Id }) => Id);

  it('finds one account by its full email, in any spelling', async () => {
    const name = `exactly.${newId()}`;
    const { body } = await boss.post(PATH, { Email: `${name}@bücher.example` }).expect(201);
    for (const email of [`${name}@xn--bcher-kva.example`, `${name.toUpperCase()}@BÜCHER.example`])
      assert.deepEqual(await ids(`email=${encodeURIComponent(email)}`), [body.Id]);
    assert.deepEqual(await ids(`email=${name}@example.com`), []);
    assert.deepEqual(await ids(`email=${name}@xn--bcher-kva.example&role=Admin`), []);
    assert.deepEqual(await ids(`email=${name}@xn--bcher-kva.example&search=${name}`), [body.Id]);
  });

  for (const [name, shown, given, give] of [
    ['hasPasskey', 'HasPasskey', {}, addPasskey],
    ['hasPassword', 'HasPassword', { Password: PASSWORD }, async () => {}],
    [
      'hasTwoFactor',
      'TwoFactorEnabled',
      { Password: PASSWORD },
      (id: string) => switchOnTwoFactor(app(), id),
    ],
  ] as const)
    it(`filters by ${name}`, async () => {
      const DisplayName = `${name}${newId().slice(-8)}`;
      const [none, one] = [await add({ DisplayName }), await add({ DisplayName, ...given })];
      await give(one.Id);
      assert.deepEqual(await ids(`search=${DisplayName}&${name}=true`), [one.Id]);
      assert.deepEqual(await ids(`search=${DisplayName}&${name}=false`), [none.Id]);
      assert.ok((await ids(`${name}=true`)).includes(one.Id));
      assert.ok((await ids(`${name}=false`)).includes(none.Id));
      const Filter = { Search: DisplayName, [name.replace('has', 'Has')]: true };
      const bulk = { Filter, Change: { IsDisabled: true }, DryRun: true };
      assert.deepEqual((await boss.post(`${PATH}/bulk`, bulk).expect(200)).body.Ids, [one.Id]);
      assert.deepEqual([none[shown], (await boss.read(`${PATH}/${one.Id}`))[shown]], [false, true]);
    });

  it('finds accounts by any part of email and name, literally', async () => {
    const tag = newId().slice(-8);
    const one = await add({ Email: `anna_${tag}@example.com`, DisplayName: 'Ännchen von Tharau' });
    const other = await add({ Email: `annab${tag}@example.com`, DisplayName: '100% \\o/' });
    assert.deepEqual(await ids(`search=${tag}`), [other.Id, one.Id]);
    assert.deepEqual(await ids(`search=NNA_${tag.toUpperCase()}`), [one.Id]);
    assert.deepEqual(await ids(`search=${encodeURIComponent('äNNCHEN')}`), [one.Id]);
    assert.deepEqual(await ids(`search=${encodeURIComponent('0% \\O')}`), [other.Id]);
    assert.deepEqual(await ids(`search=${encodeURIComponent('%%%')}`), []);
    assert.deepEqual(await ids('search=%5C%5C%5C'), []);
    // Fewer than three letters or digits match only the start of the email or of a word of the name.
    assert.deepEqual(await ids(`search=${encodeURIComponent('Vö')}`), [one.Id]);
    assert.deepEqual(await ids('search=th'), [one.Id]);
    assert.deepEqual(await ids('search=_'), [one.Id]);
  });

  it('lists every account under exactly one login status', async () => {
    const rows = await sql<{
      id: string;
    }>(`insert into account (id, email, email_key, signup, is_disabled, expires_at, email_verified_at,
         new_password_required, two_factor_required, display_name)
       select gen_random_uuid(), 'p' || n || '@all.example', 'p' || n || '@all.example',
         (array['complete', 'new', 'migration', 'invitation'])[n % 4 + 1], n / 4 % 2 = 1,
         case n / 8 % 3 when 1 then now() - interval '1 second' when 2 then now() + interval '1 hour' end,
         case when n / 24 % 2 = 1 then now() end, n / 48 % 2 = 1, n / 96 % 2 = 1, 'Every State'
       from generate_series(0, 383) n
       returning id`);
    await sql(`insert into two_factor (account_id, secret_sealed, password_version, enabled_at)
       select id, '', 0, case when substr(email, 2, 1) = '1' then null else now() end
       from account where display_name = 'Every State' and split_part(substr(email, 2), '@', 1)::int >= 192`);
    const statuses = new Map<string, number | undefined>();
    for (const { id } of rows) {
      const account = await accounts.findById(app().db, id);
      assert.ok(account);
      const condition = conditionOf(account);
      statuses.set(id, loginStatusOf(account));
      if (condition !== undefined) assert.equal(statuses.get(id), condition);
    }
    for (let status = 1; status <= 9; status += 1) {
      const filter = `search=every+state&loginStatus=${status}`;
      const shown = (await boss.pages(`${PATH}?limit=40&${filter}`)).flat();
      const expected = rows.map(({ id }) => id).filter((id) => statuses.get(id) === status);
      assert.ok(expected.length > 0, `status ${status} is reached`);
      assert.deepEqual(new Set(shown), new Set(expected));
      for (const account of await list(filter)) assert.equal(account.LoginStatus, status);
    }
  });

  const textOf = (filter: Record<string, string>) => new URLSearchParams(filter).toString();
  const found = (filter: Record<string, string>) => ids(textOf(filter));
  it('finds an account by id, case-insensitively, on a single page', async () => {
    const { id } = await member();
    for (const search of [id, id.toUpperCase(), ` ${id} `]) {
      const { Items, NextCursor } = await boss.read(`${PATH}?${textOf({ search })}`);
      assert.deepEqual([Items.length, Items[0].Id, NextCursor], [1, id, undefined]);
    }
    assert.deepEqual(await found({ search: id, role: 'Admin' }), []);
    assert.deepEqual(await found({ search: newId() }), []);
    const word = newId();
    const named = await member({ email: `${word}@example.com` });
    assert.deepEqual(await found({ search: word }), [named.id]);
  });

  it('filters by creation and last login, including accounts that never logged in', async () => {
    const search = `Dormant ${newId()}`;
    const made = await atOnce(4, () => member({ displayName: search }));
    const [dormant, never, active, young] = made;
    assert.ok(dormant && never && active && young);
    await dormant.set('last_login_at = now()');
    await active.set("last_login_at = now() + interval '2 hours'");
    await young.set("created_at = now() + interval '2 hours'");
    const [earlier, later] = [-HOUR_MS, HOUR_MS].map((ms) => new Date(Date.now() + ms).toISOString());
    for (const [filter, expected] of [
      [{ lastLoginBefore: later }, [dormant, never]],
      [{ createdFrom: earlier }, made],
      [{ createdTo: later }, [dormant, never, active]],
      [{ createdTo: earlier }, []],
    ] as [Record<string, string>, typeof made][])
      assert.deepEqual(new Set(await found({ search, ...filter })), new Set(fieldsOf(expected, 'id')));
  });

  it('filters by active throttling, of passwords or of second factors', async () => {
    const fail = async (key: ThrottleKey, wait: string) => {
      await setFailures(app(), key, 12);
      const statement =
        'update login_throttle set blocked_until = now() + cast(? as interval) where email_key = ?';
      await sql(statement, [wait, throttleKeyText(key)]);
    };
    const displayName = `Throttled ${newId()}`;
    const [password, factor, over, once, elsewhere] = await atOnce(5, () => member({ displayName }));
    assert.ok(password && factor && over && once && elsewhere);
    await fail(failuresFor(password.email), '1 minute');
    await fail({ kind: 'second-factor', accountId: factor.id }, '1 minute');
    await fail(failuresFor(over.email), '-1 second');
    await loginThrottle.raise(app().db, failuresFor(once.email), 10);
    await fail({ ...failuresFor(elsewhere.email), from: '192.0.2.1' }, '1 minute');
    await fail({ kind: 'user-name', hash: Buffer.from('no account') }, '1 minute');
    await sql("insert into login_throttle (email_key, blocked_until) values ('{', now() + '1h')");
    const waiting = [password.id, factor.id].toSorted().toReversed();
    assert.deepEqual(await found({ isThrottled: 'true' }), waiting);
    assert.deepEqual(await found({ isThrottled: 'true', email: password.email }), [password.id]);
    const others = await found({ isThrottled: 'false', search: displayName });
    const shown = [password, factor, over, once, elsewhere].map(({ id }) => others.includes(id));
    assert.deepEqual(shown, [false, false, true, true, true]);
  });

  it('returns accounts by ids in their order, each once, without unknown ones', async () => {
    const created = await atOnce(60, () => member());
    const wanted = created
      .map(({ id }) => id)
      .toSorted((one, other) => one.slice(-4).localeCompare(other.slice(-4)));
    const asked = [newId(), ...wanted, wanted[3]?.toUpperCase() ?? ''].join(',');
    const { Items, NextCursor } = await boss.read(`${PATH}?ids=${asked}`);
    assert.deepEqual([fieldsOf(Items, 'Id'), NextCursor], [wanted, undefined]);
    await refusesEach(
      (filter: Record<string, string>) => boss.get(`${PATH}?${textOf(filter)}`),
      [
        [{ ids: Array.from({ length: 101 }, () => newId()).join(',') }, '/query/ids'],
        [{ ids: newId(), role: 'User' }, '/query/ids'],
      ],
    );
  });
});
