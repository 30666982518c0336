import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, startCore, type TestCore } from '../../testing/index.ts';

describe('POST /account/login with SESSION_SLOTS', () => {
  let core: TestCore;
  const instances: TestCore[] = [];
  before(async () => {
    core = await startCore({ SESSION_SLOTS: 'web:2,mobile:2,tv:1', HASH_THREADS: 2 });
    instances.push(core, await startCore({}, core), await startCore({}, core));
    // Unpublished events stay in the outbox, where a test reads them.
    for (const { app } of instances) await app.relay.stop();
  });
  after(async () => {
    for (const instance of instances.toReversed()) await instance.stop();
  });

  const logIn = async (email: string, tag?: string, at = core) => {
    const body = { Username: email, Password: PASSWORD, ...(tag !== undefined && { SessionTag: tag }) };
    const { body: tokens } = await at.post('/account/login', body).expect(200);
    return tokens as { Token: string; RefreshToken: string };
  };
  const statusesOf = (sessions: readonly { Token: string }[]) =>
    Promise.all(sessions.map(({ Token }) => core.pingWith(Token)));
  const activeOf = (email: string) =>
    query<{ tag: string; slot: number }>(
      core.app.db,
      `select s.tag, s.slot from user_session s join account a on a.id = s.account_id
       where a.email = ? and s.ended_at is null order by s.tag, s.slot`,
      [email],
    );
  const setLimit = (email: string, limit: number | null) =>
    query(core.app.db, 'update account set session_limit = ? where email = ?', [limit, email]);

  it('leaves exactly two sessions of each tag after many logins at once over three instances, each time', async () => {
    const email = await core.newAccount();
    for (let round = 1; round <= 5; round += 1) {
      const tokens = await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const at = instances[index % instances.length];
          return logIn(email, index % 2 === 0 ? 'web' : 'mobile', at);
        }),
      );
      assert.deepEqual(await activeOf(email), [
        { tag: 'mobile', slot: 0 },
        { tag: 'mobile', slot: 1 },
        { tag: 'web', slot: 0 },
        { tag: 'web', slot: 1 },
      ]);
      const statuses = await statusesOf(tokens);
      assert.equal(statuses.filter((status) => status === 1).length, 4);
      assert.equal(statuses.filter((status) => status === 4).length, 16);
    }
  });

  it('makes one session too many impossible by an index', async () => {
    const email = await core.newAccount();
    await logIn(email, 'tv');
    await assert.rejects(
      query(
        core.app.db,
        `insert into user_session (id, account_id, status, is_exclusive, tag, slot, refresh_current, refresh_next, expires_at)
         select gen_random_uuid(), account_id, 1, true, tag, slot, '', '', now() + interval '1 hour'
         from user_session s join account a on a.id = s.account_id where a.email = ? and s.ended_at is null`,
        [email],
      ),
      /user_session_one_active/,
    );
  });

  it('replaces the session of a tag that was not seen for the longest time, and no other tag', async () => {
    const email = await core.newAccount();
    const dashboard = await logIn(email);
    const [phone, tablet] = [await logIn(email, 'mobile'), await logIn(email, 'mobile')];
    // Only Redis knows of this ping yet: the row still says that the tablet was seen later. Redis counts whole seconds.
    const began = Date.now();
    await eventually(async () => (await core.pingWith(phone.Token)) === 1 && Date.now() - began > 1000);
    const newPhone = await logIn(email, 'mobile');
    assert.deepEqual(await statusesOf([dashboard, phone, tablet, newPhone]), [1, 1, 4, 1]);
    const { ReplacedBy } = (await core.post('/account/ping', {}, core.bearer(tablet.Token))).body;
    assert.equal(ReplacedBy.Tag, 'mobile');
  });

  it('counts a login without a tag as one of the account pages', async () => {
    const email = await core.newAccount();
    const sessions = [await logIn(email), await logIn(email, 'web'), await logIn(email)];
    assert.deepEqual(await statusesOf(sessions), [4, 1, 1]);
  });

  it('refuses an unknown tag, and names the known ones', async () => {
    const email = await core.newAccount();
    const body = { Username: email, Password: PASSWORD, SessionTag: 'fridge' };
    const { body: problem } = await core.post('/account/login', body).expect(400);
    assert.deepEqual(problem.errors, [
      { pointer: '/SessionTag', message: 'must be one of: web, mobile, tv', code: 'unknown_value' },
    ]);
    const plain = await startCore();
    try {
      const { body: refused } = await plain
        .post('/account/login', { ...body, SessionTag: 'web' })
        .expect(400);
      assert.match(refused.errors[0].message, /SESSION_SLOTS names none/);
    } finally {
      await plain.stop();
    }
  });

  it('applies an account’s own limit to every tag', async () => {
    const email = await core.newAccount();
    await setLimit(email, 3);
    const televisions = [await logIn(email, 'tv'), await logIn(email, 'tv'), await logIn(email, 'tv')];
    const web = [await logIn(email), await logIn(email), await logIn(email)];
    assert.deepEqual(await statusesOf([...televisions, ...web]), [1, 1, 1, 1, 1, 1]);
    const fourth = await logIn(email, 'tv');
    assert.deepEqual(await statusesOf([...televisions, fourth]), [4, 1, 1, 1]);
  });

  it('ends nothing when a limit is lowered, and applies it at the next login', async () => {
    const email = await core.newAccount();
    await setLimit(email, 4);
    const web = [await logIn(email), await logIn(email), await logIn(email), await logIn(email)];
    await setLimit(email, 2);
    assert.deepEqual(await statusesOf(web), [1, 1, 1, 1]);
    const next = await logIn(email);
    const statuses = await statusesOf([...web, next]);
    assert.equal(statuses.filter((status) => status === 1).length, 2);
    assert.equal(statuses.at(-1), 1);
  });

  it('goes back to one session at the next login after the setting was removed', async () => {
    const email = await core.newAccount();
    const sessions = [await logIn(email), await logIn(email, 'mobile'), await logIn(email, 'tv')];
    const plain = await startCore({ SESSION_SLOTS: '' }, core);
    try {
      assert.deepEqual(await statusesOf(sessions), [1, 1, 1]);
      await logIn(email, undefined, plain);
      assert.deepEqual(await statusesOf(sessions), [4, 4, 4]);
    } finally {
      await plain.stop();
    }
  });

  it('ends the sessions of all tags when a refresh token was stolen, or the password is reset', async () => {
    const strict = await startCore({ REFRESH_GRACE_SECONDS: 0 }, core);
    try {
      const email = await core.newAccount();
      const [browser, phone] = [await logIn(email), await logIn(email, 'mobile')];
      const use = (RefreshToken: string) => strict.post('/account/refresh-token', { RefreshToken });
      const { body } = await use(phone.RefreshToken).expect(200);
      await use(body.RefreshToken).expect(200);
      assert.equal((await use(phone.RefreshToken).expect(401)).body.code, 'session_deactivated');
      assert.deepEqual(await statusesOf([browser, phone]), [4, 4]);
      const later = [await logIn(email), await logIn(email, 'mobile'), await logIn(email, 'tv')];
      const reset = { Email: email, Code: await core.forget(email), Password: 'another password than that' };
      await core.post('/account/reset-password', reset).expect(200);
      assert.deepEqual(await statusesOf(later), [4, 4, 4]);
    } finally {
      await strict.stop();
    }
  });

  it('names the tag in the events of a session', async () => {
    const email = await core.newAccount();
    await logIn(email, 'tv');
    await logIn(email, 'tv');
    const events = await query<{ type: string; tag: string | null }>(
      core.app.db,
      `select o.event ->> 'type' as type, o.event #>> '{data,SessionTag}' as tag
       from outbox o join account a on o.event #>> '{data,UserId}' = a.id::text
       where a.email = ? and o.event ->> 'type' in ('session.started', 'session.ended') order by o.id`,
      [email],
    );
    assert.deepEqual(
      events.map(({ type, tag }) => `${type} ${tag ?? ''}`),
      ['session.started tv', 'session.ended tv', 'session.started tv'],
    );
  });
});
