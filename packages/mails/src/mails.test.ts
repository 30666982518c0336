import assert from 'node:assert/strict';
import { v7 as uuid } from 'uuid';
import { writers, type Letter } from './index.ts';

const URL = 'https://gatehouse.example/';
const notice = { Email: 'ann@example.com', Locale: 'en', At: '2026-03-01T12:30:00.000Z' };
const code = {
  Email: 'ann@example.com',
  Locale: 'en',
  Code: 'ABCD1234',
  CodeId: uuid(),
  CodeExpiresAt: '2026-03-01T12:30:00.000Z',
};

function letters(more: { Locale?: string; DisplayName?: string; DeviceName?: string }): Letter[] {
  return [
    writers['verification-code']({ ...code, ...more }, URL),
    writers['password-reset']({ ...code, ...more }, URL),
    writers['email-change-code']({ ...code, ...more }, URL),
    writers['two-factor-code']({ ...code, ...more }, URL),
    writers['already-registered']({ ...notice, ...more }, URL),
    writers['password-changed']({ ...notice, ...more }, URL),
    writers['refresh-token-reused']({ ...notice, ...more }, URL),
    writers['email-change-notice']({ ...notice, ...more }, URL),
    writers['email-changed']({ ...notice, ...more }, URL),
    writers['address-taken']({ ...notice, ...more }, URL),
    writers['new-device']({ ...notice, ...more }, URL),
    writers['two-factor-enabled']({ ...notice, ...more }, URL),
    writers['two-factor-disabled']({ ...notice, ...more }, URL),
    writers['recovery-code-used']({ ...notice, ...more }, URL),
  ];
}

const TOKEN = 'A-Za-z0-9_A-Za-z0-9_A-Za-z0-9_A-Za-z0-9_A-Z';
const access = { Email: 'ann@example.com', Locale: 'en', ContentName: 'Board <b>meeting</b>' };

function invitationTo(more: { InviterName?: string; Locale?: string } = {}, publicUrl = URL): Letter {
  const link = { InvitationToken: TOKEN, InvitationExpiresAt: '2026-03-01T12:30:00.000Z' };
  return writers.invitation({ ...access, ...link, ...more }, publicUrl);
}

describe('mails of shared content', () => {
  it('carry the link of an invitation behind a #, at the configured address', () => {
    for (const [publicUrl, expected] of [
      ['https://gatehouse.example/', 'https://gatehouse.example/register-guest'],
      ['https://gatehouse.example/app/', 'https://gatehouse.example/app/register-guest'],
      ['https://gatehouse.example/app', 'https://gatehouse.example/app/register-guest'],
    ] as const) {
      const { text, html } = invitationTo({}, publicUrl);
      assert.deepEqual(text.match(/https?:\S+/g), [`${expected}#InvitationToken=${TOKEN}`]);
      assert.match(html, new RegExp(`href="${expected}#InvitationToken=${TOKEN}"`));
    }
    assert.match(invitationTo().text, /valid until 1 March 2026 at 12:30 UTC/);
  });

  it('say who invites, unless the name is a message', () => {
    assert.match(invitationTo({ InviterName: 'Ann' }).text, /^Ann invites you/m);
    for (const InviterName of [undefined, 'call evil.example', 'x'.repeat(80)]) {
      const more = InviterName === undefined ? {} : { InviterName };
      assert.match(invitationTo(more).text, /^Somebody invites you/m);
    }
  });

  it('name the content, escaped, in the language of the account', () => {
    for (const { text, html } of [
      invitationTo(),
      writers['access-granted'](access, URL),
      writers['access-removed'](access, URL),
    ]) {
      assert.match(text, /Board <b>meeting<\/b>/);
      assert.doesNotMatch(html, /<b>/);
    }
    for (const kind of ['access-granted', 'access-removed'] as const) {
      assert.match(writers[kind]({ ...access, Locale: 'de' }, URL).text, /^Hallo,/);
    }
    assert.match(invitationTo({ Locale: 'de' }).text, /^Hallo,/);
  });
});

describe('mails', () => {
  it('show a code on a line of its own and say until when it is valid', () => {
    for (const { text, html } of letters({}).slice(0, 3)) {
      assert.match(text, /^ABCD-1234$/m);
      assert.match(text, /valid until 1 March 2026 at 12:30 UTC/);
      assert.match(html, />ABCD-1234</);
    }
  });

  it('speak German where the locale does, else English', () => {
    for (const { text, html } of letters({ Locale: 'de-AT' })) {
      assert.match(text, /^Hallo,/);
      assert.match(html, /<html lang="de">/);
    }
    for (const Locale of ['fr', 'en-US', '', 'xx-constructor']) {
      for (const { text } of letters({ Locale })) assert.match(text, /^Hello,/);
    }
  });

  it('escape what people typed', () => {
    for (const { html, text } of letters({ DisplayName: `Ann & 'Bob'` })) {
      assert.match(html, /Ann &#38; &#39;Bob&#39;/);
      assert.match(text, /^Hello Ann & 'Bob',/);
    }
    for (const { html } of letters({ DisplayName: '<img src=x>' })) assert.doesNotMatch(html, /<img/);
    for (const { html } of letters({ DeviceName: '<script>' })) assert.doesNotMatch(html, /<script/);
  });

  it('do not repeat a name that is a message or a link', () => {
    for (const DisplayName of [
      'You won! https://evil.example',
      'visit evil.example',
      'x'.repeat(80),
      'a@b',
    ]) {
      for (const { text } of letters({ DisplayName })) assert.match(text, /^Hello,/);
    }
    for (const { text } of letters({ DisplayName: 'Dr. Ann O’Neill' }))
      assert.match(text, /^Hello Dr. Ann O’Neill,/);
  });

  it('name the device that something was done from, unless its name is a message', () => {
    const mail = (DeviceName: string) => writers['new-device']({ ...notice, DeviceName }, URL).text;
    assert.match(mail('Firefox, Linux'), /\(device “Firefox, Linux”\)/);
    assert.doesNotMatch(mail('call us at evil.example'), /evil/);
  });

  it('lead to the configured address alone', () => {
    for (const { html } of letters({ DisplayName: 'Ann', DeviceName: 'Firefox' })) {
      assert.deepEqual(html.match(/https?:[^"<]+/g), [URL, URL]);
    }
  });
});
