import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { createDoubt } from './doubt.ts';

const NEVER_MS = 60_000;

describe('createDoubt', () => {
  /** Begins turns and says which of them have room. */
  const rig = (aloneMs: number) => {
    const doubt = createDoubt(aloneMs);
    const begun: number[] = [];
    const begin = (name: number) => {
      const turn = doubt.newTurn();
      void turn.begin().then(() => begun.push(name));
      return turn;
    };
    const settled = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return begun;
    };
    return { begin, begun, settled };
  };

  it('lets one mail at a time through, in the order in which they came', async () => {
    const { begin, settled } = rig(NEVER_MS);
    const turns = [0, 1, 2].map((name) => begin(name));
    for (const [name, turn] of turns.entries()) {
      assert.deepEqual(await settled(), [0, 1, 2].slice(0, name + 1));
      turn.end();
    }
    begin(3).end();
    const last = begin(4);
    assert.ok((await settled()).includes(4));
    last.end();
  });

  it('lets the next through when one takes too long, and is not confused by its late end', async () => {
    const { begin, begun } = rig(5);
    const turns = [0, 1, 2].map((name) => begin(name));
    await eventually(() => begun.length === 3);
    for (const turn of turns) turn.end();
    const [one, two] = [begin(3), begin(4)];
    turns[0]?.end();
    await eventually(() => begun.includes(4));
    one.end();
    two.end();
  });

  it('lets a mail that goes out anew wait for its turn again, behind the others', async () => {
    const doubt = createDoubt(NEVER_MS);
    const begun: string[] = [];
    const [first, second] = [doubt.newTurn(), doubt.newTurn()];
    const begin = (turn: typeof first, name: string) => void turn.begin().then(() => begun.push(name));
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    begin(first, 'first');
    begin(second, 'second');
    begin(first, 'first again');
    await settled();
    assert.deepEqual(begun, ['first', 'second']);
    begin(second, 'second again');
    await settled();
    assert.deepEqual(begun, ['first', 'second', 'first again']);
    first.end();
    await settled();
    assert.deepEqual(begun, ['first', 'second', 'first again', 'second again']);
    second.end();
  });

  it('forgets who gives up waiting, and takes room back once', async () => {
    const { begin, settled } = rig(NEVER_MS);
    const [first, second, third] = [begin(0), begin(1), begin(2)];
    second.end();
    first.end();
    first.end();
    const fourth = begin(3);
    assert.deepEqual(await settled(), [0, 2]);
    third.end();
    assert.deepEqual(await settled(), [0, 2, 3]);
    fourth.end();
  });
});
