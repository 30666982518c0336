import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, cast, pingsOf, type Person } from '../../testing/cast.ts';
import { PASSWORD, type TestCore } from '../../testing/index.ts';

describe('POST /account/login with SESSION_SLOTS', () => {
  const { core, another, member } = cast({ SESSION_SLOTS: 'web:2,mobile:2,tv:1', HASH_THREADS: 2 });
  let instances: TestCore[];
  /** Another process that does not publish: events stay in the outbox, where a test reads them. */
  const silent = async (changes?: Parameters<typeof another>[0]) => {
    const other = await another(changes);
    await other.app.relay.stop();
    return other;
  };
  before(async () => {
    await core().app.relay.stop();
    instances = [core(), await silent(), await silent()];
  });

  const logsIn = (ann: Person, SessionTag?: string) => ann.session({ SessionTag });
  const activeOf = (ann: Person) =>
    ann.sessions<{ tag: string; slot: number }>('tag, slot', 'ended_at is null');

  it('leaves exactly two sessions of each tag after many logins at once over three instances, each time', async () => {
    const ann = await member();
    for (let round = 1; round <= 5; round += 1) {
      const sessions = await atOnce(20, (index) =>
        logsIn(ann.at(instances[index % 3] ?? core()), index % 2 === 0 ? 'web' : 'mobile'),
      );
      const active = (await activeOf(ann)).map(({ tag, slot }) => `${tag} ${slot}`);
      assert.deepEqual(active.toSorted(), ['mobile 0', 'mobile 1', 'web 0', 'web 1']);
      const pings = await pingsOf(sessions);
      const countOf = (ping: number) => pings.filter((one) => one === ping).length;
      assert.deepEqual([countOf(1), countOf(4)], [4, 16]);
    }
  });

  it('replaces the session of a tag that was not seen for the longest time, and no other tag', async () => {
    const ann = await member();
    const dashboard = await logsIn(ann);
    const [phone, tablet] = [await logsIn(ann, 'mobile'), await logsIn(ann, 'mobile')];
    // Only Redis knows of this ping yet: the row still says that the tablet was seen later. Redis counts whole seconds.
    const began = Date.now();
    await eventually(async () => (await phone.pings()) === 1 && Date.now() - began > 1000);
    const newPhone = await logsIn(ann, 'mobile');
    assert.deepEqual(await pingsOf([dashboard, phone, tablet, newPhone]), [1, 1, 4, 1]);
    assert.equal((await tablet.post('/account/ping')).body.ReplacedBy.Tag, 'mobile');
  });

  it('counts a login without a tag as one of the account pages', async () => {
    const ann = await member();
    const sessions = [await logsIn(ann), await logsIn(ann, 'web'), await logsIn(ann)];
    assert.deepEqual(await pingsOf(sessions), [4, 1, 1]);
  });

  it('refuses an unknown tag, and names the known ones', async () => {
    const ann = await member();
    const { body } = await ann.logsIn(PASSWORD, { SessionTag: 'fridge' }).expect(400);
    assert.deepEqual(body.errors, [
      { pointer: '/SessionTag', message: 'must be one of: web, mobile, tv', code: 'unknown_value' },
    ]);
  });

  it('applies an account’s own limit to every tag, from the next login on', async () => {
    const ann = await member();
    await ann.set('session_limit = 3');
    const televisions = [await logsIn(ann, 'tv'), await logsIn(ann, 'tv'), await logsIn(ann, 'tv')];
    const web = [await logsIn(ann), await logsIn(ann), await logsIn(ann)];
    assert.deepEqual(await pingsOf([...televisions, ...web]), [1, 1, 1, 1, 1, 1]);
    const fourth = await logsIn(ann, 'tv');
    assert.deepEqual(await pingsOf([...televisions, fourth]), [4, 1, 1, 1]);
    await ann.set('session_limit = 2');
    assert.deepEqual(await pingsOf(web), [1, 1, 1]);
    const next = await logsIn(ann);
    const pings = await pingsOf([...web, next]);
    assert.equal(pings.filter((ping) => ping === 1).length, 2);
    assert.equal(pings.at(-1), 1);
  });

  it('goes back to one session at the next login after the setting was removed', async () => {
    const ann = await member();
    const sessions = [await logsIn(ann), await logsIn(ann, 'mobile'), await logsIn(ann, 'tv')];
    const plain = ann.at(await silent({ SESSION_SLOTS: '' }));
    assert.deepEqual(await pingsOf(sessions), [1, 1, 1]);
    const { body } = await plain.logsIn(PASSWORD, { SessionTag: 'web' }).expect(400);
    assert.match(body.errors[0].message, /SESSION_SLOTS names none/);
    await plain.session();
    assert.deepEqual(await pingsOf(sessions), [4, 4, 4]);
  });

  it('ends the sessions of all tags when a refresh token was stolen, or the password is reset', async () => {
    const strict = await silent({ REFRESH_GRACE_SECONDS: 0 });
    const ann = await member();
    const [browser, phone] = [await logsIn(ann), await logsIn(ann, 'mobile')];
    await phone.with(await phone.next(strict)).next(strict);
    assert.equal((await phone.refreshes(strict).expect(401)).body.code, 'session_deactivated');
    assert.deepEqual(await pingsOf([browser, phone]), [4, 4]);
    const later = [await logsIn(ann), await logsIn(ann, 'mobile'), await logsIn(ann, 'tv')];
    await ann.resets(await ann.forgets(), 'another password than that').expect(200);
    assert.deepEqual(await pingsOf(later), [4, 4, 4]);
  });

  it('names the tag in the events of a session', async () => {
    const ann = await member();
    for (let time = 0; time < 2; time += 1) await logsIn(ann, 'tv');
    const events = await query<{ event: string }>(
      core().app.db,
      `select concat_ws(' ', event ->> 'type', event #>> '{data,SessionTag}') as event from outbox
       where event #>> '{data,UserId}' = ? and event ->> 'type' in ('session.started', 'session.ended')
       order by id`,
      [await ann.id()],
    );
    assert.deepEqual(
      events.map(({ event }) => event),
      ['session.started tv', 'session.ended tv', 'session.started tv'],
    );
  });
});
