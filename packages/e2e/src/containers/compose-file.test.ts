import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPONENTS, isSecret, readPart } from '@gatehouse/codegen';
import { testFolder } from '@gatehouse/runtime/testing';
import { makeSecrets } from '../../../../services/tools/src/secrets.ts';
import { exists, readPage as read } from '../documents/documents.ts';
import { assertEnvironment, readComposeFile, type ComposeService } from './compose-file.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SERVICES = ['core', 'portal', 'admin', 'mail-worker', 'hook-worker'];
const EDGES = { core: 'core-edge', portal: 'portal-edge', admin: 'admin-edge' };

const file = readComposeFile();
const services = Object.entries(file.services);
const namesOf = (isOne: (service: ComposeService) => boolean): string[] =>
  services.flatMap(([name, service]) => (isOne(service) ? [name] : [])).toSorted();

describe('docker-compose.yml', () => {
  for (const [name, service] of services) {
    it(`hardens and bounds ${name}`, () => {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
      assert.ok(Number(service.pids_limit) > 0, 'pids_limit');
      assert.match(String(service.mem_limit), /^\d+[mg]$/);
      assert.ok(Number(service.cpus) > 0, 'cpus');
      assert.match(String(service.stop_grace_period), /^\d+s$/);
      assert.deepEqual(Object.keys(service.logging?.options ?? {}).toSorted(), ['max-file', 'max-size']);
      assert.match(String(service.restart), /^(unless-stopped|no)$/);
      for (const forbidden of ['privileged', 'cap_add', 'pid', 'ipc', 'devices', 'userns_mode'])
        assert.ok(!(forbidden in service), forbidden);
      // Without a `user` the image decides, and neither our images nor nginx's run as root.
      assert.ok(service.user !== 'root' && service.user !== '0', 'user');
      assert.notEqual(service.network_mode, 'host');
    });
  }

  it('mounts volumes of keys on folders that the user of our images owns', () => {
    const [, folders = ''] =
      /install -d -o node -g node -m 0700 (.*)\n/.exec(read('services/Dockerfile')) ?? [];
    const ours = services.filter(([, { image }]) => image.startsWith('localhost/gatehouse/'));
    const mounted = ours.flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => volume.split(':')[1] ?? ''),
    );
    const named = mounted.filter((target) => target.endsWith('keys'));
    // Core and Portal see their part under the name of the whole.
    assert.deepEqual([...new Set(named)].toSorted(), folders.split(' ').toSorted());
  });

  it('lets an API answer the gateway’s connections, and finish its requests, before it ends', () => {
    const [, kept] = /keepalive_timeout (\d+)s;/.exec(read('services/gateway/nginx.conf.template')) ?? [];
    for (const name of ['core', 'portal', 'admin']) {
      const { environment, stop_grace_period: grace } = file.services[name] ?? {};
      const drain = Number(environment?.['DRAIN_SECONDS']);
      assert.ok(drain > Number(kept), name);
      assert.ok(Number.parseInt(String(grace)) >= drain + 10, name);
    }
  });

  it('publishes only the gateway and the inbox, on configurable ports and address', () => {
    const published = namesOf(({ ports = [] }) => ports.length > 0);
    assert.deepEqual(published, ['gateway', 'inbox']);
    const text = read('docker-compose.yml');
    for (const port of services.flatMap(([, { ports = [] }]) => ports))
      assert.match(port, /^127\.0\.0\.1:\d+:\d+$/);
    const bound = text.match(/^ +- '\$\{BIND_ADDRESS:-127\.0\.0\.1\}:\$\{[A-Z]+_PORT:-\d+\}:\d+'$/gm);
    assert.equal(bound?.length, 3);
  });

  for (const [name, edge] of Object.entries(EDGES)) {
    it(`makes ${name} trust the gateway only`, () => {
      const members = namesOf(({ networks }) => JSON.stringify(networks ?? '').includes(`"${edge}"`));
      assert.deepEqual(members, [name, 'gateway'].toSorted());
      const network = file.networks[edge];
      const [config] = network?.ipam?.config ?? [];
      assert.ok(config?.gateway !== undefined && network?.internal === true);
      assert.equal(file.services[name]?.environment?.['TRUST_PROXY'], config.ip_range);
      assert.ok(!isIn(config.ip_range ?? '', config.gateway), 'the host itself is not believed');
    });
  }

  it('lets a process reach only the servers that it uses', () => {
    const networksOf = (name: string): string[] => [file.services[name]?.networks ?? []].flat().map(String);
    for (const [server, secret] of Object.entries({ redis: 'redis-url', rabbitmq: 'amqp-url' })) {
      const reaching = SERVICES.filter((name) =>
        networksOf(name).some((network) => networksOf(server).includes(network)),
      );
      const using = namesOf(({ secrets = [] }) =>
        secrets.some((one) => typeof one === 'string' && one.endsWith(secret)),
      );
      assert.deepEqual(reaching.toSorted(), using, server);
    }
    const sharing = namesOf(({ secrets = [] }) => secrets.includes('hook-worker-amqp-url'));
    assert.deepEqual(sharing, ['hook-worker']);
  });

  it('names a tag for every image, and one version for ours', () => {
    for (const [name, { image, build }] of services) {
      assert.match(image, /:[\w.-]+$/, name);
      assert.doesNotMatch(image, /:latest$/, name);
      if (build === undefined) continue;
      assert.ok(image.endsWith(':dev'), image);
      assert.equal(build.args['VERSION'], 'dev');
      const recipe = read(build.dockerfile);
      assert.ok(recipe.includes('\nARG VERSION=dev\n'), build.dockerfile);
      for (const [argument, value] of Object.entries(build.args)) {
        if (argument.endsWith('_IMAGE')) assert.ok(recipe.includes(`\nARG ${argument}=${value}\n`), argument);
      }
    }
  });

  it('has images of ours that carry only what is built, and run without rights, with stack traces of TypeScript', () => {
    const [, recipe = ''] = /^(?:[^]*\n)FROM ([^]*)$/.exec(read('services/Dockerfile')) ?? [];
    const commands = recipe.match(/^(?:ADD|COPY|USER) .*$/gm);
    assert.deepEqual(commands, ['COPY --from=built /app/dist/${SERVICE} dist/service', 'USER node']);
    assert.match(recipe, /^ENTRYPOINT \["node", "--enable-source-maps", /m);
  });

  it('has every variable in docs/containers.md, with its default', () => {
    const lines = readPart('docs/containers.md', 'variables').matchAll(/^([A-Z_]+)=(.*?)(?: # .*)?$/gm);
    const rows = [...lines].map(([, name = '', standard = '']) => `${name}=${standard}`);
    assert.deepEqual(rows.toSorted(), [...file.variables].map((pair) => pair.join('=')).toSorted());
  });
});

describe('the secrets of docker-compose.yml', () => {
  const folder = testFolder();

  for (const [name, service] of services) {
    it(`reach ${name} as files, its own alone`, () => {
      const mounted = (service.secrets ?? []).map((secret) =>
        typeof secret === 'string' ? secret : secret.source,
      );
      for (const secret of mounted) assert.ok(secret in file.secrets, secret);
      const text = JSON.stringify({
        ...service,
        secrets: service.secrets?.filter((one) => typeof one !== 'string'),
      });
      const used = mounted.filter(
        (secret) => text.includes(`/run/secrets/${secret}`) || text.includes(`"source":"${secret}"`),
      );
      assert.deepEqual(used, mounted, 'what is mounted is used');
      const named = [...text.matchAll(/\/run\/secrets\/([\w.-]+)/g)].map(([, secret = '']) => secret);
      const missing = named.filter((secret) => !mounted.includes(secret));
      assert.deepEqual(missing, [], 'what is used is mounted');
    });
  }

  for (const name of SERVICES) {
    it(`are those of ${name}'s settings, and none is in its environment`, () => {
      const given = Object.keys(file.services[name]?.environment ?? {});
      const fromSettingsFile = name === 'mail-worker' ? ['MAIL_FROM'] : [];
      assertEnvironment(name, given, fromSettingsFile);
    });
  }

  it('are all made by the command `secrets`', () => {
    assert.deepEqual(makeSecrets(folder).toSorted(), Object.keys(file.secrets).toSorted());
  });

  it('are in a folder that git ignores', () => {
    const ignored = read('.gitignore').split('\n');
    for (const line of ['/.env', '/.env.*', '!/.env.example', '/secrets/'])
      assert.ok(ignored.includes(line), line);
  });

  it('are not in .env.example', () => {
    const names = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
    assert.ok(names.length > 10);
    const isHidden = (name: string): boolean =>
      /PASSWORD|SECRET|_KEY/.test(name) ||
      Object.values(COMPONENTS).some(({ properties }) => isSecret(properties[name]));
    const secrets = names.filter((name) => name !== 'SECRETS_DIRECTORY' && isHidden(name));
    assert.deepEqual(secrets, []);
  });
});

function isIn(range: string, address: string): boolean {
  const [net = '', bits] = range.split('/');
  const list = new BlockList();
  list.addSubnet(net, Number(bits));
  return list.check(address);
}

const recipe = read('deploy/trial/Dockerfile');
const ignored = read('deploy/trial/Dockerfile.dockerignore').split('\n');
const lines = (name: string): string[][] =>
  recipe
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([first]) => first === name)
    .map(([, ...words]) => words);

