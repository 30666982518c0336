import assert from 'node:assert/strict';
import { authKnowing, exchangeRaw, startApi } from '@gatehouse/http/testing';
import { readAssets } from './assets.ts';
import { pageRoutes } from './page-routes.ts';

const FACTS = {
  Name: 'Bridge & <Tower>',
  SupportUrl: 'https://help.example.com/?a=1&b="2"',
  ReturnUrls: ['https://app.example.com/'],
  PasswordMinLength: 12,
};

describe('pages', () => {
  const assets = readAssets();
  const paths = Object.keys(assets.pages);
  let server: Awaited<ReturnType<typeof startApi<unknown>>>;
  before(async () => {
    server = await startApi({ routes: pageRoutes(FACTS), deps: undefined, auth: authKnowing({}) });
  });
  after(() => server.stop());

  it('are whole documents before any script runs', async () => {
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

  it('send no form by themselves: what was typed would stand in an address', async () => {
    const { text } = await server.http.get('/login');
    assert.match(text, /<form[^>]*method="post"/);
    assert.match(text, /<button type="submit" disabled/);
  });

  it('are told to browsers with every restriction, and are kept by nobody', async () => {
    for (const path of paths) {
      const { headers } = await server.http.get(path);
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; " +
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      );
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(headers['permissions-policy'] ?? '', /camera=\(\), microphone=\(\), geolocation=\(\)/);
    }
  });

  it('speak the language that is asked for, or that the browser likes', async () => {
    const asked = await server.http.get('/login?locale=de&returnUrl=x&reason=session_replaced');
    assert.match(asked.text, /<html lang="de">[^]*Anmelden/);
    const liked = await server.http.get('/login').set('Accept-Language', 'de-CH, en;q=0.5');
    assert.match(liked.text, /<html lang="de">/);
    for (const odd of ['<script>', '%00', 'x'.repeat(35)]) {
      assert.match((await server.http.get(`/login?locale=${odd}`)).text, /<html lang="en">/);
    }
  });

  it('hold what the installation is called, and let no name be markup', async () => {
    const { text } = await server.http.get('/login');
    assert.match(text, /<title>Sign in – Bridge &#38; &#60;Tower&#62;<\/title>/);
    assert.match(text, /<a href="https:\/\/help.example.com\/\?a=1&#38;b=&#34;2&#34;">/);
    assert.doesNotMatch(text, /<Tower>/);
    const data = /<script type="application\/json" id="page-data">([^]*?)<\/script>/.exec(text)?.[1] ?? '';
    const { Messages, ...facts } = JSON.parse(data);
    assert.deepEqual(facts, { Locale: 'en', Locales: ['en', 'de'], ...FACTS });
    assert.match(Messages['password.rule'], /12 characters/);
  });

  it('load files whose names change with their content, which may be kept for ever', async () => {
    const { text } = await server.http.get('/login');
    const names = [...text.matchAll(/"\/web\/([^"]+)"/g)].map(([, name = '']) => name);
    assert.deepEqual(names.toSorted(), [assets.icon, assets.script, assets.style].toSorted());
    for (const name of names) {
      assert.match(name, /^[a-z]+-[0-9a-f]{16}\.(js|css|svg)$/);
      const { status, headers } = await server.http.get(`/web/${name}`);
      assert.equal(status, 200, name);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
    const drawing = await server.http.get(`/web/${assets.icon}`);
    assert.equal(drawing.headers['content-type'], 'image/svg+xml; charset=utf-8');
    assert.equal(
      drawing.headers['content-security-policy'],
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  });

  it('have no other files, however they are asked for', async () => {
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
      const answer = await exchangeRaw(
        server.port,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1\.1 404 [^]*application\/problem\+json/, path);
    }
  });

  it('take no other methods', async () => {
    for (const path of ['/login', `/web/${assets.script}`]) {
      assert.equal((await server.http.post(path).send({})).status, 405);
      assert.equal((await server.http.head(path)).status, 200);
    }
  });
});
