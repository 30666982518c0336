import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, provide, quiet } from '@gatehouse/dev';
import { eventually } from '@gatehouse/runtime/testing';

/** Where Debian installs modules of Apache. */
const MODULES = '/usr/lib/apache2/modules';
const LOADED = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'headers'];

/** Starts Apache with a module and its directives, which protect `/app`. */
export async function startApache(
  module: 'auth_openidc' | 'oauth2',
  directives: (origin: string) => readonly string[] | Promise<readonly string[]>,
) {
  const { apache } = await provide(quiet, ['apache']);
  const { app: port } = await freePorts();
  const origin = `http://127.0.0.1:${port}`;
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-apache-'));
  chmodSync(home, 0o755);
  mkdirSync(join(home, 'app'));
  writeFileSync(join(home, 'app/page.txt'), 'the page\n');
  const lines = [
    ...['ServerRoot', 'DocumentRoot'].map((name) => `${name} ${home}`),
    `PidFile ${home}/pid`,
    `DefaultRuntimeDir ${home}`,
    `Listen 127.0.0.1:${port}`,
    `ServerName 127.0.0.1:${port}`,
    ...[...LOADED, module].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    'LogLevel warn',
    `ErrorLog ${home}/error.log`,
    ...(await directives(origin)),
  ];
  writeFileSync(join(home, 'apache.conf'), `${lines.join('\n')}\n`);
  const child = spawn(apache, ['-X', '-f', join(home, 'apache.conf')], { stdio: 'ignore' });
  const log = (): string => readFileSync(join(home, 'error.log'), 'utf8');
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(home, { recursive: true });
  };
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`Apache has ended: ${log()}`);
    return (await fetch(origin).catch(() => undefined)) !== undefined;
  });
  return { origin, stop };
}
