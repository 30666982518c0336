import assert from 'node:assert/strict';
import { cast, expectNoSidewaysScroll, expectNoViolations, otherSite } from './testing/index.ts';

/** A page with every fault that the browser tests look for. */
const BAD_PAGE = `<!doctype html><html><body style="width:2000px">
  <button id="plain">one</button><button id="bare" style="outline:none">two</button><img src="http://elsewhere.example/x.png">
  <p style="color:#999">grey</p><script>document.body.dataset.ran = 'yes'</script></body></html>`;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src *";

describe('the checks of the browser tests', () => {
  const { site } = cast();
  const faulty = otherSite((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY }).end(BAD_PAGE),
  );
  /** What the pages complain about, which are closed then. */
  const complaints = (): Promise<string> => site.closePages().then(() => '', String);

  it('find scripts that the CSP blocks, requests to other hosts, and violations found by axe', async () => {
    const page = await site.openAt(faulty.url, { width: 320 });
    for (const violation of [/image-alt/, /html-has-lang/, /color-contrast[^]*#999999/])
      await assert.rejects(expectNoViolations(page), violation);
    await assert.rejects(expectNoSidewaysScroll(page), /is 2\d{3} px wide on \/ in a window of 320 px/);
    const heard = await complaints();
    assert.ok(page.isClosed());
    assert.match(heard, /CSP report: script-src-elem inline/);
    assert.match(heard, /ERR_NAME_NOT_RESOLVED \(http:\/\/elsewhere\.example\/x\.png\)/);
  });

  it('find use of the pointer where the keyboard is required, and an invisible focus', async () => {
    const { page, keyboard } = await site.openByKeyboard(faulty.url);
    await keyboard.press(page.locator('#plain'));
    await assert.rejects(keyboard.to(page.locator('#bare')), /nothing shows that/);
    await page.locator('#plain').click();
    assert.match(await complaints(), /A pointer was used: pointerdown/);
  });
});
