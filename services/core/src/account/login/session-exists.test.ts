import assert from 'node:assert/strict';
import { moveClock } from '@gatehouse/accounts/testing';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { atOnce, cast, countOf, pingsOf, problem, type Person, type Session } from '../../testing/cast.ts';
import { FIREFOX, PASSWORD, type TestCore } from '../../testing/index.ts';
import { newOwner } from '../../testing/two-factor.ts';

describe('POST /account/login with SESSION_LIMIT=refuse', () => {
  const { core, another, someone, member } = cast({
    SESSION_LIMIT: 'refuse',
    SESSION_SLOTS: 'web:1,mobile:1',
  });
  let other: TestCore;
  before(async () => {
    other = await another();
    moveClock(core().app, 0);
  });

  const isIn = async () => {
    const ann = await member();
    return { ann, first: await ann.session() };
  };
  const isAsked = async (ann: Person, more: object = {}): Promise<string> => {
    const { body } = await ann.logsIn(PASSWORD, more).expect(problem('session_exists'));
    return body.TakeOverToken as string;
  };
  /** Somebody who is signed in, and the token of their second login. */
  const isInAndAsked = async () => {
    const { ann } = await isIn();
    return { ann, token: await isAsked(ann) };
  };
  const takesOver = (TakeOverToken: string, more: object = {}, at = core()) =>
    someone()
      .at(at)
      .post('/account/login', { TakeOverToken, ...more });
  const tookOver = async (first: Session, token: string): Promise<Session> =>
    first.with((await takesOver(token).expect(200)).body as Session); // its tokens
  const isRefused = (token: string, more: object = {}) =>
    takesOver(token, more).expect(problem('authentication_failed'));

  it('says who is signed in, changes nothing, and lets the token end that session', async () => {
    const ann = await member();
    const device = { DeviceName: 'Ann’s laptop' };
    await ann.logsIn(PASSWORD, device).set('user-agent', FIREFOX).expect(200);
    const { body } = await ann.logsIn().expect(409);
    assert.deepEqual([body.code, body.Active.length], ['session_exists', 1]);
    const [{ LastSeenAt, ...shown }] = body.Active;
    assert.deepEqual(shown, { ...device, UserAgent: FIREFOX });
    assert.ok(Math.abs(Date.now() - Date.parse(LastSeenAt)) < 60_000, LastSeenAt);
    assert.deepEqual(await ann.sessions('status'), [{ status: 1 }]);
    const refused = `select 1 from sign_in where reason = 'session_exists' and account_id = ?`;
    await eventually(async () => (await core().sql(refused, [await ann.id()])).length === 1);
    await takesOver(body.TakeOverToken as string).expect(200);
    assert.deepEqual(await ann.sessions('status'), [{ status: 3 }, { status: 1 }]);
  });

  it('asks only about sessions of the same tag', async () => {
    const { ann, first } = await isIn();
    const phone = await ann.session({ SessionTag: 'mobile' });
    const later = await tookOver(phone, await isAsked(ann, { SessionTag: 'mobile' }));
    assert.deepEqual(await pingsOf([first, phone, later]), [1, 4, 1]);
  });

  it('tells nothing without the whole proof, and stands for the second factor too', async () => {
    const { email, phone } = await newOwner(core());
    const ann = someone(email);
    await ann.session({ TwoFactorCode: phone.nextCode() });
    await ann.logsIn('a wrong password').expect(404);
    await ann.logsIn(PASSWORD, { TwoFactorCode: phone.wrongCode() }).expect(404);
    const { body } = await ann.logsIn().expect(200);
    assert.deepEqual([body.LoginStatus, 'Active' in body], [2, false]);
    const { TwoFactorToken } = body as { TwoFactorToken: string };
    const second = { TwoFactorToken, TwoFactorCode: phone.nextCode() };
    const { TakeOverToken } = (await ann.post('/account/login', second).expect(409)).body;
    await ann.post('/account/login', second).expect(404);
    await takesOver(TakeOverToken as string).expect(200);
    const by = ['password', 'second-factor'];
    const sessions = await ann.sessions('status, authenticated_by as by');
    assert.deepEqual(
      sessions,
      [3, 1].map((status) => ({ status, by })),
    );
  });

  it('leaves one session after ten take-overs at once', async () => {
    const { ann } = await isIn();
    const tokens: string[] = [];
    for (let index = 0; index < 10; index += 1) tokens.push(await isAsked(ann));
    await atOnce(10, (at) => takesOver(tokens[at] ?? '', {}, at % 2 === 0 ? core() : other).expect(200));
    assert.equal((await ann.sessions('id', 'ended_at is null')).length, 1);
  });

  it('refuses a token used twice, and one of thirty uses at once succeeds', async () => {
    const { token } = await isInAndAsked();
    const answers = await atOnce(30, (index) => takesOver(token, {}, index % 2 === 0 ? core() : other));
    assert.deepEqual([countOf(200, answers), countOf(404, answers)], [1, 29]);
    await isRefused(token);
  });

  it('refuses a token after two minutes', async () => {
    const { ann, token } = await isInAndAsked();
    const of = [await ann.id()];
    const sql = `select extract(epoch from expires_at - now())::float8 as left from session_take_over where account_id = ?`;
    const [row] = await core().sql<{ left: number }>(sql, of);
    assert.ok(row !== undefined && row.left > 60 && row.left <= 120, String(row?.left));
    const age = `update session_take_over set expires_at = expires_at - interval '2 minutes' where account_id = ?`;
    await core().sql(age, of);
    await isRefused(token);
  });

  it('refuses a token once the account requires a second factor', async () => {
    const { ann, token } = await isInAndAsked();
    await ann.set('two_factor_required = true');
    await isRefused(token);
  });

  it('refuses a token for another account, and accepts the same login with it', async () => {
    const [{ ann, token }, stranger] = [await isInAndAsked(), await isIn()];
    await isRefused(token, { Username: stranger.ann.email, Password: PASSWORD });
    assert.equal(await stranger.first.pings(), 1);
    await takesOver(token, { Username: ann.email, Password: PASSWORD, SessionTag: 'web' }).expect(200);
  });

  it('says the account’s condition if it was disabled meanwhile', async () => {
    const { ann, token } = await isInAndAsked();
    await ann.set('is_disabled = true');
    assert.equal((await takesOver(token).expect(403)).body.LoginStatus, 3);
  });

  it('replaces a session without asking that was not seen for ten online windows', async () => {
    const { ann, first } = await isIn();
    await isAsked(ann);
    const later = await ann.at(await another({ ONLINE_WINDOW_SECONDS: 0.0001 })).session();
    assert.deepEqual(await pingsOf([first, later]), [4, 1]);
  });

  it('never asks for a service account', async () => {
    const ann = await member();
    await ann.set('is_service = true');
    assert.deepEqual(await pingsOf([await ann.session(), await ann.session()]), [1, 1]);
  });
});

