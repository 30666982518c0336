import assert from 'node:assert/strict';
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { readAudit } from '@gatehouse/accounts/testing';
import { clientDocuments, connectDb, query } from '@gatehouse/db';
import { databaseUrlAs } from '@gatehouse/db/testing';
import { createProxyFor, type DueWork } from '@gatehouse/runtime';
import { during, eventually, startProxy, testAuthority, testLog, serve } from '@gatehouse/runtime/testing';
import { forgetAgents } from '../../../../services/core/src/oauth/agents/find-agent.ts';
import {
  claimsIn,
  newPkce,
  SAME_ORIGIN,
  startOAuthCore,
} from '../../../../services/core/src/oauth/testing.ts';
import { someAddress } from '../../../../services/core/src/testing/index.ts';
import {
  createFetchDocument,
  startFetchingDocuments,
} from '../../../../services/hook-worker/src/document/fetch-documents.ts';
import { newSignIn } from './mcp/agent.ts';

const HOST = 'agent.example.com';
const CALLBACK = 'http://127.0.0.1/callback';
const API = 'https://mcp.example.com/mcp';

type Tokens = Record<'access_token' | 'refresh_token' | 'id_token', string>;

/** Core, a hook worker with its own rights, and a host on the Internet that has documents. */
async function start() {
  const authority = testAuthority();
  const documents = new Map<string, string>();
  const asked: string[] = [];
  const host = await serve(({ url = '' }, response) => {
    asked.push(url);
    const document = documents.get(url);
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(document);
  }, authority.issue(HOST));
  const proxy = await startProxy(host);
  const rules = { hosts: [HOST], scopes: ['openid', 'email', 'offline_access', 'files.write'] };
  const agents = { ...rules, resources: [API], waiting: new Map<string, never>() };
  const core = await startOAuthCore({}, undefined, { agents });
  const workerDb = connectDb({
    url: databaseUrlAs(core.app.settings.DATABASE_URL, 'hook-worker'),
    ...{ applicationName: 'agents', poolMax: 2 },
  });
  const fetchDocument = createFetchDocument({
    ...{ ca: authority.pem, lookUp: async () => ['93.184.216.34'] },
    proxyFor: createProxyFor({ HTTPS_PROXY: proxy.url }),
  });
  const log = testLog();
  const startWorker = (): DueWork => startFetchingDocuments({ db: workerDb, fetchDocument, log });
  let worker = startWorker();
  return {
    ...core,
    ...{ agents, asked, workerDb },
    publish: (path: string, document: object) => documents.set(path, JSON.stringify(document)),
    withoutWorker: async (work: () => Promise<void>) => {
      await worker.close();
      await work();
      worker = startWorker();
    },
    stop: async () => {
      await worker.close();
      await workerDb.destroy();
      await core.stop();
      await proxy.stop();
      await host.stop();
    },
  };
}

