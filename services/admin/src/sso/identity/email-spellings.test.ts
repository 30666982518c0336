import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { useSso } from '../testing/browser.ts';

/**
 * Addresses that are not the victim's, although they look like it, quote it or contain it. They use the rules of RFC
 * 5321 and 5322, Unicode, and the mistakes of URL parsers and careless trimming.
 */
function likenesses(local: string, domain: string): Record<string, string> {
  const victim = `${local}@${domain}`;
  const evil = 'evil.example';
  const wide = (text: string) =>
    text.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0));
  return {
    'a quoted local part': `"${local}"@${domain}`,
    'a quoted address before another domain': `"${victim}"@${evil}`,
    'a comment behind the local part': `${local}(x)@${domain}`,
    'a display name': `Ann <${victim}>`,
    'a display name that is an address': `"${victim}" <x@${evil}>`,
    'a route': `<@${evil}:${victim}>`,
    'a group of two': `group: x@${evil}, ${victim};`,
    'two with a comma': `${victim},x@${evil}`,
    'a header behind it': `${victim}\r\nBcc: x@${evil}`,
    'an encoded word': `=?utf-8?q?${local}?=@${domain}`,
    'percent signs': `${local}%40${domain}`,
    'a bang path': `${domain}!${local}@${evil}`,
    'two at signs the other way': `x@${evil}@${domain}`,
    'NUL and more behind it': `${victim}\0.${evil}`,
    'a tab in the domain': `${local}@${domain.replace('.', '\t.')}`,
    'a trailing dot': `${victim}.`,
    'a dot in the local part': `${local.slice(0, 1)}.${local.slice(1)}@${domain}`,
    'a plus': `${local}+x@${domain}`,
    'a path': `${victim}/x.${evil}`,
    'a backslash': `${victim}\\x.${evil}`,
    'a zero-width space': `${local}\u200b@${domain}`,
    'a soft hyphen in the domain': `${local}@ex\u00ad${domain.slice(2)}`,
    'a mark that turns it around': `\u202e${victim}`,
    'half a character': `${local}\ud800@${domain}`,
    'a Cyrillic letter': `${local.replace('a', 'а')}@${domain}`,
    'a Cyrillic letter in the domain': `${local}@${domain.replace('a', 'а')}`,
    'a dotless i': `${local.replace('i', 'ı')}@${domain}`,
    'an i with a dot and a mark': `${local.replace('i', 'i\u0307')}@${domain}`,
    'a mark on a letter': `${local}\u0301@${domain}`,
    'punycode that decodes to plain letters': `${local}@xn--${domain.replace('.com', '')}-.com`,
    'a literal': `${local}@[127.0.0.1]`,
    'full-width letters': `${wide(local)}@${wide(domain)}`,
    'a full-width at sign': `${local}＠${domain}`,
    'a mailto address': `mailto:${victim}`,
    'a very long domain': `${local}@${'x.'.repeat(2000)}${domain}`,
    'a hundred thousand at signs': '@'.repeat(100_000),
  };
}

/** The victim's address in other spellings, which docs/accounts.md defines as the same address. */
function spellings(local: string, domain: string): Record<string, string> {
  return {
    capitals: `${local}@${domain}`.toUpperCase(),
    'an ideographic full stop in the domain': `${local}@${domain.replace('.', '。')}`,
    'spaces around it': `  ${local}@${domain} `,
  };
}

/** Another account, or one of the errors in docs/sso.md. */
const OTHERWISE = /^([\da-f-]{36}|email_missing|not_provisioned|account_exists|provider_error)$/;

describe('an email in an unusual spelling, from an identity provider that is trusted with it', () => {
  const sso = useSso({ liar: { provisioning: 'jit' }, tied: {} });
  let victim: { id: string; email: string };
  beforeEach(async () => (victim = await sso.member({ email: `anni.${someEmail()}` })));

  const comes = (provider: string, email: unknown) =>
    sso.accountOf(provider, { sub: `liar ${Math.random()}`, email, email_verified: true, name: 'Ann' });
  const parts = (): [string, string] => {
    const [local = '', domain = ''] = victim.email.split('@');
    return [local, domain];
  };

  for (const what of Object.keys(likenesses('', '')))
    it(`is not linked to an account with a different address: ${what}`, async () => {
      const email = likenesses(...parts())[what];
      for (const provider of ['liar', 'tied']) {
        const account = await comes(provider, email);
        assert.notEqual(account, victim.id);
        assert.match(account ?? '', OTHERWISE);
      }
    });

  for (const what of Object.keys(spellings('', '')))
    it(`is normalized to its address: ${what}`, async () => {
      assert.equal(await comes('liar', spellings(...parts())[what]), victim.id);
    });
});
