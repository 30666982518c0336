import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { eventually } from '@gatehouse/runtime/testing';
import { StackError } from '../command.ts';
import { testGateway } from '../testing/index.ts';
import { gatewayValues } from './gateway.ts';

describe('GATEWAY_WORKERS', () => {
  it('sets the number of worker processes', async () => {
    const gate = await testGateway({ settings: { GATEWAY_WORKERS: '3' } });
    try {
      await eventually(() => childrenOf(gate.pid) === 3);
    } finally {
      await gate.stop();
    }
  });

  it('defaults to nginx’s own choice, and is refused if not a number', () => {
    assert.equal(gatewayValues({})['GATEWAY_WORKERS'], 'auto');
    for (const wrong of ['0', '-1', '1.5', 'many', '2; daemon on'])
      assert.throws(() => gatewayValues({ GATEWAY_WORKERS: wrong }), StackError, wrong);
  });
});

function childrenOf(pid: number): number {
  const parents = execFileSync('ps', ['-A', '-o', 'ppid='], { encoding: 'utf8' }).split('\n');
  return parents.filter((parent) => Number(parent) === pid).length;
}
