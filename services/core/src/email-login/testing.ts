import assert from 'node:assert/strict';
import { distinctEmails, inviteUsers } from '@gatehouse/accounts';
import { codeIn, newContent, someEmail, unexpected } from '@gatehouse/accounts/testing';
import { contentDefinitions } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { BY_SYSTEM, someAddress, type TestCore } from '../testing/index.ts';

type Core = Pick<TestCore, 'app' | 'http'>;

/** What a browser needs for logging in with a mailed code: its own half, and the half in the mail. */
export interface MailedLogin {
  Username: string;
  MailCode: string;
  RequestToken: string;
}

export async function requestMailed(core: Core, email: string): Promise<MailedLogin> {
  const before = (await core.app.mailsTo(email)).length;
  const RequestToken = await requestOnly(core, email);
  await eventually(async () => (await core.app.mailsTo(email)).length > before);
  return { Username: email, MailCode: codeIn(await core.app.mailsTo(email)), RequestToken };
}

export async function requestOnly(core: Core, email: string): Promise<string> {
  const { body } = await core.http
    .post('/account/login/email')
    .set('x-forwarded-for', someAddress())
    .send({ Email: email })
    .expect(202);
  const { RequestToken } = body as { RequestToken: string };
  assert.match(RequestToken, /^[\w-]{43}$/);
  return RequestToken;
}

export async function inviteGuest({ app }: Pick<Core, 'app'>, email = someEmail()) {
  const content = await contentDefinitions.findById(app.db, await newContent(app));
  assert.ok(content);
  const sharing = { content, sharer: { id: newId(), account: undefined }, actor: BY_SYSTEM.actor };
  await inviteUsers(app, { ...sharing, emails: distinctEmails([email]) }, BY_SYSTEM.origin, unexpected);
  return { email, content };
}
