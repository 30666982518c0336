import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../processes/node-process.ts';

/** What files are for, by their path; the first that matches. */
const KINDS: [kind: string, files: RegExp][] = [
  ['generated', /openapi\/[^/]*\.json$|api-types\.ts$|console\/api\/operations\.ts$|pnpm-lock\.yaml$/],
  ['tests and support', /\.test\.[cm]?tsx?$|(^|\/)testing[/.-]|^packages\/e2e\//],
  ['product', /^(packages|services)\/.*\.[cm]?[jt]sx?$/],
];

/** How large the repository is: lines of source by what they are for, words of documents, and files. */
export function describeSizes(): string {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const counts = new Map(KINDS.map(([kind]) => [kind, 0]));
  let words = 0;
  for (const file of files.filter(Boolean)) {
    const kind = KINDS.find(([, pattern]) => pattern.test(file))?.[0];
    if (kind === undefined && !file.endsWith('.md')) continue;
    const text = readFileSync(join(ROOT, file), 'utf8');
    if (kind === undefined) words += text.split(/\s+/).filter(Boolean).length;
    else counts.set(kind, (counts.get(kind) ?? 0) + text.split('\n').length - 1);
  }
  const lines = [...counts].map(([kind, count]) => `${kind}: ${count} lines`);
  return [...lines, `documents: ${words} words`, `files: ${files.length - 1}`].join('\n');
}
