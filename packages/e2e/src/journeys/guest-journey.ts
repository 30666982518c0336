import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, type World } from '../testing/index.ts';

/** Tests the life of a guest, with any stack behind the gateway. */
export function testGuestJourney(given: () => World): void {
  let world: World;
  let owner: string;
  let content: string;
  before(async () => {
    world = given();
    const { seed } = world.stack.facts;
    owner = (await world.login(seed.user.Email, seed.user.Password)).Token;
    content = seed.contentDefinitionId;
  });

  const items = async (path: string, body: object) => {
    const answer = await world.post(path, body, owner);
    assert.equal(answer.status, 200, answer.text);
    return answer.body['Items'] as { Email: string; UserId: string; Result: string }[];
  };
  const invite = (email: string, to = content) =>
    items('/account/invite-user', { Emails: [email], ContentDefinitionId: to });
  /** The link in the latest of `count` mails. */
  const mailedLink = async (email: string, count: number) =>
    new URL(/https?:\S+/.exec((await world.latestMail(email, count)).text)?.[0] ?? '');
  const register = (InvitationToken: string | null) =>
    world.post('/account/register-guest', { InvitationToken, Password: PASSWORD, DisplayName: 'Gus' });

  it('is invited by mail, registers, uses the channel, is removed and invited again', async () => {
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
