import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { NEVER_LOADED, PARTS_NEVER_LOADED, programArguments, type ProgramName } from '@gatehouse/build';
import { throwAwayKeySet } from '@gatehouse/auth-core/testing';
import { serviceKeys } from '@gatehouse/http/testing';
import { testFolder } from '@gatehouse/runtime/testing';

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url));
const PROGRAMS = ['core', 'portal', 'admin', 'mail-worker', 'hook-worker', 'tools'] as const;
/** The program and its threads, the native module of one thread, and the SQL of the database. */
const OWN =
  /^((main|open-telemetry|common-passwords|webauthn-functions|password-worker|piscina-worker)\.mjs(\.map)?|worker\.js|argon2\.[\w-]+\.node|(grants|server-functions)\.sql|arch-(light|dark)\.png|baseline\/[a-z-]+\.sql|migrations\/(README\.md|\d{4}_\w+\.sql))$/;
/** The files for browsers and their translations. */
const WEB =
  /^(built\/((pages|console)\.json|[a-z]+-[0-9a-f]{16}\.(js|css|svg|woff2))|locale\/[a-z]{2}\.json)$/;
/** The viewer of the API reference, and its typeface. */
const REFERENCE = /^reference\/(scalar-[0-9a-f]{16}\.js|inter-[0-9a-f]{16}\.woff2)$/;
const BYTES_MAX = 15 * 1024 * 1024;
/** V8 parses all of it at each start. What is rarely needed belongs into a file that is loaded later. */
const MAIN_BYTES_MAX = 3.5 * 1024 * 1024;
/** Licences whose only condition is that their text is included. */
const LICENCES = /^(MIT|MIT-0|ISC|BSD-2-Clause|BSD-3-Clause|0BSD|Apache-2\.0|BlueOak-1\.0\.0|OFL-1\.1)$/;
const isNeverLoaded = (from: string): boolean =>
  NEVER_LOADED.some((name) => from === name || from.startsWith(`${name}/`)) ||
  PARTS_NEVER_LOADED.some((part) => from.startsWith(part.replace('*.json', '')));
const filesOf = (name: ProgramName): string[] =>
  readdirSync(join(DIST, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(DIST, name), join(entry.parentPath, entry.name)));

