import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../stack/built.ts';
import { onInterrupt } from '../processes/interrupts.ts';
import { dataDirectory, removeFolder } from '../stack/data-directory.ts';
import { printProgress } from '../output/progress.ts';
import { provide, SERVERS } from '../install/provide.ts';
import { claim, launcherOf, stopLeftovers } from '../processes/records.ts';
import { rerunFailed } from './rerun.ts';
import { runMocha, type TestFailure, type Totals } from './run-mocha.ts';
import { describeFailure } from '../output/stack-error.ts';
import { Supervisor } from '../processes/supervisor.ts';
import { startTestServers } from './test-servers.ts';
import { planTests, type MochaRun } from './test-plan.ts';
import { SITE, startTestSites } from './test-sites.ts';
import type { Stack } from '../stack/start-stack.ts';

const HELP = `Runs tests against temporary servers: Postgres, Redis, RabbitMQ and a mail inbox that start empty and stop with
the run.

  npm test                                     all but system, timing and browser tests, several files at a time
  npm run test:system                          system tests, in files named *.system.test.ts: faults, kills, clusters,
                                               several instances; then timing tests, *.timing.test.ts (minutes)
  npm test -- <files> [--grep TEXT] [--bail]   some files (quote patterns), only tests whose names contain TEXT,
                                               stop at the first failure; other mocha options work too
  npm run test:faults [-- --grep TEXT]         breaks every dependency in every way, under load, and reports the
                                               recovery times (minutes); test:system has one of each kind
  npm run test:attacks                         sends every malformed request to every service, and unusual text
                                               in every field (half an hour); the other suites use a sample
  npm run test:browser                         tests the pages in Chromium

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

async function test(mochaArguments: string[]): Promise<Totals> {
  const cancel = new AbortController();
  const progress = printProgress((text) => process.stdout.write(text), cancel.signal);
  await sweep();
  const directory = mkdtempSync(join(realpathSync(tmpdir()), PREFIX));
  const records = join(directory, 'run');
  claim(records);
  const supervisor = new Supervisor({
    records,
    logs: join(directory, 'logs'),
    say: progress.line,
    changed: () => {},
  });
  onInterrupt(() => {
    cancel.abort();
    void supervisor.stop({ abrupt: true });
  });
  const sites: Stack[] = [];
  try {
    const plan = planTests(mochaArguments);
    const binaries = await provide(progress, [
      ...SERVERS,
      ...(plan.needsBrowser ? ['chromium' as const] : []),
    ]);
    await built(progress);
    const workers = Math.max(...plan.runs.map((run) => run.workers));
    const servers = await startTestServers({
      supervisor,
      progress,
      binaries,
      directory: dataDirectory(directory),
      passwords: { postgres: password(), redis: password(), rabbitmq: password() },
      workers: plan.needsBrowser ? 2 * workers : workers,
    });
    const serversOfSites = servers.splice(workers);
    if (plan.needsBrowser) {
      const start = () => startTestSites(serversOfSites, directory, cancel.signal);
      sites.push(...(await progress.step('start a system for each worker', start)));
    }
    const environments = servers.map((given, index) => ({
      ...given,
      ...(plan.needsBrowser && { TEST_STACK_FILE: join(directory, `${SITE}${index}`, 'stack.json') }),
    }));
    const totals = await runAll(plan.runs, environments, cancel.signal);
    if (!plan.rerunsFailed || cancel.signal.aborted) return totals;
    const { flaky, ...final } = await rerunFailed(totals, async (files) => {
      process.stdout.write(`\n↻ Some tests failed. Their files run again: ${files.join(', ')}\n`);
      return runMocha([...files], environments.slice(0, 1), cancel.signal);
    });
    list('flaky', flaky);
    return final;
  } finally {
    // Its servers are about to be removed, so a system that does not stop properly fails no test.
    for (const end of await Promise.allSettled(sites.map((site) => site.stop())))
      if (end.status === 'rejected')
        process.stderr.write(`! A system did not stop: ${describeFailure(end.reason)}\n`);
    await supervisor.stop({ abrupt: true });
    removeFolder(directory);
  }
}

/** Runs a plan's runs one after the other. A plan whose files contain no test has failed. */
async function runAll(
  runs: readonly MochaRun[],
  environments: readonly NodeJS.ProcessEnv[],
  cancel: AbortSignal,
): Promise<Totals> {
  const totals: Totals = { passed: 0, failed: 0, failures: [] };
  for (const { workers, mochaArguments } of runs) {
    const { passed, failed, failures } = await runMocha(
      mochaArguments,
      environments.slice(0, workers),
      cancel,
    );
    totals.passed += passed;
    totals.failed += failed;
    totals.failures.push(...failures);
    if (cancel.aborted || (failed > 0 && mochaArguments.includes('--bail'))) break;
  }
  return totals.passed + totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}

/** Prints one line per test; .ci/run repeats these lines at its end. */
function list(kind: 'failed' | 'flaky', tests: readonly TestFailure[]): void {
  for (const { file, name, reason } of tests)
    process.stdout.write(`✗ ${kind}: ${file}: ${name}: ${reason}\n`);
}

function password(): string {
  return randomBytes(18).toString('hex');
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
