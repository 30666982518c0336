import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fakeAuth, startApi } from '@gatehouse/http/testing';
import { readConsole } from './document.ts';
import { PAGE_TEXTS } from './page-texts.ts';
import { consoleRoutes } from './console-routes.ts';

const PATHS = [
  '/console',
  '/console/sign-in',
  '/console/accounts',
  '/console/accounts/1',
  '/console/accounts/1/audit',
];

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
    for (const odd of ['/console/%2e%2e', '/console/A', '/console/accounts;x', '/console/accounts/..%2f']) {
      assert.equal((await server.http.get(odd)).status, 400, odd);
    }
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
    assert.deepEqual(
      keys.filter((key) => !text.includes(`"${key}":`)),
      [],
    );
  });

  it('has strict security headers, and is not cached', async () => {
    const { headers } = await server.http.get('/console/accounts');
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https://faces.example.com; " +
        "connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(
      headers['permissions-policy'],
      'publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=()',
    );
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
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    }
    await server.http.get('/web/console.json').expect(404);
    await server.http.get('/web/pages.json').expect(404);
  });
});
