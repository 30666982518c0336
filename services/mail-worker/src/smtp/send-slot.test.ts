import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { createSendSlots } from './send-slot.ts';

const NEVER_MS = 60_000;

describe('createSendSlots', () => {
  const rig = (aloneMs: number) => {
    const sendSlots = createSendSlots(aloneMs);
    const begun: number[] = [];
    type Slot = ReturnType<typeof sendSlots.newSlot>;
    const again = (slot: Slot, name: number) => void slot.acquire().then(() => begun.push(name));
    const begin = (name: number) => {
      const slot = sendSlots.newSlot();
      again(slot, name);
      return slot;
    };
    const settled = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return begun;
    };
    return { begin, again, begun, settled };
  };

  it('admits one mail at a time, in order of arrival', async () => {
    const { begin, settled } = rig(NEVER_MS);
    const slots = [0, 1, 2].map((name) => begin(name));
    for (const [name, slot] of slots.entries()) {
      assert.deepEqual(await settled(), [0, 1, 2].slice(0, name + 1));
      slot.release();
    }
    begin(3).release();
    const last = begin(4);
    assert.ok((await settled()).includes(4));
    last.release();
  });

  it('admits the next when one takes too long, and ignores its late end', async () => {
    const { begin, begun } = rig(5);
    const slots = [0, 1, 2].map((name) => begin(name));
    await eventually(() => begun.length === 3);
    for (const slot of slots) slot.release();
    const [one, two] = [begin(3), begin(4)];
    slots[0]?.release();
    await eventually(() => begun.includes(4));
    one.release();
    two.release();
  });

  it('queues a retried mail behind the others', async () => {
    const { begin, again, settled } = rig(NEVER_MS);
    const [first, second] = [begin(0), begin(1)];
    again(first, 2);
    assert.deepEqual(await settled(), [0, 1]);
    again(second, 3);
    assert.deepEqual(await settled(), [0, 1, 2]);
    first.release();
    assert.deepEqual(await settled(), [0, 1, 2, 3]);
    second.release();
  });

  it('drops waiters that give up, and frees a slot once', async () => {
    const { begin, settled } = rig(NEVER_MS);
    const [first, second, third] = [begin(0), begin(1), begin(2)];
    second.release();
    first.release();
    first.release();
    const fourth = begin(3);
    assert.deepEqual(await settled(), [0, 2]);
    third.release();
    assert.deepEqual(await settled(), [0, 2, 3]);
    fourth.release();
  });
});
