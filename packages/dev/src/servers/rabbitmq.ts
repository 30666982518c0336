import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { searchPath } from '../install/programs.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { makeHome, plainPathTo, shortHash, type Place } from './home.ts';
import { answersAmqp } from './probes.ts';

const USER = 'gatehouse';

/** With node name, epmd, cluster port, cookie, data and user of its own, no system settings, only on 127.0.0.1. */
export function rabbitmq(
  { binaries, directory, ports, passwordOf }: Place,
  options: {
    /** Created at the first start, in addition to `/`. */
    virtualHosts?: readonly string[];
    name?: string;
    /** Added to its configuration. */
    lines?: readonly string[];
  } = {},
) {
  const { virtualHosts = [], name = 'rabbitmq', lines = [] } = options;
  const password = passwordOf('rabbitmq');
  // Its configuration must not contain characters beyond Latin-1, and it passes the path of its data to a shell in quotes.
  const home = makeHome(join(directory, name), ['rabbitmq', 'nobody'], plainPathTo);
  const definitions = home.write('definitions.json', JSON.stringify(definitionsOf(password, virtualHosts)));
  const config = configuration(ports.rabbitmq, definitions, lines);
  home.write('.erlang.cookie', createHash('sha256').update(`cookie of ${password}`).digest('hex'), 0o400);
  const nameService = { ERL_EPMD_PORT: String(ports.rabbitmqNames), ERL_EPMD_ADDRESS: '127.0.0.1' };
  const server: ManagedProcess = {
    name,
    command: binaries.rabbitmq,
    args: [],
    ...home.process,
    env: {
      ...home.process.env,
      ...nameService,
      RABBITMQ_NODENAME: nodeName(directory, name),
      RABBITMQ_DIST_PORT: String(ports.rabbitmqPeers),
      // `+sbwt…`: a scheduler without work sleeps at once instead of waiting busily, as others need the processors.
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
        '+sbwt none +sbwtdcpu none +sbwtdio none -kernel inet_dist_use_interface {127,0,0,1}',
      RABBITMQ_CONFIG_FILE: home.write('rabbitmq.conf', config),
      RABBITMQ_CONFIG_FILES: home.folder('conf.d'),
      RABBITMQ_ADVANCED_CONFIG_FILE: join(home.path, 'advanced.config'),
      RABBITMQ_CONF_ENV_FILE: '/dev/null',
      RABBITMQ_ENABLED_PLUGINS_FILE: home.write('enabled_plugins', '[].\n'),
      RABBITMQ_MNESIA_BASE: home.folder('data'),
      RABBITMQ_LOG_BASE: home.folder('log'),
      RABBITMQ_LOGS: '-',
      RABBITMQ_PID_FILE: join(home.path, 'pid'),
      // With this, the start script replaces itself by the Erlang VM instead of watching it, so the process id is that
      // of the broker.
      RUNNING_UNDER_SYSTEMD: 'true',
      ERL_CRASH_DUMP: join(home.path, 'log/erl_crash.dump'),
    },
    isReady: () => answersAmqp(ports.rabbitmq),
    readySeconds: 90,
    // Erlang starts a name service that outlives the broker. It can be stopped only when no node uses it any more.
    afterStop: {
      command: 'epmd',
      args: ['-port', String(ports.rabbitmqNames), '-kill'],
      env: { PATH: searchPath(), ...nameService },
    },
  };
  return { server, url: `amqp://${USER}:${password}@127.0.0.1:${ports.rabbitmq}` };
}

/** The limits are such that no developer's machine reaches them: at a limit, publishing stops silently. */
function configuration(port: number, definitions: string, more: readonly string[]): string {
  return `listeners.tcp.local = 127.0.0.1:${port}
load_definitions = ${definitions}
disk_free_limit.absolute = 16MB
vm_memory_high_watermark.relative = 0.8
log.console = true
log.console.level = info
log.file = false
${more.map((line) => `${line}\n`).join('')}`;
}

/** The name by which Erlang knows a node with its data in this folder. */
export function nodeName(directory: string, name: string): string {
  return `${name}-${shortHash(directory)}@localhost`;
}

/** The user and the virtual hosts, in the format that the broker imports when it starts. */
function definitionsOf(password: string, virtualHosts: readonly string[]): object {
  const names = ['/', ...virtualHosts];
  const hash = { password_hash: passwordHash(password), hashing_algorithm: 'rabbit_password_hashing_sha256' };
  return {
    vhosts: names.map((name) => ({ name })),
    users: [{ name: USER, ...hash, tags: 'administrator' }],
    permissions: names.map((vhost) => ({ user: USER, vhost, configure: '.*', write: '.*', read: '.*' })),
  };
}

/** RabbitMQ's password format: a salt of 4 bytes, followed by the SHA-256 of salt and password. */
function passwordHash(password: string): string {
  const salt = randomBytes(4);
  const digest = createHash('sha256').update(salt).update(password).digest();
  return Buffer.concat([salt, digest]).toString('base64');
}
