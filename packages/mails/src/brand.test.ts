import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBrand } from '@gatehouse/brand';
import { readMailLocales } from './mail-locales.ts';
import { mailKinds, sampleMails, testMailWriter } from './testing/index.ts';

describe('mails of a brand', () => {
  let folder: string;
  const put = (name: string, content: object): string => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mails-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('bear its name, colours, font and help', () => {
    const brand = readBrand(
      put('brand.json', {
        Name: 'Lark & Söhne',
        Accent: '#7b1fa2',
        AccentDark: '#ce93d8',
        Radius: 2,
        FontStack: '"Fira Sans", sans-serif',
        SupportUrl: 'mailto:help@lark.example',
      }),
    );
    const write = testMailWriter({ brand, supportUrl: 'https://gatehouse.example/help' });
    for (const kind of mailKinds) {
      const { text, html } = write(kind, sampleMails[kind]);
      assert.match(text, /This mail was sent by Lark & Söhne\.\nHelp: mailto:help@lark\.example\n$/);
      assert.match(html, />Lark &#38; Söhne</);
      assert.match(html, /font:400 16px\/1\.5 &#34;Fira Sans&#34;, sans-serif/);
      assert.match(html, /\.button \{ background: #ce93d8 !important/);
      assert.doesNotMatch(html + text, /Gatehouse\b|gatehouse\.example\/help/);
      if (kind !== 'access-removed') assert.match(html, /background:#7b1fa2;border-radius:2px/);
    }
  });

  it('speak a language of a file, and say other words where a file does', () => {
    put('fr.json', {
      'mail.greeting': 'Bonjour,',
      'mail.new-device.subject': 'Nouvel appareil',
      'login.title': 'Connexion',
      'mail.unknown': 'x',
    });
    put('de.json', { 'mail.greeting': 'Moin,' });
    const locales = readMailLocales(folder);
    const write = testMailWriter({ locales });
    const inLocale = (Locale: string) => write('new-device', { ...sampleMails['new-device'], Locale });
    const french = inLocale('fr-CA');
    assert.equal(french.subject, 'Nouvel appareil');
    assert.match(french.text, /^Bonjour,\n\nSomebody signed in[\s\S]*^When: 1 mars 2026/m);
    assert.match(french.html, /<html lang="fr">/);
    assert.match(inLocale('de').text, /^Moin,\n\nJemand/);
    assert.deepEqual(
      locales.gaps.map(({ locale, unknown, missing }) => [locale, unknown, missing.includes('mail.when')]),
      [['fr', ['mail.unknown'], true]],
    );
  });
});
