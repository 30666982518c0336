import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { privateRabbitmqCluster, type PrivateRabbitmqCluster } from '@gatehouse/dev/testing';
import { PASSWORD, startWorld, type World } from '../../e2e/src/testing/index.ts';
import { startBackgroundUsers, type BackgroundUsers } from './background-users.ts';

const RECOVERY_SECONDS = 10;

describe('three nodes of RabbitMQ, cut off or killed one after another', function () {
  this.timeout(180_000);
  let cluster: PrivateRabbitmqCluster;
  let world: World;
  let users: BackgroundUsers;
  before(async () => {
    cluster = await privateRabbitmqCluster();
    const reroute = (url: string): string => (url.startsWith('amqp') ? cluster.url : url);
    world = await startWorld({}, { reroute });
    users = await startBackgroundUsers(world);
  });
  after(async () => {
    await users?.stop();
    await world?.stop();
    await cluster?.stop();
  });

  const isMailed = async (): Promise<true> => {
    const email = world.someEmail();
    assert.equal((await world.post('/account/register', { Email: email, Password: PASSWORD })).status, 200);
    return eventually(async () => (await world.mailsTo(email)).length > 0, RECOVERY_SECONDS);
  };

  it('keep a copy of each queue each', async () => {
    // The command fails if without the node a queue would be lost or have no majority.
    await eventually(() =>
      cluster.tell('rabbitmq', 'rabbitmq-queues', ['check_if_node_is_quorum_critical']).then(() => true),
    );
  });

  it('fail no request while the network cuts one of them off, which then serves nobody, and mails go on', async () => {
    for (const node of cluster.nodes.slice(0, 2)) {
      await cluster.split(node);
      try {
        await isMailed();
      } finally {
        await cluster.mend(node);
      }
      await isMailed();
    }
    assert.deepEqual(users.takeFailures(), []);
  });

  it('fail no request, and mails are sent without each of them', async () => {
    for (const node of cluster.nodes.slice(0, 2)) {
      await cluster.hold(node);
      await isMailed();
      await cluster.release(node);
      await isMailed();
    }
    assert.deepEqual(users.takeFailures(), []);
    assert.ok(users.successes() > 200, `${users.successes()}`);
  });

  it('lose no mail of a registration that was acknowledged', () => users.lostNothing());
});