describe('deploy/trial/Dockerfile', () => {
  it('copies only what is there and not ignored', () => {
    const copied = lines('COPY').flatMap((words) => words.slice(0, -1));
    assert.ok(copied.includes('packages'));
    for (const path of copied) {
      assert.ok(exists(path), path);
      assert.ok(ignored.includes(`!${path}`), path);
    }
  });

  it('starts from the same Node, and installs with the same pnpm', () => {
    const { build } = file.services['core'] ?? {};
    assert.deepEqual(lines('ARG')[0], [`NODE_IMAGE=${build?.args['NODE_IMAGE']}`]);
    const { packageManager } = JSON.parse(read('package.json')) as { packageManager: string };
    assert.ok(recipe.includes(`npx -y ${packageManager} install`));
  });

  it('runs as the user who owns its volume, and tells to open its ports to this machine alone', () => {
    assert.deepEqual([lines('USER'), lines('VOLUME')], [[['node']], [['/app/.local']]]);
    assert.ok(recipe.indexOf('install -d -o node -g node .local') < recipe.indexOf('\nUSER node'));
    assert.match(recipe, /\nWORKDIR \/app\n[^]*install -d -o node -g node \.local\n/);
    for (const text of [recipe, read('README.md')]) {
      const opened = [...text.matchAll(/ -p (\d\S+)/g)].map(([, port = '']) => port);
      assert.ok(opened.length >= 4);
      for (const port of opened) assert.match(port, /^127\.0\.0\.1:/);
    }
  });
});

