import assert from 'node:assert/strict';
import { isUuid } from '@gatehouse/schema';
import { hostOfDocument, idOfDocument, readClientDocument } from './client-document.ts';

const URL_OF_IT = 'https://agent.example.com/client.json';
const GOOD = {
  client_id: URL_OF_IT,
  client_name: 'Code Helper',
  redirect_uris: ['http://127.0.0.1/callback', 'https://agent.example.com/back?kept=1'],
};

const read = (changes: object) => readClientDocument(JSON.stringify({ ...GOOD, ...changes }), URL_OF_IT);

describe('the document of an application', () => {
  it('says where answers go, and what it calls itself', () => {
    for (const more of [{}, { token_endpoint_auth_method: 'none', jwks_uri: 'x', grant_types: ['any'] }])
      assert.deepEqual(read(more), { redirectUris: GOOD.redirect_uris, calledItself: 'Code Helper' });
  });

  for (const client_name of [undefined, 7, '', 'x'.repeat(81), 'Visit evil.example', 'Gate\u202Ehouse'])
    it(`need not call itself anything, or ${JSON.stringify(client_name)}`, () =>
      assert.deepEqual(read({ client_name }), { redirectUris: GOOD.redirect_uris, calledItself: undefined }));

  for (const [changes, fault] of [
    [{ client_id: undefined }, 'client_id must'],
    [{ client_id: `${URL_OF_IT}/` }, 'client_id must'],
    [{ client_id: URL_OF_IT.toUpperCase() }, 'client_id must'],
    [{ client_secret: 'x' }, 'client_secret must'],
    [{ client_secret_expires_at: 0 }, 'client_secret must'],
    [{ token_endpoint_auth_method: 'client_secret_basic' }, 'token_endpoint_auth_method must'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'token_endpoint_auth_method must'],
    [{ redirect_uris: undefined }, 'redirect_uris must'],
    [{ redirect_uris: 'https://agent.example.com/' }, 'redirect_uris must'],
    [{ redirect_uris: [] }, 'redirect_uris must'],
    [{ redirect_uris: [7] }, 'redirect_uris must'],
    [{ redirect_uris: Array(21).fill('http://127.0.0.1/') }, 'redirect_uris must'],
    ...[
      'https://evil.example/',
      'https://agent.example.com.evil.example/',
      'https://agent.example.com:8443/',
      'https://www.agent.example.com/',
      'http://agent.example.com/',
      'http://192.168.1.2/',
      'com.example.agent:/back',
      'javascript:alert(1)',
      'https://agent.example.com/#x',
      'https://agent.example.com/?code=1',
      'https://agent.example.com@evil.example/',
      `https://agent.example.com/${'x'.repeat(1024)}`,
    ].map((uri) => [{ redirect_uris: ['http://localhost/cb', uri] }, 'redirect_uris[1] '] as const),
  ] as const)
    it(`is refused with ${JSON.stringify(changes).slice(0, 80)}`, () => {
      const found = read(changes);
      assert.ok('fault' in found && found.fault.startsWith(fault), JSON.stringify(found));
    });

  for (const text of ['', '{', 'null', '[]', '"x"', '<html>'])
    it(`is not ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readClientDocument(text, URL_OF_IT), { fault: 'is no JSON object' }));
});

/** What is no address of a document, each for a reason of its own. */
const WRONG = `
  0198f3c2-7d6e-7b1a-9c55-3f0b5a1c2d3e https://agent.example.com http://agent.example.com/client
  HTTPS://agent.example.com/client https:agent.example.com/client https:///agent.example.com/client
  https://Agent.example.com/client https://agent.example.com./client https://agent.example.com:443/client
  https://agent.example.com:8443/client https://agent.example.com/client?x=1 https://agent.example.com/client?
  https://agent.example.com/client#x https://agent.example.com/client# https://ann@agent.example.com/client
  https://ann:secret@agent.example.com/client https://@agent.example.com/client
  https://agent.example.com/./client https://agent.example.com/a/../client
  https://agent.example.com/%2e%2e/client https://agent.example.com/.. https://bücher.example/client
  https://localhost/client https://inside/client https://127.0.0.1/client https://0x7f.1/client
  https://[::1]/client https://agent_x.example.com/client https://*.example.com/client`
  .trim()
  .split(/\s+/)
  .concat(
    '',
    'https://agent.example.com\\@evil.example/client',
    'https://agent.example.com/a b',
    ' https://agent.example.com/client',
    'https://agent.example.com/client\n',
    `https://agent.example.com/${'x'.repeat(255)}`,
  );

describe('the address of a document', () => {
  for (const [url, host] of [
    ['https://agent.example.com/client.json', 'agent.example.com'],
    ['https://example.com/', 'example.com'],
    ['https://xn--bcher-kva.example/a/b-c_d~e.f', 'xn--bcher-kva.example'],
    ['https://a.example/%7Euser', 'a.example'],
  ] as const)
    it(`is ${url}`, () => assert.equal(hostOfDocument(url), host));

  for (const url of WRONG)
    it(`is not ${JSON.stringify(url.slice(0, 60))}`, () => assert.equal(hostOfDocument(url), undefined));

  it('gives the same id each time, and every other address another one', () => {
    const id = idOfDocument('https://agent.example.com/client');
    assert.equal(id, idOfDocument('https://agent.example.com/client'));
    assert.notEqual(id, idOfDocument('https://agent.example.com/client2'));
    assert.ok(isUuid(id));
    assert.match(id, /^.{14}8.{4}[89ab]/);
  });
});
