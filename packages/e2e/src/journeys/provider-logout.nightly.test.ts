import assert from 'node:assert/strict';
import { openEvents } from '@gatehouse/http/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { openBrowser } from '../testing/browser.ts';
import { startWorld, type World } from '../testing/index.ts';
import { followFeed, type FeedFollower } from '../streams/feed-follower.ts';

const WITHIN_MS = 1000;

describe('a logout at the identity provider', function () {
  this.timeout(180_000);
  let world: World;
  let feed: FeedFollower;
  before(async () => {
    world = await startWorld({ SINGLE_SESSION: 'false' }, { scale: 2 });
    const { admin, adminUrl, baseUrl } = world.stack.facts;
    const { Token } = await world.login(admin.Email, admin.Password);
    const response = await fetch(`${adminUrl}/admin/api-token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${Token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ Name: 'A resource server' }),
    });
    feed = await followFeed(baseUrl, ((await response.json()) as { Token: string }).Token);
  });
  after(async () => {
    await feed.stop();
    await world.stop();
  });

  it('ends the sessions of this identity on every service and in every stream within a second', async () => {
    const { adminUrl, baseUrl, ssoProvider, idpUrl = '', sso } = world.stack.facts;
    const home = sso.returnUrls[0] ?? '';
    const [browser, email] = [openBrowser(home), world.someEmail()];
    const signOn = async () => {
      const page = await browser.go(`${adminUrl}/auth/${ssoProvider}/login`);
      const back = page.url.startsWith(home) ? page : await browser.submit(page, { login: email });
      return new URL(back.url).searchParams.get(`${ssoProvider}_token`) ?? '';
    };
    const tokens = [await signOn(), await signOn()];
    const streams = await Promise.all(
      tokens.map((token) =>
        openEvents(`${baseUrl}/account/session/stream`, { authorization: `Bearer ${token}` }),
      ),
    );
    await eventually(() => streams.every(({ events }) => events.length === 1));
    /** The results from Core, Portal and Admin. Admin refuses callers who are not administrators. */
    const answers = async (token: string) => {
      const urls = [`${baseUrl}/account/passkey`, `${baseUrl}/account/profile`, `${adminUrl}/admin/account`];
      const all = urls.map((url) => fetch(url, { headers: { authorization: `Bearer ${token}` } }));
      return Promise.all(
        (await Promise.all(all)).map(async (answer) => {
          const body = (await answer.json()) as { code?: string };
          return answer.ok ? 200 : body.code;
        }),
      );
    };
    for (const token of tokens) assert.deepEqual(await answers(token), [200, 200, 'forbidden']);

    const page = await browser.go(idpUrl);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const beganAt = performance.now();
    await browser.submit(page, { xsrf, logout: 'yes' });
    const ended = await Promise.all(tokens.map((token) => answers(token)));
    const endedMs = performance.now() - beganAt;
    const ids = tokens.map(sessionOf);
    await eventually(() => streams.every(({ isOver }) => isOver) && ids.every((id) => feed.ended.has(id)));
    const toldMs = performance.now() - beganAt;
    assert.deepEqual(
      ended,
      tokens.map(() => ['session_ended', 'session_ended', 'session_ended']),
    );
    assert.ok(Math.max(endedMs, toldMs) < WITHIN_MS, `refused after ${endedMs} ms, told after ${toldMs} ms`);
  });
});

function sessionOf(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sid: string;
  };
  return claims.sid;
}
