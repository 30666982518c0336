import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { freePorts, isBusy, planPorts, portOf, portsInUse } from './ports.ts';
import { refuseBlockedPorts, requireFree, reservePorts } from './ports.ts';
import { StackError } from '../command.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeArguments } from '../testing/node-process.ts';

describe('planPorts', () => {
  it('has the documented addresses by default', () => {
    const { gateway, adminGateway, mail, idp } = planPorts(undefined);
    assert.deepEqual([gateway, adminGateway, mail, idp], [8080, 8090, 1080, 9090]);
  });

  it('moves every port with PORT_BASE', () => {
    const standard = planPorts(undefined);
    const moved = planPorts('20000');
    assert.deepEqual([moved.gateway, moved.adminGateway, moved.mail], [20080, 20090, 21080]);
    for (const [name, port] of Object.entries(moved)) {
      assert.ok(port > 20_000 && port < 30_000, name);
      assert.ok(!Object.values(standard).includes(port), name);
    }
  });

  it('never assigns a port twice, nor one of the machine’s own servers', () => {
    for (const base of [undefined, '1024', '20000', '55000']) {
      const ports = Object.values(planPorts(base));
      assert.equal(new Set(ports).size, ports.length, base);
      assert.ok(Math.max(...ports) <= 65_535);
    }
    for (const port of [5432, 6379, 5672, 4369, 25672])
      assert.ok(!Object.values(planPorts(undefined)).includes(port));
  });

  it('places further instances 100 apart, and requires only used ports', () => {
    const ports = planPorts('20000');
    const corePorts = [1, 2, 4].map((instance) => portOf(ports, 'core', instance));
    assert.deepEqual(corePorts, [20_081, 20_181, 20_381]);
    const alone = portsInUse({ scale: 1, redisCluster: false });
    const many = portsInUse({ scale: 3, redisCluster: true });
    assert.ok(!alone.some((name) => /-|redis./.test(name)), String(alone));
    for (const name of ['core-2', 'mailWorkerInternal-3', 'redis3', 'redis3Peers'] as const)
      assert.ok(many.includes(name), name);
    assert.ok(!many.includes('core-4'));
  });

  for (const base of ['x', '80', '60000', '20000.5', '-1'])
    it(`refuses PORT_BASE=${base}`, () =>
      assert.throws(() => planPorts(base), {
        name: 'StackError',
        message: /^PORT_BASE must be \d+ to \d+, not /,
      }));
});

describe('refuseBlockedPorts', () => {
  it('reports ports that browsers block before waiting for a response', async () => {
    assert.throws(() => refuseBlockedPorts(planPorts('10000')), { message: /10080 \(the gateway\)/ });
    for (const base of [undefined, '20000', '10001']) refuseBlockedPorts(planPorts(base));
    refuseBlockedPorts(await freePorts());
  });

  it('knows the ports that fetch itself refuses', async () => {
    const ports = planPorts(undefined);
    const others = [5060, 6000, 10_080, 1719, 4190, 4191];
    const suspects = [...Array.from({ length: 9 }, (_, at) => 6662 + at), ...others];
    for (const port of suspects) {
      const refused = await fetch(`http://127.0.0.1:${port}`).then(
        () => false,
        (error: Error) => /bad port/.test(String(error.cause)),
      );
      const check = (): void => refuseBlockedPorts({ ...ports, gateway: port }, ['gateway']);
      if (refused) assert.throws(check, StackError, `${port}`);
      else check();
    }
    refuseBlockedPorts({ ...ports, redis: 6000 }, ['redis']);
  });
});

describe('requireFree', () => {
  it('names the port that is taken and the process that needs it', async () => {
    const ports = await freePorts();
    await requireFree(ports);
    const other = await listenAt(ports.gateway);
    await assert.rejects(requireFree(ports), {
      message: `Another process is listening on port ${ports.gateway} (the gateway)`,
    });
    const another = await listenAt(ports.mail);
    await assert.rejects(requireFree(ports), ({ message }: Error) => {
      const [first = '', ...lines] = message.split('\n');
      assert.match(first, /needed here:$/);
      assert.deepEqual(lines, [`    ${ports.gateway} (the gateway)`, `    ${ports.mail} (the mail inbox)`]);
      return true;
    });
    another.close();
    other.close();
  });
});

describe('reservePorts', () => {
  it('reserves no port twice, within and across processes', async () => {
    const here = await Promise.all(Array.from({ length: 8 }, () => reservePorts(40)));
    const there = await Promise.all(Array.from({ length: 2 }, reserveInOtherProcess));
    const all = [...here, ...there.map(({ ports }) => ports)].flat();
    assert.equal(all.length, 10 * 40);
    assert.equal(new Set(all).size, all.length);
    for (const { end } of there) await end();
  });

  it('skips ports in use', async () => {
    const [port = 0] = await reservePorts(1);
    assert.equal(await isBusy(port), false);
    const server = await listenAt(port);
    assert.equal(await isBusy(port), true);
    server.close();
  });
});

async function listenAt(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** A process that reserves ports until it is stopped. */
async function reserveInOtherProcess(): Promise<{ ports: number[]; end(): Promise<unknown> }> {
  const script = new URL('./ports.ts', import.meta.url).href;
  const reserve = `import { reservePorts } from '${script}';
    console.log(JSON.stringify(await reservePorts(40)));
    setInterval(() => {}, 1000);`;
  const args = [...nodeArguments('--input-type=module'), '--eval', reserve];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    ports: JSON.parse(line.toString()) as number[],
    end: () => {
      child.kill('SIGKILL');
      return once(child, 'close');
    },
  };
}
