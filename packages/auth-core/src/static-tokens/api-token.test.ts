import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { createStaticTokens, type KnownToken, type TokenUse } from './api-token.ts';
import { TEST_SECRET } from '../testing/index.ts';

describe('static API tokens', () => {
  const open = (secret = TEST_SECRET) => {
    const kept = new Map<string, KnownToken>();
    const asked: number[] = [];
    const state = { now: 0, fault: undefined as Error | undefined };
    const tokens = createStaticTokens({
      key: Buffer.from(secret),
      now: () => state.now,
      source: async (hashes) => {
        asked.push(hashes.length);
        await turn();
        if (state.fault !== undefined) throw state.fault;
        return hashes.flatMap((hash) => kept.get(hash.toString('hex')) ?? []);
      },
    });
    const add = () => {
      const { token, hash, prefix } = tokens.issue();
      const id = randomUUID();
      kept.set(hash.toString('hex'), { id, hash, role: 'Service', networks: null, isRestricted: false });
      return { id, token, hash, prefix };
    };
    return { tokens, kept, asked, state, add };
  };

  it('begin with sat_ and hold 256 random bits and the CRC-32 of their random part', () => {
    const { tokens } = open();
    const seen = new Set<string>();
    for (let index = 0; index < 1000; index += 1) {
      const { token, hash, prefix } = tokens.issue();
      assert.match(token, /^sat_[0-9A-Za-z]{49}$/);
      assert.equal(prefix, token.slice(0, 12));
      assert.equal(hash.length, 32);
      seen.add(token).add(hash.toString('hex'));
    }
    assert.equal(seen.size, 2000);
    const tokensSeen = [...seen].filter((text) => text.startsWith('sat_'));
    const symbols = tokensSeen.flatMap((token) => token.slice(4, 47).split(''));
    for (const symbol of new Set(symbols)) {
      const share = (62 * symbols.filter((one) => one === symbol).length) / symbols.length;
      assert.ok(share > 0.8 && share < 1.2, `${symbol}: ${share}`);
    }
    assert.equal(new Set(symbols).size, 62);
  });

  it('are refused without a query if the checksum is wrong', () => {
    const { tokens, asked, add } = open();
    const { token } = add();
    const wrong = token.split('').flatMap((symbol, index) => {
      const other = symbol === 'x' ? 'y' : 'x';
      return index < 4 ? [] : [token.slice(0, index) + other + token.slice(index + 1)];
    });
    const swapped = [...wrong, token.slice(0, -1), `${token}0`, 'sat_', token.toUpperCase(), `${token}\n`];
    for (const text of swapped)
      assert.deepEqual(tokens.check(text), { kind: 'refused', code: 'token_invalid' }, text);
    assert.deepEqual(asked, []);
  });

  it('are refused if well-formed but unknown, also under another secret', async () => {
    const { tokens, kept, add } = open();
    const { token } = add();
    assert.deepEqual(await tokens.check(tokens.issue().token), { kind: 'refused', code: 'token_invalid' });
    const other = open('another secret of more than 32 characters');
    other.add();
    for (const [hash, known] of kept) other.kept.set(hash, known);
    assert.deepEqual(await other.tokens.check(token), { kind: 'refused', code: 'token_invalid' });
  });

  it('are cached for half a second from the start of the query', async () => {
    const { tokens, kept, asked, state, add } = open();
    const { token, hash } = add();
    await tokens.check(token);
    kept.delete(hash.toString('hex'));
    state.now = 499;
    assert.equal((await tokens.check(token)).kind, 'service');
    assert.equal(asked.length, 1);
    state.now = 500;
    assert.deepEqual(await tokens.check(token), { kind: 'refused', code: 'token_invalid' });
    assert.equal(asked.length, 2);
  });

  it('are not cached longer if the query was slow', async () => {
    const { tokens, kept, state, add } = open();
    const { token, hash } = add();
    const first = Promise.resolve(tokens.check(token));
    await turn();
    state.now = 2000;
    assert.equal((await first).kind, 'service');
    kept.delete(hash.toString('hex'));
    assert.deepEqual(await tokens.check(token), { kind: 'refused', code: 'token_invalid' });
  });

  it('cost one query for concurrent requests, and a flood of unknown tokens a few, one at a time', async () => {
    const { tokens, asked, add } = open();
    const { token } = add();
    const callers = await Promise.all(Array.from({ length: 200 }, async () => tokens.check(token)));
    assert.ok(callers.every(({ kind }) => kind === 'service'));
    assert.deepEqual(asked, [1]);
    const unknown = Array.from({ length: 600 }, () => tokens.issue().token);
    await Promise.all([...unknown, ...unknown].map(async (one) => tokens.check(one)));
    assert.ok(asked.length < 8, asked.join());
    await Promise.all(unknown.map(async (one) => tokens.check(one)));
    assert.ok(asked.length < 8, 'what is nobody’s is remembered too');
  });

  it('fail with 503 if the lookup fails, and are neither refused nor evicted', async () => {
    const { tokens, state, add } = open();
    const { token } = add();
    state.fault = new Error('the keeper is down');
    await assert.rejects(async () => tokens.check(token), /down/);
    state.fault = undefined;
    assert.equal((await tokens.check(token)).kind, 'service');
    state.fault = new Error('the keeper is down');
    state.now = 400;
    assert.equal((await tokens.check(token)).kind, 'service');
    state.now = 500;
    await assert.rejects(async () => tokens.check(token), /down/);
  });

  it('store when they were used, and retry if that fails', async () => {
    const { tokens, add } = open();
    const { id, token } = add();
    await tokens.check(tokens.issue().token);
    await tokens.flushUses(() => assert.fail('nothing was used'));
    await tokens.check(token);
    const failing = tokens.flushUses(() => Promise.reject(new Error('down')));
    await assert.rejects(failing, /down/);
    const saved: ReadonlyMap<string, TokenUse>[] = [];
    const save = async (uses: ReadonlyMap<string, TokenUse>): Promise<void> => void saved.push(uses);
    await tokens.flushUses(save);
    await tokens.flushUses(save);
    const used = saved.map((uses) => [...uses.keys()]);
    assert.deepEqual(used, [[id]]);
  });

  it('keep their checksum format, which secret scanners know', async () => {
    const { tokens, asked } = open();
    const checked = await tokens.check(`sat_${'0'.repeat(43)}2CZclj`);
    assert.deepEqual(checked, { kind: 'refused', code: 'token_invalid' });
    assert.deepEqual(asked, [1]);
  });
});