describe('what is built', () => {
  const copies = testFolder();

  function coreWithout(left: RegExp): string {
    const [name = '', ...others] = readdirSync(join(DIST, 'core')).filter((file) => left.test(file));
    assert.deepEqual([name !== '', others], [true, []], String(left));
    const folder = join(copies, name);
    cpSync(join(DIST, 'core'), folder, { recursive: true });
    rmSync(join(folder, name));
    return folder;
  }

  for (const name of PROGRAMS) {
    it(`carries all of ${name}, and nothing else`, () => {
      const files = filesOf(name);
      assert.ok(files.includes('main.mjs') && files.includes('main.mjs.map'));
      const strange = files.filter(
        (file) =>
          !OWN.test(file) &&
          !['LICENSE', 'THIRD-PARTY-LICENSES', 'bom.cdx.json', 'public-openapi.json'].includes(file) &&
          !(REFERENCE.test(file) && ['core', 'portal', 'admin'].includes(name)) &&
          !(WEB.test(file) && ['portal', 'admin'].includes(name)),
      );
      assert.deepEqual(strange, []);
      const bytes = files.reduce((sum, file) => sum + statSync(join(DIST, name, file)).size, 0);
      assert.ok(bytes < BYTES_MAX, `${bytes} bytes`);
      const main = readFileSync(join(DIST, name, 'main.mjs'));
      assert.ok(main.length < MAIN_BYTES_MAX, `${main.length} bytes`);
      // One character above U+00FF would double the memory of the whole text.
      assert.doesNotMatch(main.toString(), /[^\0-\x7F]/);
    });

    it(`needs no further packages for ${name}`, () => {
      const text = readFileSync(join(DIST, name, 'main.mjs'), 'utf8');
      const asked = [...text.matchAll(/(?:\bimport\b[^;"']*?\bfrom\s*|\b__require\()"([^"]+)"/g)].map(
        ([, from = '']) => from,
      );
      assert.ok(asked.length > 50, `${asked.length} imports`);
      const foreign = asked.filter((from) => !isBuiltin(from) && !isNeverLoaded(from));
      assert.deepEqual(foreign, []);
    });

    it(`carries an SBOM of ${name} and its licences, all of them permissive`, () => {
      const text = readFileSync(join(DIST, name, 'THIRD-PARTY-LICENSES'), 'utf8');
      const packages = [...text.matchAll(/^=== (\S+) \S+ \((.+)\)$/gm)];
      assert.ok(packages.length > 15, `${packages.length} packages`);
      assert.deepEqual(packages.filter(([, , licence = '']) => !LICENCES.test(licence)).map(String), []);
      const bom = readFileSync(join(DIST, name, 'bom.cdx.json'), 'utf8');
      const { bomFormat, metadata, components } = JSON.parse(bom);
      assert.deepEqual([bomFormat, metadata.component.name], ['CycloneDX', `gatehouse-${name}`]);
      assert.deepEqual(
        components.map((one: { group?: string; name: string }) =>
          [one.group, one.name].filter(Boolean).join('/'),
        ),
        packages.map(([, full]) => full),
      );
      for (const { purl, licenses } of components) {
        assert.match(purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/);
        assert.ok(licenses[0].expression);
      }
    });
  }

  it('has the exit codes of its commands', () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [...programArguments('tools'), ...args], { encoding: 'utf8', env: {} });
    const [help, keys, migrate] = [run('--help'), run('keys', 'nonsense'), run('migrate')];
    const statuses = [help, run('nonsense'), keys, migrate].map(({ status }) => status);
    assert.deepEqual(statuses, [0, 1, 1, 1]);
    assert.match(help.stdout, /create-admin/);
    assert.equal(keys.stderr, 'keys: name a command and its file: --help lists the commands\n');
    assert.match(migrate.stderr, /DATABASE_URL is required/);
  });

  it('loads OpenTelemetry only if traces are exported', async () => {
    const folder = coreWithout(/^open-telemetry\.mjs$/);
    assert.equal(await startOf(folder, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }), 'listening');
    const endpoint = 'http://127.0.0.1:9';
    assert.equal(await startOf(folder, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }), 'startup failed');
  });

  it('starts without the native module of argon2, unless PASSWORD_HASH requires it, with a one-line error', async () => {
    const folder = coreWithout(/^argon2\.[\w-]+\.node$/);
    assert.equal(await startOf(folder, { PASSWORD_HASH: 'bcrypt' }), 'listening');
    const refusal = await startOf(folder, { PASSWORD_HASH: 'argon2id' });
    assert.match(refusal, /^PASSWORD_HASH is argon2id, but [^\n]+$/);
  });
});

/** Of Core with servers that do not exist: nothing listens on the port that is reserved for "discard". */
const SETTINGS = {
  ...serviceKeys({ signingKeys: throwAwayKeySet() }).core,
  ...{ PORT: '0', INTERNAL_PORT: '0', ISSUER: 'http://127.0.0.1:8080' },
  DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
  REDIS_URL: 'redis://127.0.0.1:9',
  AMQP_URL: 'amqp://127.0.0.1:9',
};

/** Starts Core and stops it. Returns `listening` or the reason why it does not start. */
async function startOf(folder: string, settings: Record<string, string>): Promise<string> {
  const core = spawn(process.execPath, [join(folder, 'main.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...SETTINGS, ...settings },
  });
  const exited = once(core, 'exit');
  const errors: string[] = [];
  try {
    for await (const text of createInterface(core.stdout)) {
      const { level, message } = JSON.parse(text) as { level: string; message: string };
      if (message === 'listening') return message;
      if (level === 'error') errors.push(message);
    }
    return errors.join('\n');
  } finally {
    core.kill('SIGKILL');
    await exited;
  }
}
