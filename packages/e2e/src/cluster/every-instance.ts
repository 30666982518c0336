import { eventually } from '@gatehouse/runtime/testing';
import type { World } from '../testing/index.ts';

const WAIT_SECONDS = 30;

/** Waits until every instance of every API is ready. */
export async function everyInstanceIsReady({ stack }: Pick<World, 'stack'>): Promise<void> {
  await eventually(async () => {
    const asked = Object.values(stack.facts.instances ?? {})
      .flat()
      .map(({ internalUrl }) => fetch(`${internalUrl}/health/ready`).then(({ status }) => status));
    return (await Promise.all(asked)).every((status) => status === 200);
  }, WAIT_SECONDS);
}
