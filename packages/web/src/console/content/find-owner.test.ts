import assert from 'node:assert/strict';
import type { CallApi } from '../api/call-api.ts';
import { findOwner, shownOwner } from './find-owner.ts';

describe('the owner in the dialog for content', () => {
  const [id, other] = ['0198f4a1-0000-7000-8000-000000000001', '0198f4a1-0000-7000-8000-000000000002'];
  /** An API that knows one account besides the owner. */
  const callApi = ((_: string, { query }: { query: { email: string } }) =>
    Promise.resolve({
      ok: true,
      value: { Items: query.email === 'bob@example.com' ? [{ Id: other }] : [] },
    })) as unknown as CallApi; // the only call that is used

  for (const email of ['ann@example.com', undefined]) {
    const owner = { id, email };
    const how = email === undefined ? 'whose email is unknown' : 'whose email is known';
    const found = async (typed: string) => {
      const result = await findOwner(callApi, typed, owner);
      return result.ok ? result.value : result.problem.errors[0]?.code;
    };

    it(`stays if the field is left as it is (one ${how})`, async () => {
      assert.equal(await found(shownOwner(owner)), id);
    });

    it(`is removed by emptying the field (one ${how})`, async () => {
      assert.notEqual(shownOwner(owner), '');
      assert.equal(await found(' '), null);
    });

    it(`is replaced by another account (one ${how}), if there is such an account`, async () => {
      assert.equal(await found('bob@example.com'), other);
      assert.equal(await found('nobody@example.com'), 'unknown_object');
    });
  }

  it('stays if its email becomes known while the field shows the id', async () => {
    const owner = { id, email: 'ann@example.com' };
    assert.deepEqual(await findOwner(callApi, id, owner), { ok: true, value: id });
  });

  it('may be nobody', async () => {
    assert.deepEqual(await findOwner(callApi, '', undefined), { ok: true, value: null });
  });
});
