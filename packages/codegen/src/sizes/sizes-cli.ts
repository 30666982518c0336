import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { DOCUMENT_FILE } from '../openapi/merged-document.ts';
import { readTable } from '../tables/markdown-table.ts';
import { ROOT } from '../write-generated.ts';
import { overruns, sizesOf } from './sizes.ts';

/** A part of `npm run check`: how large the repository is, against the budgets in `docs/architecture.md`. */
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
const paths = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && existsSync(new URL(path, ROOT)));
const { paths: routes } = JSON.parse(read(DOCUMENT_FILE)) as { paths: Record<string, object> }; // written by the build
const sizes = sizesOf(
  paths.map((path) => ({ path, text: read(path) })),
  Object.values(routes).reduce((sum, methods) => sum + Object.keys(methods).length, 0),
);
if (process.argv.includes('--print')) {
  for (const [name, size] of sizes) process.stdout.write(`${name}: ${size}\n`);
} else {
  const rows = readTable('docs/architecture.md', 'budgets');
  const budgets = new Map(rows.map(([name = '', budget = '']) => [name, Number(budget.replaceAll(',', ''))]));
  const wrong = overruns(sizes, budgets);
  for (const line of wrong) process.stdout.write(`${line}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}
