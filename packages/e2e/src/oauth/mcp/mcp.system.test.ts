import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { during, eventually } from '@gatehouse/runtime/testing';
import { newAgent } from './agent.ts';
import { startFilms } from './films.ts';

/** With the SDK of the Model Context Protocol on both sides, and the example. */
describe('an MCP server', function () {
  this.timeout(120_000);
  const at = during(() => startFilms());
  let agent: ReturnType<typeof newAgent>;
  let asked: URLSearchParams;
  beforeEach(async () => {
    agent = newAgent(at);
    await assert.rejects(agent.connect(), UnauthorizedError);
    asked = await agent.signIn();
    await agent.connect();
  });
  afterEach(() => agent.close());

  /** The paths that the server has asked Gatehouse for, while something happened. */
  const askedDuring = async (happens: () => Promise<unknown>): Promise<string[]> => {
    const heads: string[] = [];
    at.proxy.tap = ({ direction, frame }) => {
      const [, path] = /^GET (\/[\w./-]+)/.exec(frame.toString('latin1')) ?? [];
      if (direction === 'up' && path !== undefined) heads.push(path);
      return 'pass';
    };
    await happens();
    at.proxy.tap = undefined;
    return heads.filter((path) => path !== '/.well-known/jwks.json');
  };

  it('is found and signed in to by its address alone, and called with tokens that are renewed', async () => {
    const sent = [asked.get('resource'), asked.get('scope'), asked.get('code_challenge_method')];
    assert.deepEqual(sent, [at.resource, 'films:read', 'S256']);
    assert.deepEqual(await agent.tools(), ['list_films', 'add_film']);
    assert.match(await agent.call('list_films'), /^Metropolis/);
    const { tokens } = agent.kept;
    assert.ok(tokens?.refresh_token);
    agent.kept.tokens = { ...tokens, access_token: 'x' };
    assert.match(await agent.call('list_films'), /^Metropolis/);
    assert.notEqual(agent.kept.tokens.refresh_token, tokens.refresh_token);
  });

  it('says which scopes a tool needs, and is called with them once its owner has allowed them', async () => {
    assert.equal(await agent.call('add_film', { title: 'M' }), '403');
    assert.match(await agent.call('list_films'), /^Metropolis/);
    // With a refresh token, which gives no more than before, the SDK does not ask its user.
    delete agent.kept.tokens?.refresh_token;
    assert.equal(await agent.call('add_film', { title: 'M' }), 'has to sign in');
    assert.equal((await agent.signIn()).get('scope'), 'films:read films:write offline_access');
    assert.equal(await agent.call('add_film', { title: 'M' }), 'Added M');
  });

  it('looks at every message of a body, whatever type that has', async () => {
    const [list, add] = ['list_films', 'add_film'].map((name, id) => {
      return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { title: 'M' } } };
    });
    const send = async (body: unknown, type: string) => {
      const authorization = `Bearer ${agent.kept.tokens?.access_token}`;
      const headers = { authorization, 'content-type': type, accept: 'application/json, text/event-stream' };
      const answer = await fetch(at.resource, { method: 'POST', headers, body: JSON.stringify(body) });
      await answer.body?.cancel();
      return answer.status;
    };
    assert.equal(await send([list], 'application/json'), 200);
    for (const type of ['application/json', 'text/plain', 'application/json;', 'Application/JSON, x'])
      for (const body of [add, [add], [list, add]]) assert.equal(await send(body, type), 403, type);
  });

  it('refuses the next call within a second, without asking, once the owner has switched the agent off', async () => {
    const questions = await askedDuring(async () => {
      assert.match(await agent.call('list_films'), /^Metropolis/);
      assert.ok((await at.owner.switchOff()) > 0);
      await eventually(async () => (await agent.call('list_films')) === 'has to sign in', 1);
    });
    assert.deepEqual(questions, []);
    assert.equal(agent.kept.tokens, undefined);
  });

  it('serves agents while Gatehouse is away, and within a second of its return knows who was switched off', async () => {
    await at.proxy.refuse();
    const cutAt = performance.now();
    const cutFor = (seconds: number) => pause(seconds * 1000 - (performance.now() - cutAt));
    for (const second of [1, 3, 5]) {
      await cutFor(second);
      assert.match(await agent.call('list_films'), /^Metropolis/);
    }
    assert.ok((await at.owner.switchOff()) > 0);
    for (const second of [7, 9, 10]) {
      await cutFor(second);
      assert.match(await agent.call('list_films'), /^Metropolis/);
    }
    await at.proxy.heal();
    await eventually(async () => (await agent.call('list_films')) === 'has to sign in', 1);
  });
});