describe('services/replace-containers.sh', () => {
  const folder = testFolder();

  /** The calls of a Docker that has two instances of Core and one container of everything else. */
  const callsWith = (image: string, { isReady = true, BACK = '' } = {}): string[] => {
    const log = join(folder, 'log');
    writeFileSync(log, '');
    const docker = `#!/bin/sh
echo "$*" >> '${log}'
case "$*" in
  *'ps --quiet core') echo core-1; echo core-2 ;;
  *'ps --all --quiet core') printf 'core-%s\\n' 1 2 3 4 ;;
  *' up '*' core') ${isReady} ;;
  *'ps --quiet '*) echo "$6-1" ;;
  *'config --images gateway') echo gatehouse/gateway:new ;;
  'inspect '*) echo running ;;
  'image inspect '*) [ "$5" = running ] && echo contents || echo '${image}' ;;
esac
`;
    writeFileSync(join(folder, 'docker'), docker, { mode: 0o755 });
    const script = join(ROOT, 'services/replace-containers.sh');
    const command = `BACK=${BACK} PATH="$0:$PATH" exec sh "$@"`;
    const { status } = spawnSync('sh', ['-c', command, folder, script, '-p', 'x']);
    assert.equal(status === 0, isReady);
    const calls = readFileSync(log, 'utf8').trim().split('\n');
    return calls.filter((call) => /\b(up|stop|rm)\b/.test(call));
  };
  const up = 'compose -p x up --detach --wait --no-deps';

  it('starts new instances before it stops old ones, and leaves the gateway if it has not changed', () => {
    const replaced = (name: string) => [
      `${up} --no-recreate --scale ${name}=2 ${name}`,
      ...[`stop ${name}-1`, `rm ${name}-1`],
    ];
    assert.deepEqual(callsWith('contents'), [
      ...['mail-worker', 'hook-worker'].flatMap(replaced),
      `${up} --no-recreate --scale core=4 core`,
      ...['core-1', 'core-2'].flatMap((name) => [`stop ${name}`, `rm ${name}`]),
      ...['portal', 'admin'].flatMap(replaced),
    ]);
  });

  it('leaves as many instances as there were if new ones do not become ready', () => {
    assert.deepEqual(callsWith('contents', { isReady: false }).slice(-2), [
      `${up} --no-recreate --scale core=4 core`,
      'rm --force core-3 core-4',
    ]);
  });

  it('replaces a changed gateway first, without waiting for the APIs', () => {
    assert.equal(callsWith('other contents')[0], `${up} gateway`);
  });

  it('goes back in the other order', () => {
    const started = callsWith('other contents', { BACK: '1' }).filter((call) => call.includes(' up '));
    const names = started.map((call) => call.split(' ').at(-1));
    assert.deepEqual(names, ['core', 'portal', 'admin', 'mail-worker', 'hook-worker', 'gateway']);
  });
});
