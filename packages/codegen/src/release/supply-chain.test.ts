import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../write-generated.ts';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, { needs?: string; permissions?: Record<string, string>; steps: Step[] }>;
}

const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const workflows = tracked
  .filter((path) => path.startsWith('.github/workflows/'))
  .map((path) => [path, parse(read(path)) as Workflow] as const);

/** What runs code of this repository, or of what it depends on. */
const RUNS_CODE =
  /\b(npm (run|ci|install|exec|start|test)|npx|pnpm|node |docker (buildx )?build|\.ci\/|make)\b/;

describe('the workflows', () => {
  it('name each action by its commit', () => {
    const steps = workflows.flatMap(([, { jobs }]) => Object.values(jobs).flatMap((job) => job.steps));
    const used = steps.flatMap(({ uses = [] }) => uses);
    assert.ok(used.length > 10);
    for (const action of used) assert.match(action, /^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/);
  });

  for (const [path, { permissions, jobs }] of workflows) {
    for (const [name, job] of Object.entries(jobs)) {
      it(`let no job with rights run code that it did not get by digest: ${name} of ${path}`, () => {
        const granted = Object.entries({ ...permissions, ...job.permissions });
        // What is found by code scanning is uploaded by the job that scans.
        const rights = granted.filter(([right, to]) => to === 'write' && right !== 'security-events');
        if (rights.length === 0) return;
        for (const { uses = '', run = '' } of job.steps) {
          assert.doesNotMatch(uses, /^(actions\/checkout|docker\/)/);
          assert.doesNotMatch(run, RUNS_CODE);
        }
      });
    }
  }

  it('publish what the build has made, compared by digest, at the standard registry of npm', () => {
    const { build, publish } = workflows.find(([path]) => path.endsWith('/release.yml'))?.[1].jobs ?? {};
    const steps = publish?.steps ?? [];
    const [compared, ...acting] = steps.filter(({ run }) => run !== undefined);
    assert.match(compared?.run ?? '', /"\$SUMS {2}SHA256SUMS" \| sha256sum --check[^]*sha256sum --check/);
    assert.ok(acting.some(({ run }) => run?.includes('npm publish')));
    assert.doesNotMatch(JSON.stringify(steps), /registry-url|--registry/);
    const built = JSON.stringify(build?.steps);
    for (const made of ['--output', 'npm run release', 'SHA256SUMS']) assert.ok(built.includes(made), made);
    assert.doesNotMatch(built, /--push|secrets\.|github\.token/);
  });
});

describe('Dependabot', () => {
  it('looks at everything that names versions of others', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as {
      updates: { 'package-ecosystem': string; directory?: string; directories?: string[] }[];
    };
    const looked = new Set(
      updates.flatMap(({ 'package-ecosystem': kind, directory = [], directories = [] }) =>
        [...directories, directory].flat().map((folder) => `${kind} ${folder}`),
      ),
    );
    const folderOf = (path: string): string => `/${dirname(path)}`.replace(/\/\.$/, '/');
    const kinds: [RegExp, string][] = [
      [/(^|\/)(pnpm-lock\.yaml|package-lock\.json)$/, 'npm'],
      [/(^|\/)Dockerfile$/, 'docker'],
      [/(^|\/)docker-compose\.yml$/, 'docker-compose'],
      [/(^|\/)Chart\.yaml$/, 'helm'],
    ];
    const named = kinds.flatMap(([file, kind]) =>
      tracked.filter((path) => file.test(path)).map((path) => `${kind} ${folderOf(path)}`),
    );
    assert.ok(named.length > 5);
    assert.deepEqual([...new Set([...named, 'github-actions /'])].toSorted(), [...looked].toSorted());
  });
});
