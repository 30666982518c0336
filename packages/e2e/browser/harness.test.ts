import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  collectCspReports,
  expectNoSidewaysScroll,
  expectNoViolations,
  expectQuiet,
  findProblems,
  mailedLink,
  startSite,
  tabOnly,
  type Site,
} from './testing/index.ts';

/** A page with every fault that the browser tests look for. */
const BAD_PAGE = `<!doctype html><html><body style="width:2000px">
  <button id="plain">one</button><button id="bare">two</button><img src="http://other.localhost:9/x.png">
  <script>document.body.dataset.ran = 'yes'</script></body></html>`;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src *";

describe('the checks of the browser tests', function () {
  this.timeout(120_000);
  let site: Site;
  let server: Server;
  let address: string;
  before(async () => {
    site = await startSite();
    server = createServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY })
        .end(BAD_PAGE.replace('id="bare"', 'id="bare" style="outline:none"')),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // the server listens on a port
  });
  after(async () => {
    server.close();
    await site.stop();
  });

  it('find scripts that the CSP blocks, requests to other origins, and violations found by axe', async () => {
    const page = await site.openPage({ origins: [new URL(address).origin], width: 320 });
    await page.goto(address);
    assert.match((await collectCspReports(page)).join('\n'), /CSP report: script-src-elem inline/);
    await assert.rejects(
      expectQuiet(page.context()),
      /another origin: GET http:\/\/other\.localhost:9\/x\.png/,
    );
    await assert.rejects(expectNoViolations(page), /image-alt[^]*html-has-lang|html-has-lang[^]*image-alt/);
    await assert.rejects(expectNoSidewaysScroll(page), /is 2\d{3} px wide in a window of 320 px/);
    // Each fault is reported only once. Reloading repeats them.
    await page.reload();
    await assert.rejects(site.closePages(), /not quiet/);
    assert.ok(page.isClosed());
  });

  it('find what is wrong at one width or in the dark theme, and leave the page as it was', async () => {
    const page = await site.openPage({ width: 320 });
    const styles = `@media (width >= 1280px) and (prefers-color-scheme: dark) { p { background: #222; color: #444 } }
      @media (700px < width < 800px) { p { width: 900px } }`;
    await page.setContent(
      `<html lang="en"><title>x</title><style>${styles}</style><main><h1>x</h1><p>Some words</p></main>`,
    );
    const { 320: phone, 768: tablet, 1280: desktop } = await findProblems(page);
    assert.deepEqual(phone, []);
    assert.match(tablet.join('\n'), /^Error: .* px wide in a window of 768 px$/);
    assert.match(desktop.join('\n'), /^Error: axe finds .*:\ncolor-contrast/);
    assert.ok(await page.evaluate(() => matchMedia('(prefers-color-scheme: light)').matches));
    assert.equal(page.viewportSize()?.width, 320);
  });

  it('find text that is hard to read, fields without a label, and targets that are too small', async () => {
    const page = await site.openPage({ width: 320 });
    const small = '<button style="all:unset;font-size:8px">';
    for (const [html, rule] of [
      ['<p style="color:#aaa">Some words</p>', 'color-contrast'],
      [
        '<p>Some more words, and a <a href="#" style="color:#222;text-decoration:none">link</a></p>',
        'link-in-text-block',
      ],
      ['<input>', 'label'],
      [`${small}one</button>${small}two</button>`, 'target-size'],
    ] as const) {
      await page.setContent(documentWith(html));
      for (const problems of Object.values(await findProblems(page)))
        assert.match(problems.join('\n'), new RegExp(`^Error: axe finds .*:\n${rule}: `));
    }
  });

  it('skip colours that were accepted, and no others', async () => {
    const page = await site.openPage({ width: 320 });
    const accepted = new Set<string>();
    const problemsOf = async (html: string): Promise<string> => {
      await page.setContent(documentWith(html));
      return Object.values(await findProblems(page, accepted))
        .flat()
        .join('\n');
    };
    // Two buttons: the first is disabled and may have any colour.
    const grey = 'style="color:#aaa;background:#fff;padding:2em"';
    assert.equal(await problemsOf(`<p>Some words</p><button disabled ${grey}>Save</button>`), '');
    assert.equal(await problemsOf(`<div>${LINK}</div>`), '');
    assert.match(await problemsOf(`<p>Some more words, and a ${LINK}</p>`), /link-in-text-block/);
    const before = accepted.size;
    assert.ok(before > 0);
    assert.equal(await problemsOf('<p>Other words</p>'), '');
    assert.equal(accepted.size, before);
    assert.match(await problemsOf(`<button ${grey}>Save</button>`), /color-contrast[^]*button/);
    for (const html of [
      '<p style="color:#999">Other words</p>',
      '<div style="background:#333"><p>Other words</p></div>',
      '<div style="background:#444;height:9em"></div><p style="position:absolute;top:5em">Other words</p>',
      '<p style="opacity:.3">Other words</p>',
      '<div style="opacity:.3"><p style="background:#fff">Other words</p></div>',
    ])
      assert.match(await problemsOf(html), /color-contrast[^]*Other words/);
  });

  it('read the links of mails', async () => {
    const { user, contentDefinitionId } = site.stack.facts.seed;
    const { Token } = await site.login(user.Email, user.Password);
    const email = site.someEmail();
    const invitation = { Emails: [email], ContentDefinitionId: contentDefinitionId };
    assert.equal((await site.post('/account/invite-user', invitation, Token)).status, 200);
    const link = new URL(await mailedLink(site, email, '/register-guest'));
    assert.deepEqual([link.origin, link.search], [site.origin, '']);
    assert.match(link.hash, /^#InvitationToken=.{40}/);
  });

  it('find use of the pointer where the keyboard is required, and an invisible focus', async () => {
    const page = await site.openPage({ origins: [new URL(address).origin, 'http://other.localhost:9'] });
    const keyboard = await tabOnly(page);
    await page.goto(address);
    await keyboard.press(page.locator('#plain'));
    await keyboard.expectNoPointer();
    await assert.rejects(keyboard.to(page.locator('#bare')), /nothing shows that/);
    await page.locator('#plain').click();
    await assert.rejects(keyboard.expectNoPointer(), /pointerdown/);
    await assert.rejects(site.closePages(), /CSP report/);
  });
});

const LINK = '<a href="#" style="color:#222;text-decoration:none">link</a>';

function documentWith(html: string): string {
  return `<html lang="en"><title>x</title><body style="background:#fff"><main><h1>x</h1>${html}</main>`;
}
