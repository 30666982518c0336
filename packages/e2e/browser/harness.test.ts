import assert from 'node:assert/strict';
import {
  cast,
  collectCspReports,
  expectNoSidewaysScroll,
  expectNoViolations,
  expectQuiet,
  findProblems,
  otherSite,
  tabOnly,
} from './testing/index.ts';

/** A page with every fault that the browser tests look for. */
const BAD_PAGE = `<!doctype html><html><body style="width:2000px">
  <button id="plain">one</button><button id="bare" style="outline:none">two</button><img src="http://other.localhost:9/x.png">
  <script>document.body.dataset.ran = 'yes'</script></body></html>`;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src *";

describe('the checks of the browser tests', () => {
  const { site } = cast();
  const faulty = otherSite((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY }).end(BAD_PAGE),
  );

  it('find scripts that the CSP blocks, requests to other origins, and violations found by axe', async () => {
    const page = await site.openPage({ origins: [faulty.origin], width: 320 });
    await page.goto(faulty.origin);
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

  it('find use of the pointer where the keyboard is required, and an invisible focus', async () => {
    const page = await site.openPage({ origins: [faulty.origin, 'http://other.localhost:9'] });
    const keyboard = await tabOnly(page);
    await page.goto(faulty.origin);
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
