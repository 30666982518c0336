import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBrand } from '@gatehouse/brand';
import { readMailLocales } from './phrasebook.ts';
import { mailKinds, sampleMails, testMailWriter } from './testing/index.ts';

describe('mails of a brand', () => {
  let folder: string;
  const put = (name: string, content: object | string): string => {
    const isFile = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(join(folder, name), isFile ? content : JSON.stringify(content));
    return name;
  };
  const readPut = (name: string, content: object) => readBrand(join(folder, put(name, content)));
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mails-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('show its name, colours, font and help link', () => {
    const brand = readPut('brand.json', {
      Name: 'Lark & Söhne',
      Accent: '#7b1fa2',
      AccentDark: '#ce93d8',
      Radius: 2,
      FontStack: '"Fira Sans", sans-serif',
      SupportUrl: 'mailto:help@lark.example',
    });
    const write = testMailWriter({ brand, supportUrl: 'https://gatehouse.example/help' });
    for (const kind of mailKinds) {
      const { text, html } = write(kind, sampleMails[kind]);
      assert.match(text, /This mail was sent by Lark & Söhne\.\nHelp: mailto:help@lark\.example\n$/);
      assert.match(html, />Lark &#38; Söhne</);
      assert.match(html, /font:400 16px\/1\.5 &#34;Fira Sans&#34;, sans-serif/);
      assert.match(html, /\.button \{ background: #ce93d8 !important/);
      assert.doesNotMatch(html + text, /Gatehouse\b|gatehouse\.example\/help/);
      const hasButton = !['access-removed', 'account-erased', 'webhook-disabled', 'test'].includes(kind);
      if (hasButton) assert.match(html, /background:#7b1fa2;border-radius:2px/);
    }
  });

  it('embed the default logo, light and dark, in less than a kilobyte', () => {
    const { html, pictures } = testMailWriter()('new-device', sampleMails['new-device']);
    const shown = [...html.matchAll(/src="cid:([^"]+)"/g)].map(([, cid]) => cid);
    const ids = pictures.map(({ cid }) => cid);
    assert.deepEqual(shown, ids);
    assert.equal(new Set(ids).size, 2);
    for (const { png } of pictures) {
      assert.ok(png.length < 1024, String(png.length));
      assert.deepEqual([...png.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(''), 'PNG');
    }
    assert.match(html, /class="logo-dark" [^>]*style="display:none;mso-hide:all/);
    assert.match(html, /\.logo-dark \{ display: inline !important/);
  });

  it('show only the name next to an accent colour that the default logo does not have', () => {
    const brand = readPut('brand.json', { Name: 'Lark', Accent: '#7b1fa2', AccentDark: '#ce93d8' });
    const { html, pictures } = testMailWriter({ brand })('new-device', sampleMails['new-device']);
    assert.deepEqual(pictures, []);
    assert.match(html, /<span class="link" style="color:#7b1fa2">Lark<\/span>/);
  });

  it('embed its logo as PNG, in its proportions and with a maximum width', () => {
    const day = put('day.png', pngOf(400, 100));
    const brand = readPut('brand.json', { Name: 'Lark', Logo: day, MailLogo: day });
    const { html, pictures } = testMailWriter({ brand })('new-device', sampleMails['new-device']);
    const pngs = pictures.map(({ png }) => png);
    assert.deepEqual(pngs, [pngOf(400, 100)]);
    assert.match(html, /alt="" width="128" height="32"/);
    assert.doesNotMatch(html, /logo-dark/);
    const wide = readPut('wide.json', { Name: 'Lark', Logo: put('wide.png', pngOf(1600, 100)) });
    const inWide = testMailWriter({ brand: wide })('new-device', sampleMails['new-device']);
    assert.match(inWide.html, /width="160" height="10"/);
  });

  it('show the name in its accent colour if the logo is not suitable for mails', () => {
    put('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const given = { Name: 'Lark', Logo: 'logo.svg', Accent: '#7b1fa2', AccentDark: '#ce93d8' };
    const write = testMailWriter({ brand: readPut('brand.json', given) });
    const { html, pictures } = write('new-device', sampleMails['new-device']);
    assert.deepEqual(pictures, []);
    assert.match(html, /<span class="link" style="color:#7b1fa2">Lark<\/span>/);
    assert.doesNotMatch(html, /<img/);
  });

  it('use languages and texts from locale files', () => {
    put('fr.json', {
      'mail.greeting': 'Bonjour,',
      'mail.new-device.subject': 'Nouvel appareil',
      'login.title': 'Connexion',
      'mail.unknown': 'x',
    });
    put('de.json', { 'mail.greeting': 'Moin,' });
    const locales = readMailLocales(folder);
    const write = testMailWriter({ locales });
    const inLocale = (Locale: string) =>
      write('new-device', { ...sampleMails['new-device'], DisplayName: '', Locale });
    const french = inLocale('fr-CA');
    assert.equal(french.subject, 'Nouvel appareil');
    assert.match(french.text, /^Bonjour,\n\nSomebody signed in[\s\S]*^When: 1 mars 2026/m);
    assert.match(french.html, /<html lang="fr">/);
    assert.match(inLocale('de').text, /^Moin,\n\nJemand/);
    const gaps = locales.gaps.map(({ locale, unknown, missing }) => [
      locale,
      unknown,
      missing.includes('mail.when'),
    ]);
    assert.deepEqual(gaps, [['fr', ['mail.unknown'], true]]);
  });
});

/** The part of a PNG that is read: its size. */
function pngOf(width: number, height: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), size]);
}
