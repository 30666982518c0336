import assert from 'node:assert/strict';
import type { MailKind } from '@gatehouse/events';
import type { WriteMail } from './create-mail-writer.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import type { Letter } from './letter.ts';
import { mailKinds, sampleMails, testMailWriter } from './testing/index.ts';

const CODES = ['verification-code', 'password-reset', 'email-change-code', 'two-factor-code'] as const;

interface Change {
  Locale?: string;
  DisplayName?: string;
  DeviceName?: string;
  InviterName?: string;
  ContentName?: string;
}

function lettersOf(change: Change, write = testMailWriter()): Letter[] {
  return mailKinds.map((kind) => letterOf(kind, change, write));
}

function letterOf(kind: MailKind, change: Change = {}, write: WriteMail = testMailWriter()): Letter {
  return write(kind, { ...sampleMails[kind], ...change }); // fields that a kind lacks do nothing
}

describe('mails', () => {
  it('have the same content as text and as HTML, in every language', () => {
    for (const Locale of ['en', 'de']) {
      for (const { subject: whole, text, html } of lettersOf({ Locale, DisplayName: 'Ann' })) {
        const subject = whole.replace('ABCD-1234: ', '');
        const seen = seenIn(html);
        assert.ok(html.includes(`<title>${subject}</title>`) && seen.includes(subject), subject);
        for (const line of text.split('\n'))
          assert.ok(seen.includes(line.replace(/:$/, '')), `${subject}: ${line}`);
        const more = seen.split('\n').filter((line) => !text.includes(line.trim()));
        const expected = [subject, 'Gatehouse', ...(html.includes('class="button"') ? [orOpen(Locale)] : [])];
        assert.deepEqual(more.toSorted(), expected.filter((line) => !text.includes(line)).toSorted());
      }
    }
  });

  it('show a code once, on its own line, with its expiry', () => {
    for (const kind of CODES) {
      const { text, html, subject } = letterOf(kind);
      assert.equal(text.match(/^ABCD-1234$/gm)?.length, 1);
      assert.ok(text.indexOf('ABCD-1234') < text.indexOf('https:'), 'before any link');
      assert.match(html, />ABCD-1234</);
      assert.equal(subject.startsWith('ABCD-1234: '), !['password-reset', 'two-factor-code'].includes(kind));
    }
    for (const [kind, Locale, words] of [
      ['password-reset', 'en', /^The code works once, within 10 minutes of the request\.$/m],
      ['password-reset', 'de', /innerhalb von 10 Minuten nach der Anforderung/],
      ['verification-code', 'en', /within 24 hours of the request/],
      ['account-invitation', 'en', /valid until 8 March 2026 at 12:30 UTC/],
    ] as const)
      assert.match(letterOf(kind, { Locale }).text, words);
    assert.match(letterOf('invitation').text, /valid until 8 March 2026 at 12:30 UTC/);
  });

  it('show when access ends, if it does', () => {
    const write = testMailWriter();
    const AccessExpiresAt = '2026-06-30T22:00:00.000Z';
    const invited = write('invitation', { ...sampleMails.invitation, AccessExpiresAt });
    assert.match(invited.text, /access ends on 30 June 2026 at 22:00 UTC/);
    const granted = sampleMails['access-granted'];
    assert.doesNotMatch(write('access-granted', granted).text, /ends on/);
    const { text } = write('access-granted', { ...granted, Locale: 'de', AccessExpiresAt });
    assert.match(text, /Zugang endet am 30\. Juni 2026 um 22:00 UTC/);
  });

  it('are German for German locales, else English', () => {
    for (const { text, html } of lettersOf({ Locale: 'de-AT' })) {
      assert.match(text, /^Guten Tag Ann,/);
      assert.match(html, /<html lang="de">/);
    }
    for (const Locale of ['fr', 'en-US', '', 'xx-constructor'])
      for (const { text } of lettersOf({ Locale })) assert.match(text, /^Hello Ann,/);
  });

  it('have all texts in German and in English, with the same placeholders', () => {
    assert.deepEqual(Object.keys(de), Object.keys(en));
    const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
    for (const key of Object.keys(en) as (keyof typeof en)[]) {
      assert.deepEqual(namesIn(de[key]), namesIn(en[key]), key);
      assert.ok(de[key] !== en[key] && !/!/.test(en[key] + de[key]), key);
    }
  });

  it('use every text, and fill every placeholder', () => {
    const used = new Set<string>();
    const spied = new Proxy(en, {
      get: (texts, key) => {
        used.add(String(key));
        return texts[key as keyof typeof en]; // as it is asked for by its keys alone
      },
    });
    const locales = { names: ['en'], textsFor: () => ({ locale: 'en', texts: spied }), gaps: [] };
    const write = testMailWriter({ locales, supportUrl: 'https://gatehouse.example/help' });
    for (const change of [{}, { DisplayName: '', InviterName: '', RestoreCode: undefined }])
      for (const { text, html, subject } of lettersOf(change, write))
        assert.doesNotMatch(subject + text + seenIn(html), /\{|undefined/);
    const unused = Object.keys(en).filter((key) => !used.has(key));
    assert.deepEqual(unused, []);
  });

  it('show the device and the address of an action, unless the name looks like a message', () => {
    for (const kind of ['new-device', 'password-reset'] as const) {
      const body = letterOf(kind).text;
      const facts =
        /^(?:When|Requested): 1 March 2026 at 12:30 UTC\nDevice: Firefox, Linux\nIP address: 192\.0\.2\.1$/m;
      assert.match(body, facts);
    }
    for (const { text, html } of lettersOf({ DeviceName: 'call us at evil.example' }))
      assert.doesNotMatch(text + html, /evil|Device/);
  });

  it('leave out what is not known', () => {
    const { Email, Locale, Code, CodeId, CodeExpiresAt } = sampleMails['password-reset'];
    const { text } = testMailWriter()('password-reset', { Email, Locale, Code, CodeId, CodeExpiresAt });
    assert.doesNotMatch(text, /Requested|Device|IP address/);
  });

  it('show who invites, unless the name looks like a message', () => {
    assert.match(letterOf('invitation').text, /^Bob Miller invites you to “Board meeting”/m);
    for (const InviterName of ['call evil.example', 'x'.repeat(80)])
      assert.match(letterOf('invitation', { InviterName }).text, /^Somebody invites you/m);
  });

  it('are readable in dark mode, and load no remote content', () => {
    for (const { html } of lettersOf({})) {
      assert.match(html, /@media \(prefers-color-scheme: dark\)/);
      const besides = html.replaceAll(/<img(?: class="[a-z-]+")? src="cid:[^"]+"/g, '');
      assert.doesNotMatch(besides, /<(?:img|link|script|iframe|object|video)\b|url\(|@import|\ssrc=/i);
    }
  });
});

describe('user input in mails', () => {
  const HOSTILE = [
    '<img src=x onerror=alert(1)>',
    '"><script>alert(1)</script>',
    '</style><style>*{display:none}',
    '{brand} {until} {name}',
    'Ann\r\nBcc: all@example.com',
    'https://evil.example/',
    '&lt;b&gt;',
    "' onmouseover='alert(1)",
    'x'.repeat(200),
  ];

  it('is escaped or left out everywhere', () => {
    const write = testMailWriter();
    const tagsOf = (html: string) => html.match(/<[^<>]*>/g)?.join('\n');
    for (const Locale of ['en', 'de']) {
      for (const kind of mailKinds) {
        const plain = letterOf(kind, { Locale, DisplayName: '', DeviceName: '', InviterName: '' }, write);
        for (const text of HOSTILE) {
          const hostile = { DisplayName: text, DeviceName: text, InviterName: text, ContentName: text };
          const letter = letterOf(kind, { Locale, ...hostile }, write);
          assert.equal(tagsOf(letter.html), tagsOf(plain.html), `${kind}: ${text}`);
          assert.equal(letter.subject, plain.subject);
          assert.doesNotMatch(letter.subject, /[\r\n]/);
        }
      }
    }
  });

  it('escape user input', () => {
    for (const { html, text } of lettersOf({ DisplayName: `Ann & 'Bob'` })) {
      assert.match(html, /Ann &#38; &#39;Bob&#39;/);
      assert.match(text, /^Hello Ann & 'Bob',/);
    }
    for (const kind of ['invitation', 'access-granted', 'access-removed'] as const) {
      const { text, html } = letterOf(kind, { ContentName: 'Board <b>meeting</b> {brand}' });
      assert.match(text, /“Board <b>meeting<\/b> \{brand\}”/);
      assert.match(html, /“Board &#60;b&#62;meeting&#60;\/b&#62; \{brand\}”/);
    }
  });

  it('is not shown as a name if it looks like a message or a link', () => {
    for (const DisplayName of ['You won! https://evil.example', 'visit evil.example', 'x'.repeat(80), 'a@b'])
      for (const { text } of lettersOf({ DisplayName })) assert.match(text, /^Hello,/);
    for (const { text } of lettersOf({ DisplayName: 'Dr. Ann O’Neill' }))
      assert.match(text, /^Hello Dr. Ann O’Neill,/);
  });
});

/** The visible text of HTML, one line for each part. */
function seenIn(html: string): string {
  return html
    .replace(/<head>.*<\/head>/s, '')
    .replaceAll(/<\/th><td[^>]*>/g, ': ')
    .replaceAll(/<\/a>|<a [^>]*class="quiet"[^>]*>| <a[^>]*>(?=[^<]*<\/a><\/td>)/g, '')
    .replaceAll(/<[^<>]*>/g, '\n')
    .replaceAll(/&#(\d+);/g, (_, character: string) => String.fromCharCode(Number(character)))
    .replaceAll(/\n\s*\n|\n+/g, '\n')
    .trim();
}

function orOpen(locale: string): string {
  return locale === 'de' ? de['mail.address'] : en['mail.address'];
}
