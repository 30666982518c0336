import assert from 'node:assert/strict';
import { conditionOf, loginStatusOf } from '@gatehouse/accounts';
import { PASSWORD, someEmail, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { accounts, query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account';

describe('GET /admin/account', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(() => admin.stop());

  const add = async (given: object = {}) =>
    (await admin.post(PATH, token, { Email: someEmail(), ...given }).expect(201)).body;
  const list = async (filter: string): Promise<{ Id: string; LoginStatus?: number }[]> =>
    (await admin.get(`${PATH}?limit=200&${filter}`, token).expect(200)).body.Items;
  const ids = async (filter: string) => (await list(filter)).map(({ Id }) => Id);

  it('finds one account by its full email, in any spelling', async () => {
    const name = `exactly.${newId()}`;
    const { body } = await admin.post(PATH, token, { Email: `${name}@bücher.example` }).expect(201);
    for (const email of [`${name}@xn--bcher-kva.example`, `${name.toUpperCase()}@BÜCHER.example`]) {
      assert.deepEqual(await ids(`email=${encodeURIComponent(email)}`), [body.Id]);
    }
    assert.deepEqual(await ids(`email=${name}@example.com`), []);
    assert.deepEqual(await ids(`email=${name}@xn--bcher-kva.example&role=Admin`), []);
    assert.deepEqual(await ids(`email=${name}@xn--bcher-kva.example&search=${name}`), [body.Id]);
  });

  it('filters by passkey', async () => {
    const tag = `keys${newId().slice(-8)}`;
    const [none, one] = [await add({ DisplayName: tag }), await add({ DisplayName: tag })];
    await query(
      admin.app.db,
      `insert into passkey (id, account_id, credential_id, public_key, algorithm, is_backup_eligible, is_backed_up, name)
       values (gen_random_uuid(), ?, decode(md5(random()::text), 'hex'), '', -7, true, true, 'Key')`,
      [one.Id],
    );
    assert.deepEqual(await ids(`search=${tag}&hasPasskey=true`), [one.Id]);
    assert.ok((await ids('hasPasskey=true')).includes(one.Id));
    assert.deepEqual(await ids(`search=${tag}&hasPasskey=false`), [none.Id]);
    const bulk = { Filter: { Search: tag, HasPasskey: true }, Change: { IsDisabled: true }, DryRun: true };
    assert.deepEqual((await admin.post(`${PATH}/bulk`, token, bulk).expect(200)).body.Ids, [one.Id]);
    const { body } = await admin.get(`${PATH}/${one.Id}`, token).expect(200);
    assert.equal(body.HasPasskey, true);
  });

  it('filters by password', async () => {
    const tag = `word${newId().slice(-8)}`;
    const [none, one] = [
      await add({ DisplayName: tag }),
      await add({ DisplayName: tag, Password: PASSWORD }),
    ];
    assert.deepEqual([none.HasPassword, one.HasPassword], [false, true]);
    assert.deepEqual(await ids(`search=${tag}&hasPassword=true`), [one.Id]);
    assert.deepEqual(await ids(`search=${tag}&hasPassword=false`), [none.Id]);
    assert.ok((await ids('hasPassword=false')).includes(none.Id));
    const bulk = { Filter: { Search: tag, HasPassword: false }, Change: { IsDisabled: true }, DryRun: true };
    assert.deepEqual((await admin.post(`${PATH}/bulk`, token, bulk).expect(200)).body.Ids, [none.Id]);
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
    await admin.get(`${PATH}?search=`, token).expect(400);
    await admin.get(`${PATH}?search=${'x'.repeat(255)}`, token).expect(400);
    await admin.get(`${PATH}?search=%00`, token).expect(400);
  });

  it('lists newest first, paged, within the filters', async () => {
    const tag = newId().slice(-10);
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      made.unshift((await add({ DisplayName: `Page ${tag}`, Role: index === 0 ? 'Admin' : 'User' })).Id);
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await admin.get(`${PATH}?search=${tag}&limit=2${cursor}`, token).expect(200);
      seen.push(...body.Items.map(({ Id }: { Id: string }) => Id));
      cursor = body.NextCursor === undefined ? '' : `&cursor=${body.NextCursor}`;
    } while (cursor !== '');
    assert.deepEqual(seen, made);
    assert.deepEqual(await ids(`search=${tag}&role=Admin`), made.slice(-1));
    assert.deepEqual(await ids(`search=${tag}&role=aDMIN`), made.slice(-1));
    assert.deepEqual(await ids(`search=${tag}&role=User&loginStatus=5`), made.slice(0, -1));
    for (const wrong of [
      'role=Service',
      'role=administrator',
      'Role=Admin',
      'email=x',
      'userId=x',
      'email=a@b.example&email=c@d.example',
      'loginStatus=0',
      'loginStatus=10',
      'loginStatus=x',
      'limit=201',
      'cursor=x',
    ]) {
      await admin.get(`${PATH}?${wrong}`, token).expect(400);
    }
  });

  it('lists every account under exactly one login status', async () => {
    // Every combination of the relevant fields.
    const rows = await query<{ id: string }>(
      admin.app.db,
      `insert into account (id, email, email_key, signup, is_disabled, expires_at, email_verified_at,
         new_password_required, two_factor_required, display_name)
       select gen_random_uuid(), 'p' || n || '@all.example', 'p' || n || '@all.example',
         (array['complete', 'new', 'migration', 'invitation'])[n % 4 + 1], n / 4 % 2 = 1,
         case n / 8 % 3 when 1 then now() - interval '1 second' when 2 then now() + interval '1 hour' end,
         case when n / 24 % 2 = 1 then now() end, n / 48 % 2 = 1, n / 96 % 2 = 1, 'Every State'
       from generate_series(0, 383) n
       returning id`,
    );
    await query(
      admin.app.db,
      `insert into two_factor (account_id, secret_sealed, password_version, enabled_at)
       select id, '', 0, case when substr(email, 2, 1) = '1' then null else now() end
       from account where display_name = 'Every State' and split_part(substr(email, 2), '@', 1)::int >= 192`,
    );
    const statuses = new Map<string, number | undefined>();
    for (const { id } of rows) {
      const account = await accounts.findById(admin.app.db, id);
      assert.ok(account);
      const condition = conditionOf(account);
      statuses.set(id, loginStatusOf(account));
      if (condition !== undefined) assert.equal(statuses.get(id), condition);
    }
    for (let status = 1; status <= 9; status += 1) {
      const shown: { Id: string; LoginStatus?: number }[] = [];
      let cursor = '';
      do {
        const { body } = await admin
          .get(`${PATH}?search=every+state&limit=200&loginStatus=${status}${cursor}`, token)
          .expect(200);
        shown.push(...body.Items);
        cursor = body.NextCursor === undefined ? '' : `&cursor=${body.NextCursor}`;
      } while (cursor !== '');
      const expected = rows.map(({ id }) => id).filter((id) => statuses.get(id) === status);
      assert.ok(expected.length > 0, `status ${status} is reached`);
      assert.deepEqual(new Set(shown.map(({ Id }) => Id)), new Set(expected));
      for (const account of shown) assert.equal(account.LoginStatus, status);
    }
    assert.deepEqual(
      await ids('loginStatus=isdisabled&search=every+state'),
      await ids('loginStatus=3&search=every+state'),
    );
  });

  it('shows an enabled second factor', async () => {
    const { Id } = await add({ Password: PASSWORD });
    await switchOnTwoFactor(admin.app, Id);
    const { body } = await admin.get(`${PATH}/${Id}`, token).expect(200);
    assert.deepEqual([body.TwoFactorEnabled, body.TwoFactorRequired, body.LoginStatus], [true, false, 2]);
    assert.deepEqual(await ids('loginStatus=TwoFactorCodeRequired&search=person'), [Id]);
  });
});
