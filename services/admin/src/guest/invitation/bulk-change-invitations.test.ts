import assert from 'node:assert/strict';
import { invitationTokenIn, atOnce } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../../testing/cast.ts';

const PATH = '/admin/invitation/bulk';

describe('POST /admin/invitation/bulk', () => {
  const { boss, history, invited: invitedTo, newContent, sql } = cast({});
  let content: string;
  beforeEach(async () => {
    content = await newContent();
  });

  const invited = async (isDisabled = false) => {
    const guest = await invitedTo(content, { hours: -1 });
    await guest.set(`is_disabled = ${isDisabled}`);
    return guest;
  };
  const bulk = async (Change: string, more: object = {}) =>
    (await boss.post(PATH, { Filter: { ContentDefinitionId: content }, Change, ...more }).expect(200)).body;
  const pending = () => boss.ids(`/admin/invitation?contentDefinitionId=${content}`);

  it('deletes all matches, retires their guests, and records each', async () => {
    const guests = [await invited(), await invited(), await invited()];
    const other = await newContent();
    const none = await bulk('delete', { Filter: { ContentDefinitionId: other } });
    assert.deepEqual(none, { Count: 0, Skipped: 0 });
    assert.deepEqual(await bulk('Delete'), { Count: 3, Skipped: 0 });
    assert.deepEqual(await pending(), []);
    const deleted = await history({ action: 'invitation.deleted' }, 'targetId');
    assert.deepEqual(new Set(deleted), new Set(guests.map(({ invitationId }) => invitationId)));
    const statement = 'select 1 from account where id = any(cast(? as uuid[])) and expires_at <= now()';
    assert.equal((await sql(statement, [guests.map(({ id }) => id)])).length, 3);
    assert.deepEqual(await bulk('delete'), { Count: 0, Skipped: 0 });
  });

  it('resends all matches, and skips those whose link would not work', async () => {
    const guest = await invited();
    await invited(true);
    assert.deepEqual(await bulk('resend'), { Count: 1, Skipped: 1 });
    assert.equal(invitationTokenIn(await guest.mails()).length, 43);
    const alive = `contentDefinitionId=${content}&isExpired=false`;
    assert.deepEqual(await boss.ids(`/admin/invitation?${alive}`), [guest.invitationId]);
  });

  it('deletes each once with concurrent requests', async () => {
    for (let index = 0; index < 5; index += 1) await invited();
    const counts = await atOnce(4, async () => (await bulk('delete')).Count as number);
    const shown = counts.reduce((sum, count) => sum + count, 0);
    assert.equal(shown, 5);
  });

  it('refuses too many matches', async () => {
    const domain = `@${newId()}.example`;
    const statement = `with guests as (
         insert into account (id, email, email_key, role, signup)
         select gen_random_uuid(), n || :domain, n || :domain, 'Guest', 'invitation'
         from generate_series(1, 101) n
         returning id
       )
       insert into invitation (id, account_id, content_definition_id, token_hash, invited_email, expires_at)
       select gen_random_uuid(), id, :content, sha256(cast(cast(id as text) as bytea)), '', now()
       from guests`;
    await sql(statement, { domain, content });
    const body = { Filter: { ContentDefinitionId: content }, Change: 'resend' };
    assert.equal((await boss.post(PATH, body).expect(409)).body.code, 'conflict');
    assert.deepEqual(await bulk('delete'), { Count: 101, Skipped: 0 });
  });
});
