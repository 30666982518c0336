import assert from 'node:assert/strict';
import { during } from '@gatehouse/runtime/testing';
import { call, testGateway, type Seen } from '../../../dev/src/testing/index.ts';
import { DOORS, pathTable } from './gateway-paths.ts';

describe("the gateway's tables of paths", () => {
  const gate = during(() => testGateway());

  for (const [file, services] of Object.entries(DOORS)) {
    const door = file.endsWith('/admin-paths.conf') ? 'adminGateway' : 'gateway';
    for (const { name, routes } of services)
      it(`send every path of ${name} to it at ${door}, as it was sent`, async () => {
        for (const path of new Set(routes.map((route) => route.path))) {
          const sent = `${path.replaceAll(/:\w+/g, '%2F1.a')}?a=/b`;
          const { headers, body } = await call(gate.ports[door], sent);
          assert.deepEqual([headers['x-service'], (JSON.parse(body) as Seen).url], [name, sent]);
        }
      });
  }

  it('have a fixed segment before a parameter', () => {
    const table = pathTable([
      { name: 'one', routes: [{ path: '/a/:id' }, { path: '/a/:id/b' }] },
      { name: 'two', routes: [{ path: '/a/own' }, { path: '/a.b' }] },
    ]);
    assert.deepEqual(table.split('\n').slice(1, -1), [
      String.raw`"~^/a\.b(\?|$)" two;`,
      String.raw`"~^/a/own(\?|$)" two;`,
      String.raw`"~^/a/[^/?]+(\?|$)" one;`,
      String.raw`"~^/a/[^/?]+/b(\?|$)" one;`,
    ]);
  });

  it('are not generated if two services share a path, or a path cannot be expressed', () => {
    const routes = [{ path: '/a/:id' }];
    const two = { name: 'two', routes: [{ path: '/a/:name' }] };
    assert.throws(() => pathTable([{ name: 'one', routes }, two]), /in one and in two/);
    assert.throws(() => pathTable([{ name: 'one', routes: [{ path: '/a/*rest' }] }]), /can say \/a\/\*rest/);
  });
});
