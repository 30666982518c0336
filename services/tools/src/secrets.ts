import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hookPublicKeyOf } from '@gatehouse/runtime';
import { CommandError } from './terminal.ts';

const HELP = `Creates the secrets of a deployment, one file each. It never changes an existing file.

  secrets <folder>
`;

/** Runs the command and returns the text to print. */
export function secretsCommand(args: string[]): string {
  const [folder, ...rest] = args;
  if (folder === '--help') return HELP;
  if (folder === undefined || folder.startsWith('-') || rest.length > 0)
    throw new CommandError('secrets needs one folder', 'Try: secrets --help');
  const made = makeSecretsIn(folder);
  return `${made.length === 0 ? 'Every secret is there already' : `Created ${made.join(', ')}`} in ${folder}. Back it up apart from the database.\n`;
}

function makeSecretsIn(folder: string): string[] {
  try {
    return makeSecrets(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new CommandError(
      `${folder} belongs to another user than the one who runs this`,
      'In a container on Linux: docker compose run --rm --user "$(id -u):$(id -g)" secrets',
    );
  }
}

const SERVICES = ['core', 'portal', 'admin', 'mail-worker', 'hook-worker'];

/** Creates the secrets that do not exist yet, one file each, and returns their names. */
export function makeSecrets(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  // Other users of the machine cannot enter the folder. Its files are readable, because the users of the containers
  // that they are mounted into have other ids.
  chmodSync(folder, 0o700);
  const made: string[] = [];
  const pathOf = (name: string): string => join(folder, name);
  const put = (name: string, text: string): void => {
    if (existsSync(pathOf(name))) return;
    const temporary = pathOf(`.${name}.new`);
    writeFileSync(temporary, `${text}\n`, { mode: 0o644 });
    chmodSync(temporary, 0o644);
    renameSync(temporary, pathOf(name));
    made.push(name);
  };
  const read = (name: string): string => readFileSync(pathOf(name), 'utf8').trimEnd();
  /** The last word of the line that begins with the name. */
  const valueIn = (file: string, name: string): string => {
    const lines = read(file).split('\n');
    const words = lines.map((line) => line.split(' '));
    return words.find(([first]) => first === name)?.at(-1) ?? '';
  };

  for (const name of ['token-secret', 'password-pepper', 'two-factor-key', 'mail-key', 'hook-key'])
    put(name, random(32));
  // Admin encrypts the secrets of webhooks, and only the hook worker can decrypt them.
  put('hook-public-key', hookPublicKeyOf(read('hook-key')));
  // Letters and digits only, because passwords become part of URLs.
  put('postgres-password', random(16));
  put('owner-database-url', databaseUrl('gatehouse', read('postgres-password')));
  for (const service of SERVICES) {
    put(`${service}-database-password`, random(16));
    const role = `gatehouse_${service.replaceAll('-', '_')}`;
    put(`${service}-database-url`, databaseUrl(role, read(`${service}-database-password`)));
  }
  put('redis.conf', `requirepass ${random(16)}`);
  put('redis-url', `redis://:${valueIn('redis.conf', 'requirepass')}@redis:6379`);
  put('rabbitmq.conf', `default_user = gatehouse\ndefault_pass = ${random(16)}`);
  const firstUrl = amqpUrl('gatehouse', valueIn('rabbitmq.conf', 'default_pass'));
  put('amqp-url', firstUrl);
  const isOurs = /^rabbitmq(?::5672)?$/.test(new URL(read('amqp-url')).host);
  // The file of RabbitMQ itself counts at its first start alone, and the password may have been changed since.
  const url = new URL(isOurs ? read('amqp-url') : firstUrl);
  put('rabbitmq-definitions.json', JSON.stringify(brokerDefinitions(url, random(16))));
  const { users } = JSON.parse(read('rabbitmq-definitions.json')) as ReturnType<typeof brokerDefinitions>;
  const { name = '', password = '' } = users.at(-1) ?? {};
  // With a broker of the operator's own there is one address for all.
  put('hook-worker-amqp-url', isOurs ? amqpUrl(name, password) : read('amqp-url'));
  // The mail server: the inbox of the profile `inbox`, until the operator replaces it.
  put('smtp-url', 'smtp://inbox:1025');
  // Both may be empty: the password of FIRST_ADMIN_EMAIL, and the identity providers.
  put('first-admin-password', '');
  put('sso-providers', '');
  return made;
}

function databaseUrl(role: string, password: string): string {
  return `postgres://${role}:${password}@postgres:5432/gatehouse`;
}

function amqpUrl(user: string, password: string): string {
  return `amqp://${user}:${password}@rabbitmq:5672`;
}

/**
 * The users of RabbitMQ, which reads them at each start. The hook worker, which talks to others' servers, declares and
 * reads its own queues alone, and publishes no events. What it cannot send on, it writes to its second queue, through the
 * default exchange, by which it can write to any queue by name.
 */
function brokerDefinitions({ username, password }: URL, hookPassword: string) {
  const user = decodeURIComponent(username);
  const own = '^(account\\.events|hook|hook\\.dead)$';
  const all = { configure: '.*', write: '.*', read: '.*' };
  return {
    users: [
      { name: user, password: decodeURIComponent(password), tags: 'administrator' },
      { name: 'hook-worker', password: hookPassword, tags: '' },
    ],
    vhosts: [{ name: '/' }],
    permissions: [
      { user, vhost: '/', ...all },
      {
        user: 'hook-worker',
        vhost: '/',
        configure: own,
        write: '^(amq\\.default|hook|hook\\.dead)$',
        read: own,
      },
    ],
  };
}

function random(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
