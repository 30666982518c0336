import assert from 'node:assert/strict';
import {
  PASSWORD,
  readAudit,
  someEmail,
  whileAuditFails,
  type AccountRef,
} from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account';

describe('what PATCH /admin/account/{id} changes', () => {
  let admin: TestAdmin;
  let other: TestAdmin;
  let me: AccountRef;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    // Another process of the same installation, where changes must take effect too.
    other = await startAdmin({}, admin);
    me = await admin.newAccount({ role: 'Admin' });
    token = (await admin.login(me)).Token;
  });
  after(async () => {
    await other.stop();
    await admin.stop();
  });

  const patch = (id: string, change: object, who = token) =>
    admin.call('patch', `${PATH}/${id}`, who, change);
  /** The result of a token in another process: the role, or why it is refused. */
  const standing = async (bearer: string) => {
    const found = await other.app.auth.authenticate(`Bearer ${bearer}`);
    return found.kind === 'refused' ? found.code : found.role;
  };
  const someone = async () => {
    const person = await admin.newAccount();
    const session = await admin.login(person);
    assert.equal(await standing(session.Token), 'User');
    return { ...person, ...session };
  };

  it('changes only the given fields, never the email or the password', async () => {
    const { id, email, Token } = await someone();
    await patch(id, { DisplayName: 'Ann', TwoFactorRequired: false }).expect(200);
    const before = await accounts.findById(admin.app.db, id);
    const { body } = await patch(id, {}).expect(200);
    assert.deepEqual([body.Id, body.Email, body.DisplayName], [id, email, 'Ann']);
    const others = { Password: PASSWORD, Email: someEmail(), Id: newId(), isDisabled: true };
    for (const [name, value] of Object.entries(others)) {
      const { body: problem } = await patch(id, { [name]: value, DisplayName: 'Bob' }).expect(400);
      const message = 'is not a known field';
      assert.deepEqual(problem.errors, [{ pointer: `/${name}`, message, code: 'unknown_field' }]);
    }
    assert.deepEqual(await accounts.findById(admin.app.db, id), before);
    assert.equal(await standing(Token), 'User');
    const { entries } = await readAudit(admin.app, { targetId: id });
    assert.deepEqual(
      entries.map(({ action, details }) => [action, details]),
      [['account.changed', { DisplayName: 'changed' }]],
    );
  });

  it('records what was changed and by whom', async () => {
    const { id } = await someone();
    await patch(id, { IsDisabled: true, Role: 'Admin', ExpiresAt: '2999-01-01T00:00:00Z' }).expect(200);
    await patch(id, { IsDisabled: true }).expect(200);
    await patch(id, { ExpiresAt: null, NewPasswordRequired: true, TwoFactorRequired: true }).expect(200);
    const { entries } = await readAudit(admin.app, { targetId: id });
    assert.deepEqual(
      entries.map(({ action, actorId, details }) => [action, actorId, details]),
      [
        ['account.changed', me.id, { ExpiresAt: null, NewPasswordRequired: true, TwoFactorRequired: true }],
        [
          'account.changed',
          me.id,
          { IsDisabled: true, Role: 'Admin', ExpiresAt: '2999-01-01T00:00:00.000Z' },
        ],
      ],
    );
  });

  it('refuses an invalid change, naming the field, and changes nothing', async () => {
    const { id } = await someone();
    const before = await accounts.findById(admin.app.db, id);
    for (const [change, pointer] of [
      [{ IsDisabled: null }, '/IsDisabled'],
      [{ ExpiresAt: 'tomorrow' }, '/ExpiresAt'],
      [{ ExpiresAt: '0000-01-01T00:00:00Z' }, '/ExpiresAt'],
      [{ ExpiresAt: '9999-12-31T23:59:59-10:00' }, '/ExpiresAt'],
      [{ ExpiresAt: '2016-12-31T23:59:60Z' }, '/ExpiresAt'],
      [{ Role: 'Service' }, '/Role'],
      [{ Role: 'Admin', TwoFactorRequired: 1 }, '/TwoFactorRequired'],
    ] as const) {
      const { body } = await patch(id, change).expect(400);
      assert.equal(body.errors[0].pointer, pointer, JSON.stringify(change));
    }
    await patch(newId(), { IsDisabled: true }).expect(404);
    await patch('x', { IsDisabled: true }).expect(400);
    assert.deepEqual(await accounts.findById(admin.app.db, id), before);
  });

  it('is atomic with its audit entry', async () => {
    const { id, Token } = await someone();
    await whileAuditFails(admin.app, async () => {
      await patch(id, { IsDisabled: true }).expect(500);
    });
    assert.equal(await standing(Token), 'User');
    assert.equal((await accounts.findById(admin.app.db, id))?.isDisabled, false);
  });
});
