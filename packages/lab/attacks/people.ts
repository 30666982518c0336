import assert from 'node:assert/strict';
import { openBrowser } from '../../e2e/src/testing/browser.ts';
import { PASSWORD } from '../../e2e/src/testing/index.ts';
import type { Target } from './target.ts';

/** Invites an address to the first channel. */
export async function invite(target: Target, email: string): Promise<{ UserId: string }> {
  const { contentDefinitionId } = target.stack.facts.seed;
  const body = { Emails: [email], ContentDefinitionId: contentDefinitionId };
  const { status, json, text } = await target.posts(
    'portal',
    '/account/invite-user',
    body,
    target.adminToken,
  );
  assert.equal(status, 200, text);
  const [item] = json['Items'] as { UserId: string }[];
  assert.ok(item);
  return item;
}

/** Creates a registered guest and returns the email. */
export async function newGuest(target: Target): Promise<string> {
  const email = target.someEmail();
  await invite(target, email);
  const InvitationToken = await target.mailedInvitation(email);
  const registration = { InvitationToken, Password: PASSWORD, DisplayName: 'Gus' };
  assert.equal((await target.posts('portal', '/account/register-guest', registration)).status, 200);
  return email;
}

/** Signs on with the demo provider in a browser. Returns the tokens. */
export async function signOn(target: Target, email: string) {
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
