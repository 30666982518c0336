import { openBrowser } from '../src/testing/browser.ts';
import type { Target } from './target.ts';

/** Signs on with the demo provider in a browser. Returns the tokens. */
export async function signOn(
  target: Target,
  email: string,
): Promise<{ token: string; refreshToken: string }> {
  const { adminUrl, ssoProvider, sso } = target.stack.facts;
  const browser = openBrowser(sso.returnUrls[0] ?? '');
  const page = await browser.submit(await browser.go(`${adminUrl}/auth/${ssoProvider}/login`), {
    login: email,
  });
  const { searchParams } = new URL(page.url);
  const token = searchParams.get(`${ssoProvider}_token`);
  const refreshToken = searchParams.get(`${ssoProvider}_refresh_token`);
  if (token === null || refreshToken === null) throw new Error(`no sign-on: ${searchParams.get('error')}`);
  return { token, refreshToken };
}
