import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, type World } from '../testing/index.ts';

/** Tests the life of an account, with any stack behind the gateway. */
export function testAccountJourney(given: () => World): void {
  it('registers, logs in, changes and resets its password, with real mails', async () => {
    const { post, call, login, pingStatus, mailedCode, mailsTo, someEmail } = given();
    const email = someEmail();
    const ann = { Email: email, Password: PASSWORD, DisplayName: 'Ann' };
    const registered = await post('/account/register', ann);
    const { LoginStatus, RegistrationToken } = registered.body;
    assert.deepEqual([registered.status, LoginStatus, typeof RegistrationToken], [200, 4, 'string']);
    const early = await post('/account/login', { Username: email, Password: PASSWORD });
    assert.deepEqual([early.status, early.body['LoginStatus']], [403, 4]);
    const verified = (await post('/account/verify', { Email: email, Code: await mailedCode(email) })).status;
    assert.equal(verified, 200);

    const first = await login(email);
    assert.equal(await pingStatus(first.Token), 1);
    const second = await login(email);
    assert.equal(await pingStatus(first.Token), 4);
    const refused = await call('GET', '/ping/auth', undefined, first.Token);
    assert.deepEqual([refused.status, refused.body['code']], [401, 'session_replaced']);
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer /);
    assert.equal((await call('GET', '/ping/auth', undefined, second.Token)).text, 'Pong Auth');

    const refreshed = await post('/account/refresh-token', { RefreshToken: second.RefreshToken });
    const third = refreshed.body as unknown as typeof second;
    assert.equal(await pingStatus(third.Token), 1);
    assert.equal((await post('/account/logout', {}, third.Token)).status, 200);
    assert.equal((await post('/account/ping', {}, third.Token)).body['code'], 'session_ended');

    const last = await login(email);
    assert.deepEqual((await post('/account/forgot-password', { Email: email })).body, {});
    const reset = { Email: email, Code: await mailedCode(email, 2), Password: 'a wholly new one' };
    assert.equal((await post('/account/reset-password', reset)).status, 200);
    assert.equal(await pingStatus(last.Token), 4);
    assert.equal((await post('/account/login', { Username: email, Password: PASSWORD })).status, 404);
    await login(email, 'a wholly new one');
    await eventually(async () => (await mailsTo(email)).length === 3);
  });
}

/** Tests the life of a guest, with any stack behind the gateway. */
export function testGuestJourney(given: () => World): void {
  it('is invited by mail, registers, uses the channel, is removed and invited again', async () => {
    const world = given();
    const { contentDefinitionId: content, user } = world.stack.facts.seed;
    const { Token: owner } = await world.login(user.Email, user.Password);
    const items = async (path: string, body: object) => {
      const answer = await world.post(path, body, owner);
      assert.equal(answer.status, 200, answer.text);
      return answer.body['Items'] as { Email: string; UserId: string; Result: string }[];
    };
    const invite = (to: string) =>
      items('/account/invite-user', { Emails: [to], ContentDefinitionId: content });
    const mailedLink = async (to: string, count: number) =>
      new URL(/https?:\S+/.exec((await world.latestMail(to, count)).text)?.[0] ?? '');
    const register = (InvitationToken: string | null) =>
      world.post('/account/register-guest', { InvitationToken, Password: PASSWORD, DisplayName: 'Gus' });

    const email = world.someEmail();
    const [invited] = await invite(email);
    assert.equal(invited?.Result, 'Invited');
    const early = await world.post('/account/login', { Username: email, Password: PASSWORD });
    assert.deepEqual([early.status, early.body['LoginStatus']], [403, 9]);

    const link = await mailedLink(email, 1);
    assert.equal(link.origin, world.stack.facts.pagesUrl);
    for (let time = 0; time < 50; time += 1) await fetch(link);
    const token = new URLSearchParams(link.hash.slice(1)).get('InvitationToken');
    const answers = await Promise.all(Array.from({ length: 50 }, () => register(token)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ body }) => body['code'] === 'invalid_invitation').length, 49);

    const guest = await world.login(email);
    assert.equal(await world.pingStatus(guest.Token), 1);
    const forbidden = { Emails: [world.someEmail()], ContentDefinitionId: content };
    assert.equal((await world.post('/account/invite-user', forbidden, guest.Token)).status, 403);

    const removed = await items('/account/remove-user', { UserId: invited.UserId, ContentId: content });
    assert.deepEqual(removed, [{ UserId: invited.UserId, Email: email, Result: 'AccessRevoked' }]);
    const refused = await world.call('GET', '/ping/auth', undefined, guest.Token);
    assert.deepEqual([refused.status, refused.body['code']], [401, 'invite_deleted']);
    assert.equal(await world.pingStatus(guest.Token), 3);
    const late = await world.post('/account/login', { Username: email, Password: PASSWORD });
    assert.deepEqual([late.status, late.body['LoginStatus']], [403, 8]);
    await eventually(async () => (await world.mailsTo(email)).length === 2, 20);

    assert.equal((await invite(email))[0]?.Result, 'Invited');
    const again = new URLSearchParams((await mailedLink(email, 3)).hash.slice(1)).get('InvitationToken');
    assert.equal((await register(again)).status, 200);
    await world.login(email);
  });
}
