import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeAuth, exchangeRaw, startApi } from '@gatehouse/http/testing';
import { filesOf, readAssets, readConsole } from './document.ts';
import { pageRoutes, readPageStyle } from './page-routes.ts';
import { PAGE_TEXTS } from './page-texts.ts';
import { consoleRoutes } from './console-routes.ts';

/** A brand file whose name must be escaped in HTML. */
const BRAND = {
  Name: 'Bridge & Tower',
  Accent: '#7b1fa2',
  Logo: 'logo.svg',
  LogoDark: 'dark.png',
  SupportUrl: 'https://help.example.com/?a=1&b=2',
};
const PUBLIC_URL = 'https://auth.example.com/';
const APP_URL = 'https://app.example.com/';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>';
const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000200000003', 'hex');

const FOREVER = 'public, max-age=31536000, immutable';
/** Headers of files and documents. */
const SHARED = { 'cross-origin-resource-policy': 'same-origin', 'x-content-type-options': 'nosniff' };
/** Headers of documents. */
const STRICT = {
  ...SHARED,
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

describe('pages', () => {
  const assets = readAssets();
  const paths = Object.keys(assets.pages);
  let server: Awaited<ReturnType<typeof startApi<unknown>>>;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brand-'));
    writeFileSync(join(folder, 'logo.svg'), SVG);
    writeFileSync(join(folder, 'dark.png'), PNG);
    writeFileSync(join(folder, 'brand.json'), JSON.stringify(BRAND));
    mkdirSync(join(folder, 'locales'));
    writeFileSync(join(folder, 'locales/fr.json'), JSON.stringify({ 'login.title': '<b>Connexion</b>' }));
    const files = { BRAND_FILE: join(folder, 'brand.json'), LOCALES_DIRECTORY: join(folder, 'locales') };
    const style = readPageStyle(files);
    const urls = { PublicUrl: PUBLIC_URL, AppUrl: APP_URL };
    const routes = pageRoutes({ style, ...urls, PasswordMinLength: 12, EraseAfterDays: 14 });
    server = await startApi({ routes, deps: undefined, auth: fakeAuth({}) });
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('are complete documents before any script runs', async () => {
    assert.ok(paths.includes('/login'));
    for (const path of paths) {
      const { status, text, headers } = await server.http.get(path);
      assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'], path);
      assert.match(text, /^<!doctype html>\n<html lang="en">/);
      assert.match(text, /<h1[^>]*>[^<[]+<\/h1>/, path);
      assert.match(text, /<noscript>.*This page needs JavaScript.*<\/noscript>/, path);
      assert.doesNotMatch(text, /\[\[|undefined/, path);
    }
  });

  for (const [title, path, location] of [
    ['begin at the profile, which asks who you are', '/', '/profile'],
    [
      'tell password managers where a password is changed',
      '/.well-known/change-password',
      '/profile/security',
    ],
  ] as const)
    it(title, () => server.http.get(path).expect(303).expect('location', location));

  it('say in the reader’s language that there is nothing at an unknown address', async () => {
    const { status, text, headers } = await server.http.get('/not-found').set('Accept-Language', 'de-AT');
    assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=utf-8']);
    assert.match(text, /<html lang="de">/);
    assert.match(text, /<a href="\/">Weiter zu Bridge &#38; Tower<\/a>/);
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; /);
  });

  it('do not submit forms without a script, which would put input into the URL', async () => {
    const { text } = await server.http.get('/login');
    assert.match(text, /<form[^>]*method="post"/);
    assert.match(text, /<button type="submit" disabled/);
  });

  it('have strict security headers, and are not cached', async () => {
    for (const path of paths) {
      const { headers } = await server.http.get(path);
      const policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
      assert.match(headers['permissions-policy'] ?? '', /camera=\(\), microphone=\(\), geolocation=\(\)/);
      assert.deepEqual(headers, { ...headers, ...STRICT, 'content-security-policy': policy });
    }
  });

  it('may post the answer of a sign-in to an app that asks for a form, by a policy that no address writes', async () => {
    const policyFor = async (path: string, fields: Record<string, string> = {}) => {
      const { headers } = await server.http.get(`${path}?${new URLSearchParams(fields).toString()}`);
      return String(headers['content-security-policy']);
    };
    const strict = await policyFor('/oauth/authorize');
    const asked = { response_mode: 'form_post', redirect_uri: 'https://app.example.com:8443/back?x=1' };
    for (const [path, fields, scheme] of [
      ['/oauth/authorize', asked, ' https:'],
      ['/oauth/authorize', { ...asked, redirect_uri: 'http://[::1]:8080/back' }, ' http:'],
      ['/oauth/authorize', { ...asked, redirect_uri: 'https://a;require-trusted-types-for' }, ' https:'],
      ['/login', asked, ''],
      ['/oauth/authorize', { ...asked, response_mode: 'query' }, ''],
      ['/oauth/authorize', { ...asked, redirect_uri: 'app://back' }, ''],
      ['/oauth/authorize', { ...asked, redirect_uri: "javascript:alert(1); script-src 'unsafe-inline'" }, ''],
    ] as const) {
      const expected = strict.replace("form-action 'self'", `form-action 'self'${scheme}`);
      assert.equal(await policyFor(path, fields), expected, JSON.stringify(fields));
    }
  });

  it('use the requested language, or that of the browser', async () => {
    const asked = await server.http.get('/login?locale=de&returnUrl=x&reason=session_replaced');
    assert.match(asked.text, /<html lang="de">[^]*Anmelden/);
    for (const liked of ['de-CH, en;q=0.5', 'de_DE']) {
      const { text } = await server.http.get('/login').set('Accept-Language', liked);
      assert.match(text, /<html lang="de">/);
    }
    for (const odd of ['<script>', '%00', 'x'.repeat(35)])
      assert.match((await server.http.get(`/login?locale=${odd}`)).text, /<html lang="en">/);
  });

  it('contain the name of the installation, escaped', async () => {
    const { text } = await server.http.get('/login?locale=fr');
    assert.match(text, /<title>&#60;b&#62;Connexion&#60;\/b&#62; – Bridge &#38; Tower<\/title>/);
    assert.match(text, /<h1[^>]*>&#60;b&#62;Connexion/);
    assert.match(text, /<a href="https:\/\/help.example.com\/\?a=1&#38;b=2">/);
    assert.doesNotMatch(text, /<b>/);
    const data = /<script type="application\/json" id="page-data">([^]*?)<\/script>/.exec(text)?.[1] ?? '';
    const { Messages, Logo, LogoDark, ...facts } = JSON.parse(data);
    const { Name, SupportUrl } = BRAND;
    assert.deepEqual(facts, {
      Locale: 'fr',
      Locales: ['de', 'en', 'fr'],
      Name,
      SupportUrl,
      PublicUrl: PUBLIC_URL,
      AppUrl: APP_URL,
      PasswordMinLength: 12,
      EraseAfterDays: 14,
    });
    assert.match(Messages['password.rule'], /12 characters/);
    assert.equal(Messages['login.title'], '<b>Connexion</b>');
    assert.ok(text.includes(`<img src="${Logo}"`) && text.includes(`srcset="${LogoDark}"`), text);
  });

  it('have the colours and the logo of the brand, each as a file of its own', async () => {
    const { text } = await server.http.get('/login');
    const [, css = ''] = /href="(\/web\/brand-[0-9a-f]{16}\.css)"/.exec(text) ?? [];
    assert.match((await server.http.get(css)).text, /--accent: light-dark\(#7b1fa2, #/);
    const [, logo = ''] = /src="(\/web\/logo-[0-9a-f]{16}\.svg)"/.exec(text) ?? [];
    const { headers, body } = await server.http.get(logo);
    assert.equal(body.toString(), SVG);
    assert.equal(headers['content-security-policy'], DRAWING_POLICY);
    const [, dark = ''] = /srcset="(\/web\/logo-dark-[0-9a-f]{16}\.svg)"/.exec(text) ?? [];
    const drawn = (await server.http.get(dark)).body.toString();
    assert.match(drawn, /^<svg [^>]*viewBox="0 0 2 3"><image [^>]*href="data:image\/png;base64,iVBORw0K/);
  });

  it('load files whose names change with their content, which may be cached forever', async () => {
    const { text } = await server.http.get('/login');
    const names = [...text.matchAll(/"\/web\/([^"]+)"/g)].map(([, name = '']) => name);
    for (const name of [assets.icon, assets.script, assets.style, assets.font])
      assert.ok(names.includes(name), name);
    for (const name of names) {
      assert.match(name, /^[a-z-]+-[0-9a-f]{16}\.(js|css|svg|woff2)$/);
      const { headers } = await server.http.get(`/web/${name}`).expect(200);
      assert.deepEqual(headers, { ...headers, ...SHARED, 'cache-control': FOREVER });
    }
    const font = await server.http.get(`/web/${assets.font}`);
    assert.equal(font.headers['content-type'], 'font/woff2');
    assert.deepEqual(font.body, new Map(filesOf(assets)).get(assets.font));
    const { text: style } = await server.http.get(`/web/${assets.style}`);
    assert.ok(style.includes(`font-display:swap;src:url(${assets.font})`));
    const drawing = await server.http.get(`/web/${assets.icon}`);
    assert.equal(drawing.headers['content-type'], 'image/svg+xml; charset=utf-8');
    assert.equal(drawing.headers['content-security-policy'], DRAWING_POLICY);
  });

  it('serve no other files', async () => {
    for (const path of [
      '/web/',
      '/web',
      '/web/pages.json',
      '/web/../pages.json',
      '/web/%2e%2e/page-routes.ts',
      `/web/${assets.script}/`,
      `/web//${assets.script}`,
      `/WEB/${assets.script}`,
      `/web/${assets.script.toUpperCase()}`,
      '/login/',
      '/LOGIN',
      '//login',
      '/login/../login',
    ]) {
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const answer = await exchangeRaw(server.port, request);
      assert.match(answer, /^HTTP\/1\.1 404 [^]*application\/problem\+json/, path);
    }
  });

  it('accept no other methods', async () => {
    for (const path of ['/login', `/web/${assets.script}`]) {
      assert.equal((await server.http.post(path).send({})).status, 405);
      assert.equal((await server.http.head(path)).status, 200);
    }
  });
});

const PATHS = ['', '/sign-in', '/accounts', '/accounts/1', '/accounts/1/audit'].map(
  (path) => `/console${path}`,
);

describe('the console', () => {
  let server: Awaited<ReturnType<typeof startApi<unknown>>>;
  before(async () => {
    const routes = consoleRoutes({
      faceImageOrigins: ['https://faces.example.com'],
      mailNames: { en: { invitation: 'Invitation' }, de: { invitation: 'Einladung' } },
      consoleUrl: 'https://admin.example.com',
    });
    server = await startApi({ routes, deps: undefined, auth: fakeAuth({}) });
  });
  after(() => server.stop());

  it('is one document for all screens', async () => {
    const texts = new Set<string>();
    for (const path of PATHS) texts.add((await server.http.get(path).expect(200)).text);
    assert.equal(texts.size, 1);
    await server.http.get('/console/a/b/c/d').expect(404);
    for (const odd of ['/console/%2e%2e', '/console/A', '/console/accounts;x', '/console/accounts/..%2f'])
      assert.equal((await server.http.get(odd)).status, 400, odd);
  });

  it('begins at the root of its address, and says when there is nothing at one', async () => {
    const { status, headers } = await server.http.get('/');
    assert.deepEqual([status, headers['location']], [303, '/console']);
    const { text } = await server.http.get('/not-found').expect(404);
    assert.match(text, /<h1 class="page_title">There is nothing at this address<\/h1>/);
  });

  it('has every shared text that its screens and the shared components use', async () => {
    const { text } = await server.http.get('/console').expect(200);
    const used = ['console', 'ui'].flatMap((folder) => {
      const root = new URL(`./${folder}/`, import.meta.url);
      const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
      const sources = files.filter((name) => /\.tsx?$/.test(name));
      return sources.flatMap((name) =>
        readFileSync(new URL(name, root), 'utf8').match(/(?<=')\w+\.[\w.]+(?=')/g),
      );
    });
    const keys = [...new Set(used)].filter((key) => key !== null && key in PAGE_TEXTS);
    assert.ok(keys.length > 50, String(keys.length));
    const missing = keys.filter((key) => !text.includes(`"${key}":`));
    assert.deepEqual(missing, []);
  });

  it('has strict security headers, and is not cached', async () => {
    const { headers } = await server.http.get('/console/accounts');
    const policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https://faces.example.com; " +
      "connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " +
      "require-trusted-types-for 'script'; trusted-types 'none'";
    const permissions =
      'publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=()';
    const own = { 'content-security-policy': policy, 'permissions-policy': permissions };
    assert.deepEqual(headers, { ...headers, ...STRICT, ...own });
  });

  it('calls each kind of mail by its name', async () => {
    assert.ok((await server.http.get('/console')).text.includes('"mails.kind.invitation":"Invitation"'));
    const german = await server.http.get('/console?locale=de');
    assert.ok(german.text.includes('"mails.kind.invitation":"Einladung"'));
  });

  it('loads files whose names change with their content, and no others', async () => {
    const { script, style, icon, font } = readConsole();
    for (const name of [script, style, icon, font]) {
      const { headers } = await server.http.get(`/web/${name}`).expect(200);
      assert.equal(headers['cache-control'], FOREVER);
    }
    await server.http.get('/web/console.json').expect(404);
    await server.http.get('/web/pages.json').expect(404);
  });
});
