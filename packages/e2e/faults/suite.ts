import { keepsWhatWasAcknowledged } from './acknowledged.ts';
import { startFaultWorld, type FaultWorld } from './fault-world.ts';
import { loadFixtures } from './load.ts';
import { survivesLostCommits } from './kinds/lost-commits.ts';
import { networkFaults } from './kinds/networks.ts';
import { serverFaults } from './kinds/server-faults.ts';
import { serviceFaults } from './kinds/service-faults.ts';
import { runFault, type Stage } from './run-fault.ts';
import { startsInAnyOrder } from './kinds/starts.ts';

const SHORT_SECONDS = 1.5;

/**
 * Runs every fault, one after the other, on one world with the same users. With `sample`, only the faults whose name
 * matches, and for a shorter time.
 */
export function survivesFaults(sample?: RegExp): void {
  let stage: Stage;
  const world = (): FaultWorld => stage.world;
  before(async () => {
    const made = await startFaultWorld();
    stage = { world: made, fixtures: await loadFixtures(made) };
  });
  after(() => stage.world.stop());

  for (const fault of [...networkFaults(world), ...serverFaults(world), ...serviceFaults(world)]) {
    if (sample?.test(fault.name) === false) continue;
    const seconds =
      sample === undefined ? fault.seconds : Math.min(SHORT_SECONDS, fault.seconds ?? SHORT_SECONDS);
    it(`responds, loses nothing and recovers: ${fault.name}`, () =>
      runFault(stage, { ...fault, ...(seconds !== undefined && { seconds }) }));
  }
  survivesLostCommits(() => stage);
  keepsWhatWasAcknowledged(() => stage);
  if (sample === undefined) startsInAnyOrder(() => stage);
}
