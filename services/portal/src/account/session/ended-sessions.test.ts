import assert from 'node:assert/strict';
import { cast } from '../../testing/cast.ts';

interface Answer {
  Items: Record<string, unknown>[];
  NextCursor?: string;
}

describe('/account/session?ended=true', () => {
  const { call, get, login, member, sql } = cast();

  const list = async (who: { Token: string }, search = ''): Promise<Answer> =>
    (await get(`/account/session?ended=true${search}`, who).expect(200)).body as Answer;

  it('lists ended sessions with time and reason, latest login first, without active ones', async () => {
    const ann = await member();
    const first = await login(ann, { deviceName: 'Phone', address: '2001:db8::7' });
    const second = await login(ann);
    await call('delete', `/account/session/${second.sessionId}`, second).expect(204);
    const third = await login(ann);
    const { Items, NextCursor } = await list(third);
    assert.equal(NextCursor, undefined);
    assert.deepEqual(
      Items.map(({ Id, Reason, Status, IsCurrent }) => [Id, Reason, Status, IsCurrent]),
      [
        [second.sessionId, 'logout', 7, false],
        [first.sessionId, 'replaced', 3, false],
      ],
    );
    assert.deepEqual([Items[1]?.['DeviceName'], Items[1]?.['IpAddress']], ['Phone', '2001:db8::7']);
    assert.ok(Date.parse(String(Items[1]?.['EndedAt'])) >= Date.parse(String(Items[1]?.['CreatedAt'])));
    const active = (await get('/account/session', third).expect(200)).body as Answer;
    assert.deepEqual(Object.keys(active.Items[0] ?? {}).includes('EndedAt'), false);
    assert.equal(active.Items.length, 1);
  });

  it('lists no foreign sessions, also with a foreign cursor', async () => {
    const [ann, bob] = [await member(), await member()];
    for (let time = 0; time < 3; time += 1) await login(ann);
    const asAnn = await login(ann);
    const asBob = await login(bob);
    const { NextCursor } = await list(asAnn, '&limit=1');
    assert.deepEqual((await list(asBob)).Items, []);
    assert.deepEqual((await list(asBob, `&cursor=${NextCursor}`)).Items, []);
  });

  it('is paged', async () => {
    const ann = await member();
    for (let time = 0; time < 5; time += 1) await login(ann);
    const who = await login(ann);
    const all = (await list(who)).Items.map(({ Id }) => Id);
    assert.equal(all.length, 5);
    const paged: unknown[] = [];
    let next = '';
    for (let page = 1; page <= 3; page += 1) {
      const { Items, NextCursor } = await list(who, `&limit=2${next}`);
      paged.push(...Items.map(({ Id }) => Id));
      assert.equal(NextCursor === undefined, page === 3);
      next = `&cursor=${NextCursor}`;
    }
    assert.deepEqual(paged, all);
  });

  it('uses an index', async () => {
    const ann = await member();
    await sql(
      `insert into user_session (
         id, account_id, status, is_exclusive, refresh_current, refresh_next, expires_at, ended_at, end_reason)
       select gen_random_uuid(), ?, 7, false, '', '', now(), now(), 'expired' from generate_series(1, 20000)`,
      [ann.id],
    );
    await sql('analyze user_session');
    const plan = await sql<Record<string, string>>(
      `explain select id from user_session
       where account_id = ? and ended_at is not null and id < gen_random_uuid() order by id desc limit 51`,
      [ann.id],
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(text, /Index (Only )?Scan Backward/);
    assert.doesNotMatch(text, /Sort|Seq Scan/);
  });
});
