import assert from 'node:assert/strict';
import { someAddress } from '@gatehouse/accounts/testing';
import type { Who } from '@gatehouse/http/testing';
import { v7 as newId } from 'uuid';
import { auditCast } from './testing.ts';

const CONTENT = '/admin/content-definition';

describe('the filters and names of GET /admin/audit', () => {
  const { boss, list, newToken, post } = auditCast();

  const add = async (who: Who, headers: Record<string, string> = {}) =>
    (await post(CONTENT, who, { Name: 'News', Kind: 'Document' }).set(headers).expect(201)).body.Id as string;
  const targets = async (search: string) => (await list(search)).Items.map(({ TargetId }) => TargetId);

  it('find entries by token, request and address', async () => {
    const token = await newToken({ role: 'Admin' });
    const [address, traceId] = [someAddress(), newId().replaceAll('-', '')];
    const byToken = await add(token);
    const traced = await add(boss, {
      'x-forwarded-for': address,
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    });
    assert.deepEqual((await targets('?actorKind=apitoken'))[0], byToken);
    assert.ok(!(await targets('?actorKind=Account')).includes(byToken));
    assert.deepEqual(await targets(`?traceId=${traceId}`), [traced]);
    assert.deepEqual(await targets(`?ipAddress=${address.toUpperCase()}`), [traced]);
    assert.deepEqual(await targets(`?ipAddress=${address}&actorKind=System`), []);
    assert.deepEqual(await targets(`?traceId=${traceId}&targetId=${traced}`), [traced]);
  });

  it('return current names on request, and none of deleted objects', async () => {
    const id = await add(boss);
    const plain = (await list(`?targetId=${id}`)).Items[0] ?? {};
    assert.ok(!('ActorName' in plain) && !('TargetName' in plain));
    await boss.put(`${CONTENT}/${id}`, { Name: 'Old news', Kind: 'Document' }).expect(200);
    const named = async () =>
      (await list(`?targetId=${id}&names=true`)).Items.map((item) => Object.entries(item)).map((fields) =>
        fields.filter(([name]) => name.endsWith('Name')).map(([, value]) => value),
      );
    const [, [actor] = []] = await named();
    assert.match(String(actor), /@|\w/);
    assert.deepEqual(await named(), [
      [actor, 'Old news'],
      [actor, 'Old news'],
    ]);
    await boss.delete(`${CONTENT}/${id}`).expect(204);
    assert.deepEqual(
      (await named()).map(([, target]) => target),
      [null, null, null],
    );
  });
});
