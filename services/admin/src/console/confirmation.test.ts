import assert from 'node:assert/strict';
import { atOnce, PASSWORD, someEmail, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { cast, problem, type Browser } from '../testing/cast.ts';

const WAITING = `signup = 'new', password_hash = null, password_scheme = null`;
const BULK = '/admin/account/bulk';
const SEVERAL = { SINGLE_SESSION: false };
const BAN = { IsDisabled: true, DisabledUntil: '2999-01-01T00:00:00Z' };

type Role = 'User' | 'Admin';
type Dangerous = readonly (readonly [what: string, request: () => Promise<Request>])[];
type Request = readonly [method: 'post' | 'patch' | 'delete', path: string, body?: object];

describe('dangerous actions', () => {
  const { administrator, app, boss, call, login, member, newContent, newToken, openConsole, sql } =
    cast(SEVERAL);
  let browser: Browser;
  let restricted: { Token: string };
  before(async () => {
    browser = await openConsole(boss.email);
    restricted = await newToken({ role: 'Admin', expiresAt: new Date(Date.now() + 3_600_000) });
  });
  beforeEach(async () => {
    await sql(`update session_confirmation set confirmed_at = now() - interval '301 seconds'`);
    await sql(`update user_session set authenticated_at = now() - interval '301 seconds'`);
  });

  const confirm = () => browser.confirm().expect(204);
  const isRefused = (request: ReturnType<Browser['post']>) =>
    request.expect(problem('confirmation_required'));
  const newSessionOf = async (role: Role) => (await login(await member({ role }))).sessionId;
  const newAccount = async (role: Role, columns = 'locale = locale') => {
    const person = await member({ role });
    await person.set(columns);
    return { ...person, path: `/admin/account/${person.id}` };
  };
  const creating = (more: object) => async () =>
    ['post', '/admin/account', { Email: someEmail(), ...more }] as const;
  const patching = (role: Role, change: object, columns?: string) => async () =>
    ['patch', (await newAccount(role, columns)).path, change] as const;
  const posting =
    (role: Role, verb: string, body: object = {}, columns?: string) =>
    async () =>
      ['post', `${(await newAccount(role, columns)).path}/${verb}`, body] as const;
  const movingTo = (role: Role, more: object = {}) =>
    posting(role, 'change-email', { Email: someEmail(), ...more });
  const inBulk = (path: string, more: object, columns?: string) => async () =>
    ['post', path, { Filter: { Ids: [(await newAccount('Admin', columns)).id] }, ...more }] as const;

  /** What a restricted token may not do at all, since it would outlast the token. */
  const lasting: Dangerous = [
    ['making an administrator of an account', patching('User', { Role: 'Admin' })],
    ['creating an account of an administrator', creating({ Role: 'Admin' })],
    ['renaming an administrator', patching('Admin', { DisplayName: 'Somebody' })],
    ['inviting an administrator to complete the account', posting('Admin', 'invite', {}, WAITING)],
    ['inviting one administrator in bulk', inBulk(`${BULK}/invite`, {}, WAITING)],
    ['mailing a reset code to an administrator', posting('Admin', 'reset-password')],
    ['enabling an account', patching('User', { IsDisabled: false }, 'is_disabled = true')],
    ['changing an email without the owner', movingTo('User', { Force: true })],
    ['requesting another email for an administrator', movingTo('Admin')],
    ['giving a group', patching('User', { Groups: ['a', 'b'] }, `groups = '{a}'`)],
    ['creating an account with groups', creating({ Groups: ['a'] })],
    ['making a service account of a user', patching('User', { IsService: true })],
    [
      'making an ended session active again',
      async () => {
        const SessionId = await newSessionOf('User');
        await boss.post('/admin/user-session', { SessionId, Status: 4 }).expect(200);
        return ['post', '/admin/user-session', { SessionId, Status: 1 }];
      },
    ],
    ['enabling accounts in bulk', inBulk(BULK, { Change: { IsDisabled: false } }, 'is_disabled = true')],
    ['creating a service account', creating({ IsService: true, Password: PASSWORD })],
  ];
  const dangerous: Dangerous = [
    ['disabling an administrator', patching('Admin', { IsDisabled: true })],
    ['disabling one administrator in bulk', inBulk(BULK, { Change: { IsDisabled: true } })],
    ['demoting an administrator', patching('Admin', { Role: 'User' })],
    ['letting an administrator’s account expire', patching('Admin', { ExpiresAt: '2099-01-01T00:00:00Z' })],
    ['clearing the failed logins of an administrator', posting('Admin', 'unlock')],
    ['disabling an account for less time', patching('User', BAN, 'is_disabled = true')],
    [
      'no longer requiring a second factor',
      patching('User', { TwoFactorRequired: false }, 'two_factor_required = true'),
    ],
    [
      'no longer requiring a new password',
      patching('User', { NewPasswordRequired: false }, 'new_password_required = true'),
    ],
    [
      'letting an account expire later',
      patching('User', { ExpiresAt: null }, `expires_at = now() + interval '1 day'`),
    ],
    [
      'ending a session of an administrator',
      async () => ['post', '/admin/user-session', { SessionId: await newSessionOf('Admin'), Status: 4 }],
    ],
  ];
  const onlyAfterConfirmation = async ([method, path, body]: Request) => {
    const send = () => (method === 'delete' ? browser.delete(path) : browser[method](path, body ?? {}));
    await isRefused(send());
    await confirm();
    const { status } = await send();
    assert.ok(status < 300, String(status));
  };
  for (const [what, request] of dangerous)
    it(`include ${what}: in a browser only after confirmation`, async () =>
      onlyAfterConfirmation(await request()));
  for (const [what, request] of lasting)
    it(`include ${what}, which no restricted token leaves behind`, async () => {
      const made = await request();
      const [method, path, body] = made;
      await call(method, path, restricted, body).expect(problem('forbidden'));
      await onlyAfterConfirmation(made);
    });

  it('need no confirmation with a token, whose daily work a restricted one does', async () => {
    const given = { Email: someEmail(), Password: PASSWORD };
    await call('post', '/admin/account', restricted, given).expect(201);
    const Ids = (await atOnce(51, () => member())).map(({ id }) => id);
    const bulk = { Filter: { Ids }, Change: { IsDisabled: true } };
    assert.equal((await call('post', BULK, restricted, bulk).expect(200)).body.Count, 51);
    await boss.patch((await newAccount('User')).path, { Role: 'Admin' }).expect(200);
  });

  for (const change of [
    { IsDisabled: true },
    { ...BAN, Reason: 'spam', TellReason: true },
    { Locale: 'de' },
    { TwoFactorRequired: true },
    { NewPasswordRequired: true },
    { ExpiresAt: '2099-01-01T00:00:00Z' },
    { DisplayName: 'Ben' },
    { Groups: [] },
    { IsDisabled: false, TwoFactorRequired: false, ExpiresAt: null },
  ])
    it(`do not include ${JSON.stringify(change)} for one user`, async () => {
      await browser.patch((await newAccount('User')).path, change).expect(200);
    });

  it('never remove one’s own second factor, with or without confirmation', async () => {
    const ann = await administrator();
    await switchOnTwoFactor(app(), ann.id);
    const path = `/admin/account/${ann.id}`;
    for (const factor of ['two-factor', `passkey/${newId()}`])
      await ann.delete(`${path}/${factor}`).expect(problem('own_account'));
    assert.equal((await ann.read(path)).TwoFactorEnabled, true);
  });

  /** A change of fifty-one, and how many of them are still as they were. */
  const large: Record<string, () => Promise<readonly [string, object, () => Promise<number>]>> = {
    'end many sessions': async () => {
      const ben = await member();
      for (let session = 0; session < 51; session += 1) await ben.logsIn();
      const left = async () => (await ben.sessions()).length;
      return ['/admin/user-session', { UserId: ben.id, Status: 4 }, left];
    },
    'delete many invitations': async () => {
      const content = await newContent();
      const path = `/admin/content-definition/${content}`;
      await boss.post(`${path}/invite`, { Emails: Array.from({ length: 51 }, someEmail) }).expect(200);
      const left = async () => (await boss.read(`${path}/member?count=true`)).Count;
      const change = { Filter: { ContentDefinitionId: content }, Change: 'delete' };
      return ['/admin/invitation/bulk', change, left];
    },
    'invite many owners': async () => {
      const domain = `${newId()}.example`;
      await sql(`insert into account (id, email, email_key, role, signup)
         select gen_random_uuid(), n || '@${domain}', n || '@${domain}', 'User', 'new' from generate_series(1, 51) n`);
      const waiting = `select id from account a where email like '%@${domain}'
         and not exists (select from account_code where account_id = a.id)`;
      const left = async () => (await sql(waiting)).length;
      return [`${BULK}/invite`, { Filter: { Search: domain } }, left];
    },
    'change many accounts': async () => {
      const Search = 'Fifty-one of us';
      await atOnce(51, () => member({ displayName: Search }));
      const unchanged = 'select id from account where not two_factor_required and display_name = ?';
      const left = async () => (await sql(unchanged, [Search])).length;
      return [BULK, { Filter: { Search }, Change: { TwoFactorRequired: true } }, left];
    },
  };
  for (const [what, prepare] of Object.entries(large))
    it(`${what} only after confirmation with the right password`, async () => {
      const [path, change, left] = await prepare();
      assert.equal((await browser.post(path, { ...change, DryRun: true }).expect(200)).body.Count, 51);
      await isRefused(browser.post(path, change));
      await browser.confirm({ Password: 'wrong horse battery' }).expect(problem('wrong_password'));
      await isRefused(browser.post(path, change));
      assert.equal(await left(), 51);
      await confirm();
      assert.equal((await browser.post(path, change).expect(200)).body.Count, 51);
      assert.equal(await left(), 0);
    });

  it('import accounts in a browser only after confirmation, except for a dry run', async () => {
    const send = (search?: string) => browser.imports([{ Email: someEmail(), Role: 'Admin' }], search);
    assert.equal((await send('?dryRun=true').expect(200)).body.Imported, 1);
    await isRefused(send());
    const asRestricted = (search = '') =>
      call('post', `/admin/account/import${search}`, restricted)
        .set('content-type', 'application/x-ndjson')
        .send(JSON.stringify({ Email: someEmail() }));
    await asRestricted().expect(problem('forbidden'));
    await asRestricted('?dryRun=true').expect(200);
    await confirm();
    assert.equal((await send().expect(200)).body.Imported, 1);
  });
});
