import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { testDatabase } from '@gatehouse/db/testing';
import { startService } from '@gatehouse/http/testing';
import { endings, openTlsProxy, startProxy, testAuthority, useFolder } from '@gatehouse/runtime/testing';
import { ADMIN_URL, personClaims, RETURN_URL } from './testing/browser.ts';
import { CLIENT, startProvider } from './testing/provider.ts';

const NAME = 'idp.example.com';

describe('a sign-on where only a proxy reaches the identity provider', () => {
  const authority = testAuthority();
  const pathOf = useFolder();
  const endWith = endings();

  it('goes through it from the discovery to the claims, and opens a session', async () => {
    const email = someEmail();
    const { name, ...person } = personClaims(email);
    const provider = await startProvider({ person, userInfo: { ...person, name } }, 0, `https://${NAME}`);
    const tls = await openTlsProxy(`http://127.0.0.1:${provider.port}`, authority.issue(NAME));
    const proxy = await startProxy({ port: tls.port });
    const database = await testDatabase();
    for (const end of [provider.stop, tls.close, proxy.stop, database.drop]) endWith(end);
    writeFileSync(pathOf('ca.pem'), authority.pem);
    const corp = { id: 'corp', issuer: provider.issuer, ...CLIENT, trustEmail: true, provisioning: 'jit' };
    const admin = await startService('admin', {
      DATABASE_URL: database.urlAs('admin'),
      ADMIN_URL,
      SSO_PROVIDERS: JSON.stringify([{ ...corp, returnUrls: [RETURN_URL] }]),
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: pathOf('ca.pem'),
    });
    endWith(admin.stop);

    const begun = await admin.http.get('/auth/corp/login').redirects(0).expect(303);
    const { pathname, search, host } = new URL(String(begun.headers['location']));
    assert.equal(host, NAME);
    const page = await fetch(`http://127.0.0.1:${provider.port}${pathname}${search}`, { redirect: 'manual' });
    const callback = new URL(page.headers.get('location') ?? '');
    const [cookie = ''] = String(begun.headers['set-cookie']).split(';');
    const back = `${callback.pathname}${callback.search}`;
    const ended = await admin.http.get(back).set({ cookie }).redirects(0).expect(303);

    const returned = new URL(String(ended.headers['location']));
    assert.equal(returned.searchParams.get('error'), null);
    assert.ok(returned.searchParams.get('corp_token'));
    const statement = 'select display_name as name from account where email = ?';
    assert.deepEqual(await query(database.db, statement, [email]), [{ name }]);
    const seen = ['/.well-known/openid-configuration', '/authorize', '/token', '/jwks', '/userinfo'];
    assert.deepEqual(provider.seen, seen);
    assert.deepEqual(proxy.asked, Array<string>(4).fill(`${NAME}:443`));
  });
});
