import assert from 'node:assert/strict';
import { SCALE_MAX } from '../stack/ports.ts';
import { readStartOptions } from './start.ts';

describe('the options of npm start', () => {
  it('are none, or those in the help', () => {
    assert.deepEqual(readStartOptions([], {}), { fresh: false, demo: false, scale: 1, redisCluster: false });
    const all = readStartOptions(['--scale', '4', '--fresh', '--demo', '--redis-cluster'], {});
    assert.deepEqual(all, { fresh: true, demo: true, scale: 4, redisCluster: true });
  });

  for (const [args, message] of [
    [['--fesh'], "Unknown option '--fesh'"],
    [['fresh'], "Unexpected argument 'fresh'"],
    [['--scale', '9'], '--scale must be 1 to 4'],
    [['--scale', '0'], '--scale must be 1 to 4'],
    [['--scale=1.5'], '--scale must be 1 to 4'],
    [['--scale=two'], '--scale must be 1 to 4'],
  ] as const)
    it(`report what is wrong with "${args.join(' ')}"`, () => {
      const fault = { name: 'StackError', message, advice: new RegExp(`1 to ${SCALE_MAX},`) };
      assert.throws(() => readStartOptions([...args], {}), fault);
    });

  it('are detected if npm consumed them', () => {
    const message = /npm consumed --[a-z_-]+: put -- before it/;
    for (const name of ['npm_config_fresh', 'npm_config_redis_cluster'])
      assert.throws(() => readStartOptions([], { [name]: 'true' }), message);
  });
});
