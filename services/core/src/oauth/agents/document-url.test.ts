import assert from 'node:assert/strict';
import { isUuid } from '@gatehouse/schema';
import { hostOfDocument, idOfDocument } from './client-document.ts';

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
