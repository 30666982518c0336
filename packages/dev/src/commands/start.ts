import { once } from 'node:events';
import { join } from 'node:path';
import { command, LOCAL_FOLDER, onInterrupt, printProgress, readArguments, StackError } from '../command.ts';
import { stopUnclaimed } from '../processes/leftovers.ts';
import { removeFolder } from '../servers/home.ts';
import { planPorts, SCALE_MAX } from '../stack/ports.ts';
import { welcome } from '../stack/stack-file.ts';
import { startStack } from '../stack/start-stack.ts';

const HELP = `Starts the whole system on this machine and runs it until Ctrl-C or npm stop.

  npm start [-- <options>]

  --fresh          removes the data of earlier runs first
  --demo           fills a new database with invented accounts, sessions, mails, faces and a month of activity
  --scale N        runs N instances of each service behind the gateway (1 to 4, default 1)
  --redis-cluster  runs Redis as a cluster of three nodes
  --help           shows this text

  PORT_BASE=20000 npm start   moves every port (gateway 20080, Admin 20090, mail inbox 21080, …)

  BIND_ADDRESS=0.0.0.0 npm start   lets other machines reach the gateway, Admin, the inbox and the demos (a trial in a container)

Environment variables are passed to the services and the gateway; docs/configuration.md lists them. Webhooks are on
(WEBHOOKS=off npm start: without the hook worker).
`;

const OPTIONS = {
  fresh: { type: 'boolean', default: false },
  demo: { type: 'boolean', default: false },
  scale: { type: 'string', default: '1' },
  'redis-cluster': { type: 'boolean', default: false },
} as const;

/** @throws {StackError} naming the argument that is not understood. */
export function readStartOptions(args: string[], environment: NodeJS.ProcessEnv) {
  const { values } = readArguments({ args, options: OPTIONS }, HELP);
  const consumed = Object.keys(OPTIONS).find(
    (name) => environment[`npm_config_${name.replaceAll('-', '_')}`] !== undefined,
  );
  if (consumed !== undefined) throw new StackError(`npm consumed --${consumed}: put -- before it`, HELP);
  const scale = Number(values.scale);
  if (!Number.isInteger(scale) || scale < 1 || scale > SCALE_MAX) {
    throw new StackError(`--scale must be 1 to ${SCALE_MAX}`, HELP);
  }
  return { fresh: values.fresh, demo: values.demo, scale, redisCluster: values['redis-cluster'] };
}

async function start(args: string[]): Promise<void> {
  const stopped = new AbortController();
  const progress = printProgress(undefined, stopped.signal);
  const { line } = progress;
  const { fresh, ...kind } = readStartOptions(args, process.env);
  const ports = planPorts(process.env['PORT_BASE']);
  onInterrupt(() => {
    if (!stopped.signal.aborted) line('\nStopping …');
    stopped.abort();
  });
  if (fresh) {
    await stopUnclaimed(join(LOCAL_FOLDER, 'run'));
    removeFolder(LOCAL_FOLDER);
  }
  const stack = await startStack({
    directory: LOCAL_FOLDER,
    ports,
    settings: { WEBHOOKS: 'on', ...process.env },
    ...kind,
    progress,
    signal: stopped.signal,
  });
  line(welcome(stack.facts, LOCAL_FOLDER));
  if (!stopped.signal.aborted) await once(stopped.signal, 'abort');
  await stack.stop();
  line('Stopped.');
}

await command(import.meta.url, start);
