import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Row } from '../row.ts';
import { logIn } from '../system/users.ts';

interface KnownHashes {
  Firebase: string;
  Hashes: { Line: { PasswordDigest?: object } }[];
}

const ROOT = new URL('../../../../', import.meta.url);
/** What the test of logins with imported passwords knows, two of each format at least. */
const HASHES = new URL('services/core/src/account/login/foreign-hashes.json', ROOT);

export const importLines: Row = {
  name: 'import',
  about:
    'accounts per second of npm run import, with passwords of all formats that are stored without hashing',
  limits: `Fast digests (MD5, SHA-1, SHA-256, SHA-512) are not included: each is hashed before it is stored, which takes as long as a login.
A file with one of them in 700 lines takes about twice as long.`,
  async measure(bench) {
    const { stack } = await bench.ownSystem({ bcryptCost: 10, users: 0 });
    const { urls, admin } = stack.facts;
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-test-import-'));
    bench.onEnd(() => rmSync(directory, { recursive: true, force: true }));
    const [user] = await logIn(urls.core, [admin.Email], bench.signal, admin.Password);
    if (user === undefined) throw new Error('nobody can import');
    const [file, tokenFile] = [join(directory, 'accounts.ndjson'), join(directory, 'token')];
    writeFileSync(tokenFile, user.token);
    const firebase = writeLines(file, bench.sizes.imports);
    const args = [file, '--url', urls.admin, '--token-file', tokenFile, '--firebase-hash', firebase];
    const began = performance.now();
    const said = await runImport(args, bench.signal);
    const seconds = (performance.now() - began) / 1000;
    if (!said.includes(`✓ ${bench.sizes.imports} imported, 0 had`)) throw new Error(said);
    const detail = `${bench.sizes.imports} accounts in ${seconds.toFixed(1)} s, including the start of the command`;
    bench.say(`  ${detail}`);
    const title = 'accounts imported per second, with passwords of all slow formats';
    return [
      {
        id: 'import',
        title,
        value: bench.sizes.imports / seconds,
        unit: '/s',
        bar: { atLeast: 3000 },
        detail,
      },
    ];
  },
};

/** Writes so many lines, with passwords of all formats in turn; returns the parameters of Firebase's. */
function writeLines(file: string, count: number): string {
  const { Firebase, Hashes } = JSON.parse(readFileSync(HASHES, 'utf8')) as KnownHashes; // a file of this repository
  const slow = Hashes.filter(({ Line }) => Line.PasswordDigest === undefined);
  const lines = Array.from({ length: count }, (_none, at) =>
    JSON.stringify({ Email: `moved-${at}@gatehouse.example`, ...slow[at % slow.length]?.Line }),
  );
  writeFileSync(file, lines.join('\n'));
  return Firebase;
}

/** Runs the command, and returns what it says. */
async function runImport(args: readonly string[], signal: AbortSignal): Promise<string> {
  const run = fileURLToPath(new URL('packages/stack/run.mjs', ROOT));
  const command = spawn(process.execPath, [run, 'import', ...args], { signal });
  let said = '';
  for (const stream of [command.stdout, command.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(command, 'close');
  return said;
}
