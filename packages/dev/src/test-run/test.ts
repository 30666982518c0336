import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../stack/programs.ts';
import { onInterrupt, printProgress, describeFailure } from '../command.ts';
import { dataDirectory, removeFolder } from '../servers/home.ts';
import { provide } from '../install/provide.ts';
import { SERVERS } from '../install/programs.ts';
import { claim, launcherOf, stopLeftovers } from '../processes/leftovers.ts';
import { rerunFailed, runMocha, type TestFailure, type Totals } from './run-mocha.ts';
import { Supervisor } from '../processes/supervisor.ts';
import { SITE, startTestServers, startTestSites, testEnvironment } from '../testing/test-servers.ts';
import { planTests, type MochaRun } from './test-plan.ts';

const HELP = `Runs tests against temporary servers: Postgres, Redis, RabbitMQ and a mail inbox that start empty and stop with
the run. CONTRIBUTING.md says which tests there are.

  npm test                                     the usual tests, several files at a time
  npm test -- <files> [--grep TEXT] [--bail]   some files (quote patterns), only tests whose names contain TEXT,
                                               stop at the first failure
  npm run test:system                          the main proofs of what the system promises
  npm run test:browser                         tests the pages in Chromium
  npm test -- --all                            all of these, on the same servers, as continuous integration does
  npm run test:nightly                         everything else (hours)

  --rerun-failed                               runs the files of failed tests once more, by themselves; what then
                                               passes is reported as flaky (continuous integration does it)

  ATTACK_SEED=123 ATTACK_ROUNDS=500 npm test   seed and rounds of generated requests (docs/attacks.md)

The last line is "N passed, N failed"; exits with 0 when some passed and none failed.
`;

const PREFIX = 'gatehouse-test-';

/** `npm test`: starts throw-away servers, runs the tests, and prints `N passed, N failed` as the last line. */
const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) process.stdout.write(HELP);
else {
  const totals = await test(args).catch((error: unknown): Totals => {
    process.stderr.write(`\n✗ ${describeFailure(error)}\n`);
    return { passed: 0, failed: 1, failures: [] };
  });
  list('failed', totals.failures);
  process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
  process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;
}

async function test(given: string[]): Promise<Totals> {
  const runs = await planTests(given);
  const cancel = new AbortController();
  const progress = printProgress(undefined, cancel.signal);
  await sweep();
  const directory = mkdtempSync(join(realpathSync(tmpdir()), PREFIX));
  claim(join(directory, 'run'));
  const supervisor = new Supervisor(directory, progress.line);
  onInterrupt(() => {
    cancel.abort();
    void supervisor.stop({ abrupt: true });
  });
  try {
    const sitesMax = Math.max(0, ...runs.filter((run) => run.needsBrowser).map((run) => run.workers));
    const binaries = await provide(progress, [...SERVERS, ...(sitesMax > 0 ? ['chromium' as const] : [])]);
    await built(progress);
    const password = randomBytes(18).toString('hex');
    const workers = Math.max(...runs.map((run) => run.workers));
    const servers = await startTestServers(workers + sitesMax, {
      supervisor,
      progress,
      binaries,
      directory: dataDirectory(directory),
      passwordOf: () => password,
    });
    const environments = servers.slice(0, workers).map(testEnvironment);
    const { signal } = cancel;
    const runOne = async (run: MochaRun): Promise<Totals> => {
      const own = environments.slice(0, run.workers);
      if (!run.needsBrowser) return runMocha(run.mochaArguments, own, signal);
      const serversOfSites = servers.slice(workers, workers + run.workers);
      const sites = await progress.step('start a system for each worker', () =>
        startTestSites({ servers: serversOfSites, directory, signal }),
      );
      const withSites = own.map((environment, index) => ({ ...environment, ...sites.environments[index] }));
      try {
        return await runMocha(run.mochaArguments, withSites, signal);
      } finally {
        await sites.stop();
      }
    };
    const totals = await runAll(runs, runOne, signal);
    if (!given.includes('--rerun-failed') || signal.aborted) return totals;
    const { flaky, ...final } = await rerunFailed(totals, async (files) => {
      process.stdout.write(`\n↻ Some tests failed. Their files run again: ${files.join(', ')}\n`);
      return runAll(await planTests(files), runOne, signal);
    });
    list('flaky', flaky);
    return final;
  } finally {
    await supervisor.stop({ abrupt: true });
    removeFolder(directory);
  }
}

/** Runs a plan's runs one after the other. A plan whose files contain no test has failed. */
async function runAll(
  runs: readonly MochaRun[],
  runOne: (run: MochaRun) => Promise<Totals>,
  cancel: AbortSignal,
): Promise<Totals> {
  const totals: Totals = { passed: 0, failed: 0, failures: [] };
  for (const run of runs) {
    const { passed, failed, failures } = await runOne(run);
    totals.passed += passed;
    totals.failed += failed;
    totals.failures.push(...failures);
    if (cancel.aborted || (failed > 0 && run.mochaArguments.includes('--bail'))) break;
  }
  return totals.passed + totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}

/** Prints one line per test; .ci/run repeats these lines at its end. */
function list(kind: 'failed' | 'flaky', tests: readonly TestFailure[]): void {
  for (const { file, name, reason } of tests)
    process.stdout.write(`✗ ${kind}: ${file}: ${name}: ${reason}\n`);
}

/** Stops and removes what earlier test runs left behind when they were killed. */
async function sweep(): Promise<void> {
  const parent = realpathSync(tmpdir());
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
    const directory = join(parent, name);
    try {
      if (launcherOf(join(directory, 'run')) !== undefined) continue;
      const sites = readdirSync(directory).filter((entry) => entry.startsWith(SITE));
      for (const site of sites) await stopLeftovers(join(directory, site, 'run'));
      await stopLeftovers(join(directory, 'run'));
      removeFolder(directory);
    } catch {
      // The run of another user, or one that is just starting: not ours to remove.
    }
  }
}
