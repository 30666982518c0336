import assert from 'node:assert/strict';
import { cast } from '../testing/index.ts';
import { appOf } from './testing-app.ts';

/** What a page reads of a refusal: nothing, or only that it is one. */
const REFUSED =
  /^(refused|opaque |cors \{"type":"urn:gatehouse:problem:(cross_site|unsupported_media_type)",.*)$/;

describe('a hostile site and the consent of its visitor', () => {
  const { site } = cast();
  const hostile = appOf(site);
  let clientId: string;
  before(async () => (clientId = await hostile.newClient()));

  it('cannot show the page in a frame, or reach its window', async () => {
    const { page } = await site.signedIn({ isHostile: true });
    await page.goto(hostile.origin);
    const address = site.origin + hostile.newRequest(clientId).path;
    for (const path of [address, `${site.origin}/oauth/logout`, `${site.origin}/profile/apps`]) {
      const shown = await page.evaluate(async (src) => {
        const frame = document.createElement('iframe');
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
        frame.src = src;
        document.body.append(frame);
        await loaded;
        return frame.contentDocument === null ? 'refused' : frame.contentDocument.title;
      }, path);
      assert.equal(shown, 'refused', path);
      const frames = page.frames().filter((frame) => frame !== page.mainFrame());
      assert.ok(frames.length > 0);
      // The browser's own error page: nothing of ours was shown.
      for (const frame of frames) assert.match(frame.url(), /^chrome-error:/, path);
    }
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate((url) => void Object.assign(globalThis, { opened: open(url) }), address),
    ]);
    await opened.getByRole('button', { name: 'Allow' }).waitFor();
    assert.equal(await page.evaluate('opened.closed'), true);
  });

  it('cannot have it granted, denied or ended by a request, with or without the cookie', async () => {
    const { page } = await site.signedIn({ isHostile: true });
    const asked = hostile.newRequest(clientId).path.replace('/oauth/authorize?', '');
    for (const origin of [hostile.origin, hostile.origin.replace('127.0.0.1', 'localhost')]) {
      await page.goto(origin);
      for (const path of ['/oauth/authorization', '/oauth/end-session']) {
        for (const credentials of ['include', 'omit'] as const) {
          const said = await page.evaluate(
            async ([url, Request, how]) => {
              const body = JSON.stringify({ Request, Consent: 'granted', Confirmed: true });
              // A plain text needs no preflight. Named functions do not work here, as tsx marks them.
              const results = ['application/json', 'text/plain'].flatMap((type) =>
                (['cors', 'no-cors'] as const).map((mode) =>
                  fetch(url, {
                    ...{ method: 'POST', credentials: how, mode, body },
                    headers: { 'content-type': type },
                  }).then(
                    async (answer) => `${answer.type} ${await answer.text()}`,
                    () => 'refused',
                  ),
                ),
              );
              return Promise.all(results);
            },
            [site.origin + path, asked, credentials] as const,
          );
          for (const one of said) assert.match(one, REFUSED);
        }
      }
    }
    await page.goto(`${site.origin}/profile/apps`);
    await page.getByText('You have not signed in to any app yet.').waitFor();
  });

  it('cannot use the second click of a double click', async () => {
    const { page } = await site.signedIn({ isHostile: true });
    await page.goto(hostile.newRequest(clientId).path);
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    // As soon as the button is there, as if the page had been moved under the pointer.
    await page.reload();
    await page.evaluate(async () => {
      let button: HTMLButtonElement | null = null;
      while (button === null) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        button = document.querySelector<HTMLButtonElement>('button[aria-busy]');
      }
      button.click();
    });
    await page.getByRole('button', { name: 'Allow', disabled: false }).waitFor();
    assert.ok(page.url().startsWith(site.origin), page.url());
  });
});
