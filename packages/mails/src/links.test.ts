import assert from 'node:assert/strict';
import type { MailKind } from '@gatehouse/events';
import type { WriteMail } from './create-mail-writer.ts';
import { createLinks } from './writers.ts';
import { mailKinds, sampleMails, testMailWriter } from './testing/index.ts';

const TOKEN = sampleMails.invitation.InvitationToken;
const ERASURE = sampleMails['erasure-scheduled'];
const CONTENT_ID = sampleMails['access-granted'].ContentDefinitionId;

/** The page below `PUBLIC_URL` that each mail links to; those not listed link to `/profile/security`. */
const PLACES: Partial<Record<MailKind, string | undefined>> = {
  'verification-code': '/verify-email#Email=ann%40example.com&Code=ABCD-1234',
  'password-reset': '/reset-password#Email=ann%40example.com&Code=ABCD-1234',
  'login-code': '/login#Code=ABCD-1234',
  'account-invitation': '/complete-account#Email=ann%40example.com&Code=ABCD-1234',
  'email-change-code': '/confirm-email#Code=ABCD-1234&Address=ann%40example.com',
  'email-changed': `/take-back-email#Code=${sampleMails['email-changed'].TakeBack.Code}&Address=ann%40example.com`,
  'two-factor-code': '/profile/security',
  'already-registered': '/login',
  'address-taken': '/login',
  'app-connected': '/profile/apps',
  'password-changed': '/forgot-password',
  'email-change-notice': '/forgot-password',
  'erasure-code': '/profile/data',
  'erasure-scheduled': `/restore-account#Code=${ERASURE.RestoreCode}&Address=ann%40example.com&ErasesAt=${encodeURIComponent(ERASURE.ErasesAt)}`,
  'account-erased': undefined,
  invitation: `/register-guest#InvitationToken=${TOKEN}`,
  'access-granted': '/profile',
  'access-removed': undefined,
  'webhook-disabled': undefined,
  test: undefined,
};

function placeOf(kind: MailKind): string | undefined {
  return kind in PLACES ? PLACES[kind] : '/profile/security';
}

describe('links in mails', () => {
  for (const kind of mailKinds)
    it(`link from ${kind} to its page below PUBLIC_URL, and nowhere else`, () => {
      for (const [publicUrl, base] of [
        ['https://app.example.com', 'https://app.example.com'],
        ['https://app.example.com/', 'https://app.example.com'],
        ['https://app.example.com/accounts/', 'https://app.example.com/accounts'],
        ['https://app.example.com/accounts', 'https://app.example.com/accounts'],
      ] as const) {
        const expected = placeOf(kind) === undefined ? [] : [base + placeOf(kind)];
        assertLeadsTo(testMailWriter({ publicUrl }), kind, expected);
      }
    });

  it('link to shared content at CONTENT_URL, if set', () => {
    const contentUrl = 'https://content.example.com/open?id={ContentDefinitionId}&from=mail';
    const write = testMailWriter({ contentUrl });
    assertLeadsTo(write, 'access-granted', [`https://content.example.com/open?id=${CONTENT_ID}&from=mail`]);
  });

  it('link to help, if configured', () => {
    const supportUrl = 'https://help.example.com/';
    for (const kind of mailKinds) {
      const place = placeOf(kind);
      const expected = place === undefined ? [] : [`https://gatehouse.example${place}`];
      assertLeadsTo(testMailWriter({ supportUrl }), kind, [...expected, supportUrl]);
    }
  });

  it('percent-encode the fragment', () => {
    const { link } = createLinks({ publicUrl: 'https://app.example.com/' });
    const Email = `a+b&Code=x#"'<ö%>@example.com`;
    const url = link('/verify-email', { Email, Code: 'ABCD-1234' });
    assert.match(url, /^https:\/\/app\.example\.com\/verify-email#[\w%&=.!'()*~-]+$/);
    const fragment = new URLSearchParams(new URL(url).hash.slice(1));
    assert.deepEqual(Object.fromEntries(fragment), { Email, Code: 'ABCD-1234' });
  });
});

function assertLeadsTo(write: WriteMail, kind: MailKind, expected: string[]): void {
  const { text, html } = write(kind, sampleMails[kind]);
  assert.deepEqual(text.match(/https?:\S+/g) ?? [], expected);
  const addresses = [...html.matchAll(/href="([^"]*)"/g)].map(([, address = '']) => unescape(address));
  assert.deepEqual([...new Set(addresses)], expected);
  assert.deepEqual([...new Set(unescape(html).match(/https?:[^"<\s]+/g) ?? [])], expected);
}

function unescape(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, character: string) => String.fromCharCode(Number(character)));
}
