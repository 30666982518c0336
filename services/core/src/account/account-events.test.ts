import assert from 'node:assert/strict';
import { changeAccount, createAccount } from '@gatehouse/accounts';
import { query } from '@gatehouse/db';
import { cast, type Person } from '../testing/cast.ts';
import { PASSWORD } from '../testing/index.ts';

const OTHER = 'another password than that';
const BY = { actor: { kind: 'System' }, origin: { traceId: '0', dueAt: Infinity } } as const;

describe('events for registration, verification and password reset', () => {
  const { core, someone, member } = cast({});
  // Unpublished events stay in the outbox, where the tests read them.
  before(() => core().app.relay.stop());

  const eventsOf = async (ann: Person) => {
    const rows = await query<{ data: object }>(
      core().app.db,
      `select event -> 'data' as data from outbox
       where type = 'account.updated' and event -> 'data' ->> 'UserId' = ? order by id`,
      [await ann.id()],
    );
    return rows.map(({ data }) => data);
  };

  it('contain the name that the owner of a pending account completes it with', async () => {
    const ann = someone();
    const wish = { email: ann.email, displayName: 'Ann', locale: undefined, isMigrated: false } as const;
    await createAccount(core().app, { ...wish, role: 'User', password: undefined }, BY);
    await ann.registers(PASSWORD, { DisplayName: 'A Stranger', Locale: 'de' }).expect(200);
    assert.deepEqual(await eventsOf(ann), []);
    await ann.resets((await ann.codes())[0], PASSWORD, { DisplayName: 'Ann Other' }).expect(200);
    const UserId = await ann.id();
    assert.deepEqual(await eventsOf(ann), [{ UserId, Changed: ['DisplayName'], ChangedBy: UserId }]);
  });

  it('report that a contested account has no name any more, and needs a password', async () => {
    const ann = someone();
    await ann.registers(PASSWORD, { DisplayName: 'Ann', Locale: 'de' }).expect(200);
    await ann.registers(OTHER).expect(200);
    const UserId = await ann.id();
    const contested = { UserId, Changed: ['DisplayName', 'Locale'] };
    await ann.verifies((await ann.codes())[0]).expect(200);
    const verified = { UserId, Changed: ['NewPasswordRequired'], ChangedBy: UserId };
    assert.deepEqual(await eventsOf(ann), [contested, verified]);
    await ann.resets(await ann.forgets(), PASSWORD).expect(200);
    assert.deepEqual(await eventsOf(ann), [contested, verified, verified]);
  });

  it('report once that a new password is no longer required', async () => {
    const ann = await member();
    const UserId = await ann.id();
    await changeAccount(core().app, UserId, { isNewPasswordRequired: true }, BY);
    for (const password of [OTHER, PASSWORD]) await ann.resets(await ann.forgets(), password).expect(200);
    const required = { UserId, Changed: ['NewPasswordRequired'] };
    assert.deepEqual(await eventsOf(ann), [required, { ...required, ChangedBy: UserId }]);
  });
});