describe('an application that says in a document what it is', () => {
  const at = during(start);
  let ann: Awaited<ReturnType<typeof at.signIn>>;
  let path: string;
  let url: string;
  let count = 0;
  beforeEach(async () => {
    path = `/clients/${(count += 1)}`;
    url = `https://${HOST}${path}`;
    at.publish(path, document());
    ann = await at.signIn();
    // Of all documents together, only so many are fetched in a minute.
    await at.sql('delete from client_document');
  });

  const document = (changes: object = {}) => ({
    ...{ client_id: url, client_name: 'Code Helper', redirect_uris: [CALLBACK], unknown: { any: 'thing' } },
    ...changes,
  });
  const askedFor = (more: Record<string, string> = {}) => ({
    ...{ client_id: url, redirect_uri: 'http://127.0.0.1:51234/callback', response_type: 'code' },
    ...{ scope: 'openid email offline_access', ...newPkce().asked },
    ...more,
  });
  const authorize = async (more: Record<string, string> = {}, fields: object = {}) =>
    at.authorize(ann, askedFor(more), fields, { ...SAME_ORIGIN, 'x-forwarded-for': someAddress() });
  const exchange = (form: Record<string, string>, as = url) => at.sendToken({ id: as, secret: '' }, form);
  const allow = async (more: Record<string, string> = {}) => {
    const { body: question } = await authorize(more);
    return authorize(more, { Consent: 'granted', ConsentTo: question['ConsentTo'] });
  };
  const open = async (more: Record<string, string> = {}): Promise<Tokens> => {
    const { verifier, asked } = newPkce();
    const { back, body } = await allow({ ...more, ...asked });
    const code = back?.get('code');
    assert.ok(code, JSON.stringify(body));
    const given = { grant_type: 'authorization_code', code, code_verifier: verifier };
    const answer = await exchange({ ...given, redirect_uri: 'http://127.0.0.1:51234/callback' });
    assert.equal(answer.status, 200, answer.text);
    return answer.body as Tokens;
  };
  const refreshed = ({ refresh_token }: Tokens, as?: string) =>
    exchange({ grant_type: 'refresh_token', refresh_token }, as);
  const userinfo = async ({ access_token: token }: { access_token: string }) =>
    (await at.userinfo(token)).status;
  const stored = () =>
    query.column<string>(at.app.db, 'select id from oauth_client where document_url = ?', [url]);
  const refusal = async () => {
    const { length } = at.app.lines;
    const { body } = await authorize();
    const line = await eventually(() =>
      at.app.lines.slice(length).find((one) => one['clientDocument'] === url),
    );
    return [body['Kind'], body['Code'], line['problem']];
  };
  const setBack = (column: string, time: string) =>
    at.sql(
      `update client_document set wanted_at = wanted_at - interval '${time}', ${column} = ${column} - interval '${time}' where url = ?`,
      [url],
    );

  it('signs in whoever lets it in, and asks each time, with its host', async () => {
    const { body: question } = await authorize();
    const { Kind, Client, Outlives } = question as Record<string, unknown>;
    assert.deepEqual([Kind, Client, Outlives], ['Consent', { Name: 'Code Helper', Host: HOST }, true]);
    assert.deepEqual(await stored(), []);

    const tokens = await open();
    assert.equal(claimsIn(tokens.id_token)['aud'], url);
    const clientId = String(claimsIn(tokens.access_token)['client_id']);
    assert.deepEqual(await stored(), [clientId]);
    assert.equal(await userinfo(tokens), 200);
    assert.equal((await refreshed(tokens)).status, 200);
    assert.equal((await authorize({ id_token_hint: tokens.id_token })).body['Kind'], 'Consent');
    assert.equal((await authorize({ prompt: 'none' })).back?.get('error'), 'consent_required');

    const { Token } = await at.login(ann);
    const { body } = await at.get('/account/grant', { Token });
    const [grant] = (body as { Items: Record<string, string>[] }).Items;
    assert.deepEqual([grant?.['AppId'], grant?.['Name']], [clientId, `${HOST} (Code Helper)`]);
    const { entries } = await readAudit(at.app, { action: 'client.created', actorId: ann.id });
    assert.deepEqual(entries[0]?.details, {
      Name: `${HOST} (Code Helper)`,
      DocumentUrl: url,
      RedirectUris: [CALLBACK],
    });
    const shown = { client_id: url, token: tokens.refresh_token };
    const revoked = await at.http.post('/oauth/revoke').type('form').send(shown);
    assert.equal(revoked.status, 200);
    assert.equal((await refreshed(tokens)).status, 400);
  });

  it('may be a client of MCP, which finds out by itself that it needs no registration', async () => {
    const clientMetadata = { redirect_uris: [CALLBACK], scope: 'openid files.write' };
    const { kept, provider } = newSignIn(CALLBACK, { clientMetadataUrl: url, clientMetadata });
    const { ISSUER: serverUrl } = at.app.settings;
    const fetchFn = (to: string | URL, init?: RequestInit) =>
      fetch(to.toString().replace(serverUrl, at.url), init);
    assert.equal(await auth(provider, { serverUrl, fetchFn }), 'REDIRECT');
    const asked = Object.fromEntries(kept.asked?.searchParams ?? []);
    assert.equal(asked['client_id'], url);
    const authorizationCode = (await allow(asked)).back?.get('code') ?? '';
    assert.equal(await auth(provider, { serverUrl, fetchFn, authorizationCode }), 'AUTHORIZED');
    // It refreshes them.
    assert.equal(await auth(provider, { serverUrl, fetchFn }), 'AUTHORIZED');
    assert.equal(await userinfo(kept.tokens ?? assert.fail()), 200);
  });

  it('gets tokens for the APIs and with the scopes of the settings, and for no others', async () => {
    const tokens = await open({ resource: API, scope: 'files.write offline_access admin' });
    const { aud, scope } = claimsIn(tokens.access_token);
    assert.deepEqual([aud, scope], [API, 'files.write offline_access']);
    const { back } = await authorize({ resource: 'https://other.example.com' });
    assert.equal(back?.get('error'), 'invalid_target');
  });

  it('goes by the address of its document alone', async () => {
    const tokens = await open();
    const clientId = String(claimsIn(tokens.access_token)['client_id']);
    assert.equal((await authorize({ client_id: clientId })).body['Code'], 'unknown_client');
    const other = await refreshed(tokens, clientId);
    const answered = [other.status, (other.body as Record<string, string>)['error']];
    assert.deepEqual(answered, [401, 'invalid_client']);
    assert.equal((await refreshed(tokens, `${url}x`)).status, 401);
    const code = (await authorize({ redirect_uri: 'http://127.0.0.1/other' })).body['Code'];
    assert.equal(code, 'redirect_uri_mismatch');
  });

  it('is shown by its host alone if we would not repeat what it calls itself', async () => {
    at.publish(path, document({ client_name: 'Win at www.evil.example' }));
    const { Client } = (await authorize()).body as Record<string, unknown>;
    assert.deepEqual(Client, { Name: HOST, Host: HOST });
    const { body } = await at.authorize(undefined, askedFor());
    assert.deepEqual((body as Record<string, unknown>)['Client'], { Name: HOST });
  });

  it('is refused if its host is not admitted, and nobody fetches anything', async () => {
    const { length } = at.asked;
    url = 'https://other.example.com/client';
    assert.deepEqual(await refusal(), ['Refused', 'unknown_client', 'its host is not in AGENT_HOSTS']);
    assert.deepEqual(await at.sql('select 1 from client_document where url = ?', [url]), []);
    assert.equal(at.asked.length, length);
    assert.equal((await exchange({ grant_type: 'refresh_token', refresh_token: 'x' })).status, 401);
  });

  it('is refused for a minute if its document is wrong or missing, and the log says why', async () => {
    at.publish(path, document({ client_id: `${url}/other` }));
    const fault = 'client_id must be the address of the document';
    assert.deepEqual(await refusal(), ['Refused', 'unknown_client', fault]);
    at.publish(path, document());
    assert.deepEqual((await refusal())[1], 'unknown_client');
    assert.equal(at.asked.filter((one) => one === path).length, 1);
    await setBack('answered_at', '1 minute');
    assert.equal((await authorize()).body['Kind'], 'Consent');
    url = `${url}/nothing`;
    assert.deepEqual((await refusal())[2], 'could not be fetched: status 404');
  });

  it('is what its document said within the last hour', async () => {
    const tokens = await open();
    at.publish(path, document({ redirect_uris: [CALLBACK, `https://${HOST}/back`] }));
    const asked = { redirect_uri: `https://${HOST}/back` };
    assert.equal((await authorize(asked)).body['Code'], 'redirect_uri_mismatch');
    assert.equal(at.asked.filter((one) => one === path).length, 1);
    await setBack('expires_at', '1 hour');
    assert.ok((await allow(asked)).back?.get('code'));
    const { entries } = await readAudit(at.app, { action: 'client.changed', actorId: ann.id });
    assert.equal(entries.length, 1);
    assert.equal((await refreshed(tokens)).status, 200);
  });

  it('waits for one fetch, however many ask, and for ten a minute from one address', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => authorize()));
    assert.deepEqual(new Set(answers.map(({ body }) => body['Kind'])), new Set(['Consent']));
    assert.equal(at.asked.filter((one) => one === path).length, 1);
    const headers = { ...SAME_ORIGIN, 'x-forwarded-for': someAddress() };
    const others = Array.from({ length: 11 }, (_, number) => askedFor({ client_id: `${url}/${number}` }));
    const sent = await Promise.all(others.map((asked) => at.authorize(ann, asked, {}, headers)));
    assert.equal(sent.filter(({ status }) => status === 429).length, 1);
  });

  it('is not there while no hook worker runs, and nobody waits for long', async () => {
    await at.withoutWorker(async () => {
      const startedAt = performance.now();
      const [{ status }] = await Promise.all([authorize(), at.http.get('/ping').expect(200)]);
      assert.equal(status, 503);
      assert.ok(performance.now() - startedAt < 4500);
    });
    await eventually(async () => (await authorize()).body['Kind'] === 'Consent');
  });

  const twentyOthers = `insert into client_document (url, taken_at)
    select 'https://full.example/' || n, now() from generate_series(1, 20) n`;

  it('is fetched again however many others were within the minute, once it is known', async () => {
    await open();
    await setBack('expires_at', '1 hour');
    await at.sql(twentyOthers);
    assert.equal((await authorize()).body['Kind'], 'Consent');
  });

  it('is not fetched if too many others were within the minute', async () => {
    await at.sql(twentyOthers);
    const startedAt = performance.now();
    assert.equal((await authorize()).status, 503);
    assert.ok(performance.now() - startedAt < 2000);
  });

  const admittedLongAgo = () => {
    const sql = `update oauth_client set admitted_at = now() - interval '11 minutes' where document_url = ?`;
    return at.sql(sql, [url]);
  };

  it('lives while one instance admits it, so that the settings may grow one by one', async () => {
    const tokens = await open();
    const earlier = { ...at.agents, resources: [] };
    await forgetAgents(at.app.service, earlier);
    assert.equal(await userinfo(tokens), 200);
    await admittedLongAgo();
    await forgetAgents(at.app.service, at.agents);
    await forgetAgents(at.app.service, earlier);
    assert.equal(await userinfo(tokens), 200);
  });

  it('ends with the admission of its host, or of what it may ask for, within a second', async () => {
    for (const less of [{ hosts: ['other.example.com'] }, { resources: [] }, { scopes: ['openid'] }]) {
      const tokens = await open();
      await forgetAgents(at.app.service, at.agents);
      assert.equal(await userinfo(tokens), 200);
      await admittedLongAgo();
      await forgetAgents(at.app.service, { ...at.agents, ...less });
      await eventually(async () => (await userinfo(tokens)) === 401, 1);
      assert.equal((await refreshed(tokens)).status, 401);
    }
    const { entries } = await readAudit(at.app, { action: 'client.deleted' });
    assert.ok(entries.some(({ details }) => details['Name'] === `${HOST} (Code Helper)`));
  });

  it('is forgotten once it is a day old and nobody is signed in to it, unless administrators have limited it', async () => {
    const tokens = await open();
    const age = `update oauth_client set created_at = now() - interval '25 hours' where document_url = ?`;
    await at.sql(age, [url]);
    await at.sql('delete from oauth_code');
    await forgetAgents(at.app.service, at.agents);
    assert.equal((await stored()).length, 1);
    await at.http.post('/oauth/revoke').type('form').send({ client_id: url, token: tokens.refresh_token });
    const sql = 'update oauth_client set groups = cast(? as text[]) where document_url = ?';
    const limit = (groups: string) => at.sql(sql, [groups, url]);
    await limit('{staff}');
    await forgetAgents(at.app.service, at.agents);
    assert.equal((await stored()).length, 1);
    await limit('{}');
    await forgetAgents(at.app.service, at.agents);
    assert.deepEqual(await stored(), []);
  });

  it('is one of fifty that an account lets in', async () => {
    const fifty = `with client as (
         insert into oauth_client (id, document_url, name, is_public, redirect_uris, scopes, grant_types, roles, grants)
         select gen_random_uuid(), 'https://' || n || '.example.com/' || :id, 'x', true, '{}', '{}', '{}', '{User}', 'own'
         from generate_series(1, 50) n
         returning id)
       insert into oauth_consent (account_id, client_id, scopes) select cast(:id as uuid), id, '{openid}' from client`;
    await at.sql(fifty, { id: ann.id });
    assert.equal((await allow()).back?.get('error'), 'access_denied');
  });

  it('gains nothing from a hook worker that was taken over', async () => {
    const forge = (said: object) =>
      clientDocuments.answer(at.workerDb, url, { body: JSON.stringify(document(said)), seconds: 9e8 });
    const documents = async () => {
      const rows =
        'select body, expires_at < now() + interval \'25 hours\' as "isBounded" from client_document where url = ?';
      return query<{ body: string; isBounded: boolean }>(at.app.db, rows, [url]);
    };
    // What was not asked for, or was answered.
    await forge({});
    assert.deepEqual(await documents(), []);
    await authorize();
    await forge({ redirect_uris: ['https://evil.example/'] });
    assert.ok(!(await documents())[0]?.body.includes('evil'));
    // What is asked for now: it can say no more than the host could.
    await at.withoutWorker(async () => {
      url = `${url}/forged`;
      const asking = refusal();
      await eventually(async () => (await clientDocuments.take(at.workerDb, 1)).length === 1);
      await forge({ redirect_uris: ['https://evil.example/'] });
      assert.match(String((await asking)[2]), /redirect_uris\[0\] must have the host/);
      assert.ok((await documents())[0]?.isBounded);
    });
  });
});
