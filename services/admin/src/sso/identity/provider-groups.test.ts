import assert from 'node:assert/strict';
import { newClient, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { personClaims, startSso } from '../testing/browser.ts';

describe('the groups of an account that a provider names', () => {
  let sso: Awaited<ReturnType<typeof startSso>>;
  before(async () => {
    const providers = {
      corp: { provisioning: 'jit', claims: { groups: 'roles' } },
      silent: { provisioning: 'jit' },
    };
    sso = await startSso(providers, { SINGLE_SESSION: false });
  });
  after(() => sso.stop());

  const groupsOf = async (email: string): Promise<{ id: string; groups: string[] } | undefined> => {
    const [row] = await query<{ id: string; groups: string[] }>(
      sso.admin.app.db,
      'select id, groups from account where email = ?',
      [email],
    );
    return row;
  };
  const signOn = async (provider: string, claims: Record<string, unknown>) => {
    const { parameters } = await sso.signOn(provider, claims);
    assert.equal(parameters['error'], undefined);
  };
  const audited = (id: string) =>
    query<{ details: object }>(
      sso.admin.app.db,
      `select details from audit where target_id = ? and action = 'account.changed' order by id`,
      [id],
    );

  it('are set at the first sign-on and replaced at each, which is audited where it changes something', async () => {
    const claims = personClaims(someEmail());
    await signOn('corp', { ...claims, roles: ['staff', 'board', 'staff'] });
    const first = await groupsOf(claims.email);
    assert.deepEqual(first?.groups, ['board', 'staff']);
    await signOn('corp', { ...claims, roles: ['staff', 'board'] });
    await signOn('corp', { ...claims, roles: 'staff' });
    assert.deepEqual((await groupsOf(claims.email))?.groups, ['staff']);
    await signOn('corp', claims);
    assert.deepEqual((await groupsOf(claims.email))?.groups, []);
    assert.deepEqual(
      (await audited(first?.id ?? '')).map(({ details }) => details),
      [['board', 'staff'], ['staff'], []].map((Groups) => ({ Groups, Provider: 'corp' })),
    );
  });

  it('are left alone by a provider whose settings name no claim', async () => {
    const person = await sso.admin.newAccount();
    await query(sso.admin.app.db, `update account set groups = '{staff}' where id = ?`, [person.id]);
    await signOn('silent', { ...personClaims(person.email), roles: ['board'] });
    assert.deepEqual((await groupsOf(person.email))?.groups, ['staff']);
  });

  it('are the valid ones, fifty at most', async () => {
    const claims = personClaims(someEmail());
    const many = Array.from({ length: 60 }, (_, at) => `group-${String(at).padStart(2, '0')}`);
    await signOn('corp', {
      ...claims,
      roles: [7, null, '', 'with space', 'x'.repeat(65), ['a'], {}, ...many],
    });
    assert.deepEqual((await groupsOf(claims.email))?.groups, many.slice(0, 50));
    await signOn('corp', { ...claims, roles: { staff: true } });
    assert.deepEqual((await groupsOf(claims.email))?.groups, []);
  });

  it('sign their owner out of the applications that require one that is lost', async () => {
    const claims = personClaims(someEmail());
    await signOn('corp', { ...claims, roles: ['staff'] });
    const account = await groupsOf(claims.email);
    const client = await newClient(sso.admin.app, { groups: ['staff'] });
    await query(
      sso.admin.app.db,
      `insert into client_session (id, client_id, account_id, session_id, scopes, refresh_current, refresh_next)
       select :id, :clientId, account_id, id, '{openid}', '', ''
       from user_session where account_id = :accountId and ended_at is null`,
      { id: newId(), clientId: client.id, accountId: account?.id ?? '' },
    );
    const count = async () =>
      (await query(sso.admin.app.db, 'select 1 from client_session where client_id = ?', [client.id])).length;
    await signOn('corp', { ...claims, roles: ['staff', 'board'] });
    assert.equal(await count(), 1);
    await signOn('corp', { ...claims, roles: ['board'] });
    assert.equal(await count(), 0);
  });
});