describe('POST /account/login with SESSION_SLOTS', () => {
  const { core, another, member } = cast({ SESSION_SLOTS: 'web:2,mobile:2,tv:1' });
  let instances: TestCore[];
  before(async () => (instances = [core(), await another(), await another()]));

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
      assert.deepEqual(
        [pings.filter((ping) => ping === 1).length, pings.filter((ping) => ping === 4).length],
        [4, 16],
      );
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
    const plain = ann.at(await another({ SESSION_SLOTS: '' }));
    assert.deepEqual(await pingsOf(sessions), [1, 1, 1]);
    const { body } = await plain.logsIn(PASSWORD, { SessionTag: 'web' }).expect(400);
    assert.match(body.errors[0].message, /SESSION_SLOTS names none/);
    await plain.session();
    assert.deepEqual(await pingsOf(sessions), [4, 4, 4]);
  });

  it('ends the sessions of all tags when a refresh token was stolen, or the password is reset', async () => {
    const strict = await another({ REFRESH_GRACE_SECONDS: 0 });
    const ann = await member();
    const [browser, phone] = [await logsIn(ann), await logsIn(ann, 'mobile')];
    await phone.with(await phone.next(strict)).next(strict);
    await phone.refreshes(strict).expect(problem('session_deactivated'));
    assert.deepEqual(await pingsOf([browser, phone]), [4, 4]);
    const later = [await logsIn(ann), await logsIn(ann, 'mobile'), await logsIn(ann, 'tv')];
    await ann.resets(await ann.forgets(), 'another password than that').expect(200);
    assert.deepEqual(await pingsOf(later), [4, 4, 4]);
  });

  it('names the tag in the events of a session', async () => {
    const ann = await member();
    for (let time = 0; time < 2; time += 1) await logsIn(ann, 'tv');
    const sql = `select concat_ws(' ', event ->> 'type', event #>> '{data,SessionTag}') as event from outbox
       where event #>> '{data,UserId}' = ? and event ->> 'type' in ('session.started', 'session.ended')
       order by id`;
    const events = await core().sql<{ event: string }>(sql, [await ann.id()]);
    const started = 'session.started tv';
    assert.deepEqual(fieldsOf(events, 'event'), [started, 'session.ended tv', started]);
  });
});
