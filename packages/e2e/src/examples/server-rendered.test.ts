import assert from 'node:assert/strict';
import { cp, symlink } from 'node:fs/promises';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { authenticator, PASSWORD, someAddress, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { during, testFolder, serve } from '@gatehouse/runtime/testing';
import { routed, startServices, type Services } from '../requests/services.ts';
import { runProgram } from '../testing/run-program.ts';
import { writeClient } from './write-client.ts';

describe('the example of a server-rendered app', function () {
  this.timeout(120_000);
  const app = during(() => runApp(folder));
  const folder = testFolder();

  const newPerson = () => app.services.core.newAccount();
  const login = ({ email }: { email: string }) => ({ email, password: PASSWORD });

  it('signs in with a cookie, and gives the browser no token', async () => {
    const person = await newPerson();
    const visit = newBrowser(app.origin);
    assert.match((await visit('/')).text, /action="\/login"/);
    const answer = await visit('/login', login(person));
    assert.deepEqual([answer.status, answer.location], [303, '/']);
    assert.match(answer.cookie ?? '', /^__Host-app=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const home = await visit('/');
    assert.ok(home.text.includes(person.id));
    assert.doesNotMatch(JSON.stringify([answer, home]), /eyJhbGci/);
    assert.match((await newBrowser(app.origin)('/')).text, /action="\/login"/);
    assert.deepEqual([...app.forwarded], ['127.0.0.1']);
  });

  it('refuses a wrong password, and forms of other sites', async () => {
    const person = await newPerson();
    const visit = newBrowser(app.origin);
    const wrong = await visit('/login', { ...login(person), password: 'a wrong password' });
    assert.deepEqual([wrong.status, wrong.cookie], [401, undefined]);
    for (const site of ['cross-site', 'same-site', 'none']) {
      const forged = await visit('/login', login(person), { 'sec-fetch-site': site });
      assert.deepEqual([forged.status, forged.cookie], [403, undefined], site);
    }
  });

  it('asks for the second factor, and changes the cookie with each step', async () => {
    const person = await newPerson();
    const phone = await switchOnTwoFactor(app.services.app, person.id);
    const visit = newBrowser(app.origin);
    const first = await visit('/login', login(person));
    assert.match((await visit('/')).text, /action="\/code"/);
    assert.equal((await visit('/code', { code: phone.wrongCode() })).status, 401);
    const second = await visit('/code', { code: phone.nextCode() });
    assert.deepEqual([second.status, second.location], [303, '/']);
    assert.notEqual(second.cookie, first.cookie);
    assert.ok((await visit('/')).text.includes(person.id));
    const before = await newBrowser(app.origin)('/', undefined, { cookie: first.cookie?.split(';')[0] });
    assert.match(before.text, /action="\/login"/);
  });

  it('sets up the second factor if it is required, and shows the recovery codes once', async () => {
    const person = await newPerson();
    await app.services.sql('update account set two_factor_required = true where id = ?', [person.id]);
    const visit = newBrowser(app.origin);
    await visit('/login', login(person));
    const [, secret = ''] = /<code>(\w+)<\/code>/.exec((await visit('/')).text) ?? [];
    await visit('/code', { code: authenticator(app.services.app, secret).codeAt() });
    assert.match((await visit('/')).text, /Keep these codes: \S/);
    const later = await visit('/');
    assert.ok(later.text.includes(person.id) && !later.text.includes('Keep these codes'));
  });

  it('opens the account pages for this session only', async () => {
    const visit = newBrowser(app.origin);
    assert.equal((await visit('/account')).location, '/');
    await visit('/login', login(await newPerson()));
    const { status, location } = await visit('/account');
    assert.equal(status, 303);
    assert.match(location ?? '', /#HandoverCode=/);
  });

  it('shows that a later login has ended the session', async () => {
    const person = await newPerson();
    const visit = newBrowser(app.origin);
    await visit('/login', login(person));
    assert.ok((await visit('/')).text.includes(person.id));
    await newBrowser(app.origin)('/login', login(person));
    const over = await visit('/');
    assert.match(over.text, /You signed in elsewhere/);
    assert.match(over.cookie ?? '', /^__Host-app=;/);
  });

  it('signs out here and in Gatehouse', async () => {
    const person = await newPerson();
    const visit = newBrowser(app.origin);
    const { cookie } = await visit('/login', login(person));
    const out = await visit('/logout', {});
    assert.deepEqual([out.status, out.location], [303, '/']);
    const again = await newBrowser(app.origin)('/', undefined, { cookie: cookie?.split(';')[0] });
    assert.match(again.text, /action="\/login"/);
    const open = 'select id from user_session where account_id = ? and ended_at is null';
    assert.deepEqual(await app.services.sql(open, [person.id]), []);
  });

  it('escapes names', async () => {
    // A module of the example, which has no types.
    const pages = (await import(join(folder, 'pages.mjs'))) as { accountPage(session: object): string };
    const shown = pages.accountPage({ accountId: `<script>"'&`, role: 'User' });
    assert.ok(shown.includes('&lt;script&gt;&quot;&#39;&amp;'));
  });
});

const EXAMPLE = fileURLToPath(new URL('../../../../examples/server-rendered/', import.meta.url));
const ofHttp = createRequire(new URL('../../../http/package.json', import.meta.url));

/** Failed logins are counted by address, in a Redis that other tests also use. */
const ADDRESS = someAddress();

async function runApp(folder: string) {
  const services = await startServices();
  const forwarded = new Set<string | string[] | undefined>();
  const gateway = await serve((message, response) => {
    forwarded.add(message.headers['x-forwarded-for']);
    passOn(services, message, response);
  });
  await cp(EXAMPLE, folder, { recursive: true });
  await writeClient(join(folder, 'node_modules/gatehouse-client'));
  await symlink(dirname(ofHttp.resolve('express/package.json')), join(folder, 'node_modules/express'));
  const settings = { GATEHOUSE: gateway.url, PORT: '0' };
  const app = runProgram(process.execPath, [join(folder, 'app.mjs')], { settings });
  return {
    ...{ services, forwarded },
    origin: await app.greeting,
    stop: async () => {
      await app.stop();
      await gateway.stop();
      await services.stop();
    },
  };
}

function passOn(services: Services, message: IncomingMessage, response: ServerResponse): void {
  const { method = '', url = '/', headers } = message;
  const sent = { ...headers, 'x-forwarded-for': ADDRESS };
  const asked = request(services.url(routed(method, url).api) + url, { method, headers: sent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', () => response.destroy());
  message.pipe(asked);
}

/**
 * A browser without scripts: it stores one cookie, submits a form if one is given, and follows no redirect. `cookie`: as
 * it was set, if it was.
 */
function newBrowser(origin: string) {
  let kept = '';
  return async (path: string, form?: Record<string, string>, more: object = {}) => {
    const response = await fetch(origin + path, {
      redirect: 'manual',
      headers: { cookie: kept, ...more },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) kept = cookie.split(';')[0] ?? '';
    const location = response.headers.get('location');
    return { status: response.status, text: await response.text(), location, cookie };
  };
}
