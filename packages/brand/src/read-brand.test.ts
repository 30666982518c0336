import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { testFolder, useFolder } from '@gatehouse/runtime/testing';
import { BACKGROUNDS, brandCss, readBrand } from './read-brand.ts';
import { contrastOf } from './contrast.ts';

const SVG = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>';
const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000200000003', 'hex');

describe('a brand', () => {
  const at = useFolder();
  const outside = testFolder();
  const put = (name: string, content: string | Buffer): void => writeFileSync(at(name), content);
  const read = (brand: unknown) => {
    put('brand.json', typeof brand === 'string' ? brand : JSON.stringify(brand));
    return readBrand(at('brand.json'));
  };
  const refuses = (brand: unknown, message: RegExp): void =>
    assert.throws(() => read(brand), { name: 'ConfigError', message });

  it('is Gatehouse without a file', () => {
    const brand = readBrand(undefined);
    assert.deepEqual([brand.name, brand.logo], ['Gatehouse', undefined]);
    assertReadable(brand);
  });

  it('gives mails a separate PNG, or the logo if that is a small PNG', () => {
    put('logo.svg', SVG);
    put('logo.png', PNG);
    put('mail.png', Buffer.concat([PNG, Buffer.of(1)]));
    put('large.png', Buffer.concat([PNG, Buffer.alloc(32 * 1024)]));
    const mailLogos = (given: object) => {
      const { mailLogo, mailLogoDark } = read({ Name: 'Lark', ...given });
      return [mailLogo?.bytes.length, mailLogoDark?.bytes.length];
    };
    assert.deepEqual(mailLogos({ Logo: 'logo.svg' }), [undefined, undefined]);
    assert.deepEqual(mailLogos({ Logo: 'large.png' }), [undefined, undefined]);
    assert.deepEqual(mailLogos({ Logo: 'logo.png', LogoDark: 'logo.png' }), [24, 24]);
    assert.deepEqual(mailLogos({ Logo: 'logo.svg', MailLogo: 'mail.png' }), [25, undefined]);
    assert.deepEqual(mailLogos({ MailLogo: 'mail.png', MailLogoDark: 'logo.png' }), [25, 24]);
    refuses({ Name: 'Lark', MailLogo: 'logo.svg' }, /MailLogo must be the name of a \.png file/);
    refuses({ Name: 'Lark', MailLogo: 'large.png' }, /MailLogo is larger than 32 KB/);
    refuses({ Name: 'Lark', MailLogoDark: 'logo.png' }, /MailLogoDark goes with a MailLogo/);
    put('cut.png', PNG.subarray(0, 16));
    refuses({ Name: 'Lark', Logo: 'cut.png' }, /Logo is not a PNG picture/);
  });

  it('has a name, a logo, an accent and links of its own', () => {
    put('logo.svg', SVG);
    put('night.png', PNG);
    const brand = read({
      Name: 'Lark & Söhne',
      Logo: 'logo.svg',
      LogoDark: 'night.png',
      Accent: '#7B1FA2',
      AccentDark: '#CE93D8',
      Radius: 4,
      FontStack: 'Inter, "Segoe UI", -apple-system, sans-serif',
      SupportUrl: 'mailto:help@lark.example',
      PrivacyUrl: 'https://lark.example/privacy',
      TermsUrl: ' https://lark.example/terms of use ',
    });
    assert.deepEqual(brand.logo, { bytes: Buffer.from(SVG), contentType: 'image/svg+xml' });
    assert.deepEqual(brand.logoDark, { bytes: PNG, contentType: 'image/png' });
    assert.deepEqual(brand.accent, { light: '#7b1fa2', dark: '#ce93d8' });
    assert.equal(brand.supportUrl, 'mailto:help@lark.example');
    assert.equal(brand.termsUrl, 'https://lark.example/terms%20of%20use');
    assert.equal(
      brandCss(brand),
      `:root {
  --accent: light-dark(#7b1fa2, #ce93d8);
  --on-accent: light-dark(#ffffff, #16191d);
  --radius: 4px;
  --font: Inter, "Segoe UI", -apple-system, sans-serif;
}
`,
    );
  });

  it('has an accent for dark backgrounds that can be read, where none is given', () => {
    for (const Accent of ['#1a5fb4', '#000000', '#5c0011', '#767600']) {
      const brand = read({ Name: 'Lark', Accent });
      assert.equal(brand.accent.light, Accent);
      assertReadable(brand);
    }
    assert.deepEqual(read({ Name: 'Lark' }).accent, readBrand(undefined).accent);
  });

  it('is refused where its accent cannot be read, with one that can', () => {
    for (const [field, theme, colour] of [
      ['Accent', 'light', '#f6d32d'],
      ['Accent', 'light', '#ffffff'],
      ['AccentDark', 'dark', '#1a5fb4'],
      ['AccentDark', 'dark', '#000000'],
    ] as const) {
      const valid = { Name: 'Lark', Accent: '#1a5fb4' };
      const told = new RegExp(`${field} ${colour} cannot be read well.* 4.5:1[^]*; (#\\w{6}) would do`);
      assert.throws(
        () => read({ ...valid, [field]: colour }),
        ({ message }: Error) => {
          const [, offered] = told.exec(message) ?? assert.fail(message);
          return read({ ...valid, [field]: offered }).accent[theme] === offered;
        },
      );
    }
    // Very close to the limit: 4.5:1 on white, but less on the background of the page.
    refuses({ Name: 'Lark', Accent: '#767676' }, /Accent #767676/);
  });

  it('refuses CSS, HTML, and unknown fields', () => {
    for (const [fields, message] of [
      [{ Name: '<b>Lark</b>' }, /Name/],
      [{ Name: 'Lark\r\nBcc: all@lark.example' }, /Name/],
      [{ Name: 'x'.repeat(61) }, /Name/],
      [{ Name: undefined }, /Name is required/],
      [{ Accent: 'red' }, /Accent/],
      [{ Accent: '#1a5fb4;}body{display:none' }, /Accent/],
      [{ Radius: '4px' }, /Radius/],
      [{ Radius: 1.5 }, /Radius/],
      [{ FontStack: 'Inter; color: red' }, /FontStack/],
      [{ FontStack: 'Inter}</style>' }, /FontStack/],
      [{ FontStack: 'url(https://evil.example/f.woff)' }, /FontStack/],
      [{ FontStack: '"Inter' }, /FontStack/],
      [{ SupportUrl: 'javascript:alert(1)' }, /SupportUrl/],
      [{ TermsUrl: 'mailto:help@lark.example' }, /TermsUrl/],
      [{ PrivacyUrl: '/privacy' }, /PrivacyUrl/],
      [{ Css: 'body{}' }, /Css is not a known field/],
    ] as const)
      refuses({ Name: 'Lark', ...fields }, message);
    refuses('{', /JSON/);
    refuses('[]', /object/);
    refuses({ Name: 'Lark', Radius: 99, Accent: 'red', Css: 1 }, /3 error/);
  });

  it('accepts a logo from its own folder only', () => {
    mkdirSync(at('other'));
    put('other/logo.svg', SVG);
    put('other/brand.json', JSON.stringify({ Name: 'Lark', Logo: '../logo.svg' }));
    put('logo.svg', SVG);
    assert.throws(() => readBrand(at('other/brand.json')), /Logo must be the name/);
    for (const Logo of ['other/logo.svg', './logo.svg', '..', '/etc/hostname.svg', 'logo.svg\0.png', '.svg'])
      refuses({ Name: 'Lark', Logo }, /Logo must/);
    refuses({ Name: 'Lark', Logo: 'none.svg' }, /Logo cannot be read \(ENOENT\)/);
    refuses({ Name: 'Lark', LogoDark: 'logo.svg' }, /LogoDark goes with/);
  });

  it('follows symbolic links within its folder only', () => {
    mkdirSync(at('..2026'), { recursive: true });
    put('..2026/logo.svg', SVG);
    symlinkSync('..2026', at('..data'));
    symlinkSync('..data/logo.svg', at('logo.svg'));
    assert.ok(read({ Name: 'Lark', Logo: 'logo.svg' }).logo);
    writeFileSync(`${outside}/logo.svg`, SVG);
    symlinkSync(`${outside}/logo.svg`, at('stolen.svg'));
    refuses({ Name: 'Lark', Logo: 'stolen.svg' }, /Logo leads out/);
  });

  it('accepts small images only', () => {
    mkdirSync(at('folder.svg'));
    put('large.svg', SVG.padEnd(256 * 1024 + 1));
    for (const [name, content] of [
      ['text.svg', 'hello'],
      ['text.png', 'hello'],
      ['script.svg', SVG.replace('<path', '<script>alert(1)</script><path')],
      ['handler.svg', SVG.replace('<path', '<path onload="alert(1)"')],
      ['html.svg', SVG.replace('<path', '<foreignObject/><path')],
      ['entity.svg', `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${SVG}`],
      ['link.svg', SVG.replace('<path', '<image href="https://evil.example/x.png"/><path')],
      ['style.svg', SVG.replace('<path', '<style>@import "//evil.example/x.css";</style><path')],
      ['url.svg', SVG.replace('<path', '<path fill="url(https://evil.example/#a)"')],
      ['latin.svg', Buffer.from([...Buffer.from(SVG), 0xe4])],
    ] as const) {
      put(name, content);
      refuses({ Name: 'Lark', Logo: name }, /Logo (?:is not|must)/);
    }
    refuses({ Name: 'Lark', Logo: 'folder.svg' }, /Logo is not a file/);
    refuses({ Name: 'Lark', Logo: 'large.svg' }, /Logo is larger than 256 KB/);
    put('gradient.svg', SVG.replace('<path', '<use xlink:href="#a"/><path fill="url(#b)"'));
    assert.ok(read({ Name: 'Lark', Logo: 'gradient.svg' }).logo);
  });

  it('is refused where there is no such file', () => {
    assert.throws(() => readBrand(at('none.json')), /BRAND_FILE cannot be read \(ENOENT\)/);
    assert.throws(() => readBrand(at()), /BRAND_FILE is not a file/);
  });
});

function assertReadable({ accent, onAccent }: ReturnType<typeof readBrand>): void {
  for (const theme of ['light', 'dark'] as const)
    for (const other of [...BACKGROUNDS[theme], onAccent[theme]])
      assert.ok(contrastOf(accent[theme], other) >= 4.5, `${accent[theme]} on ${other}`);
}
