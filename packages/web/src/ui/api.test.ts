import assert from 'node:assert/strict';
import { type Problem, problemText, readAnswer } from './api.ts';

async function problemOf(body: string, init: ResponseInit): Promise<Problem> {
  const result = await readAnswer(new Response(body, init));
  assert.ok(!result.ok);
  return result.problem;
}

describe('readAnswer', () => {
  it('returns the value of a successful response, also of an empty one', async () => {
    assert.deepEqual(await readAnswer(Response.json({ A: 1 })), { ok: true, value: { A: 1 } });
    assert.deepEqual(await readAnswer(new Response(null, { status: 204 })), { ok: true, value: {} });
  });

  it('returns all details of an error response', async () => {
    const errors = [{ pointer: '/Email', message: 'is required', code: 'required' }];
    const body = { code: 'account_expired', traceId: 't', errors, LoginStatus: 8, detail: 'd' };
    const problem = await problemOf(JSON.stringify(body), { status: 403, headers: { 'Retry-After': '7' } });
    assert.deepEqual(problem, {
      status: 403,
      code: 'account_expired',
      traceId: 't',
      errors,
      LoginStatus: 8,
      retryAfterSeconds: 7,
      body,
    });
  });

  it('refuses responses of another format', async () => {
    for (const body of [
      '<html>',
      '[]',
      'null',
      '"code"',
      '{"code":1,"errors":[{"pointer":{}}],"LoginStatus":"3"}',
    ]) {
      const { code, errors, LoginStatus, retryAfterSeconds } = await problemOf(body, {
        status: 500,
        headers: { 'Retry-After': 'Sun, 06 Nov 1994 08:49:37 GMT' },
      });
      const said = [code, errors, LoginStatus, retryAfterSeconds];
      assert.deepEqual(said, ['unexpected', [], undefined, undefined]);
    }
  });

  it('detects a gateway without a service behind it', async () => {
    const { code } = await problemOf('<html>', { status: 503 });
    assert.equal(code, 'unavailable');
  });

  it('waits for a day at most', async () => {
    const { retryAfterSeconds } = await problemOf('{}', {
      status: 429,
      headers: { 'Retry-After': '999999999' },
    });
    assert.equal(retryAfterSeconds, 86_400);
  });
});

describe('problemText', () => {
  const problem: Problem = { status: 409, code: 'conflict', traceId: 't', errors: [], body: {} };
  const said = (facts: Partial<Problem>, explanations = {}) =>
    problemText({ ...problem, ...facts }, (key) => key, explanations);

  it('says the reason of the API to administrators, where a code has no words of its own', () => {
    const reason = 'There are 50 webhooks already';
    assert.equal(said({ reason }), reason);
    assert.equal(said({ reason, code: 'invalid_request' }), reason);
    assert.equal(said({ reason }, { conflict: 'own.conflict' }), 'own.conflict');
    assert.equal(said({ reason, code: 'too_many_requests' }), 'problem.too_many_requests');
    assert.equal(said({}), 'problem.unexpected.trace');
  });
});
