/** What files are for, by their path; the first that matches. */
const KINDS: [kind: Kind, files: RegExp][] = [
  ['tests and support', /\.test\.[cm]?tsx?$|(^|\/)testing[/.-]|^packages\/(e2e|lab)\//],
  ['texts', /\/texts\.ts$/],
  ['product', /^(packages|services)\/.*\.[cm]?[jt]sx?$/],
  ['words', /\.md$/],
];
type Kind = 'tests and support' | 'texts' | 'product' | 'words';

/** Parts that are no server: what browsers and other services run, and what builds, starts and documents the rest. */
const NO_SERVER = /^(packages\/(brand|build|client|codegen|dev|verify|web)|services\/tools)$/;

export interface SourceFile {
  path: string;
  text: string;
}

/** The budgets of `docs/architecture.md` by name, and what of them is used: lines, words or files. */
export function sizesOf(files: readonly SourceFile[], routes: number): Map<string, number> {
  const sizes = new Map<string, number>();
  const add = (name: string, count: number): void => void sizes.set(name, (sizes.get(name) ?? 0) + count);
  let server = 0;
  for (const { path, text } of files) {
    const kind = KINDS.find(([, pattern]) => pattern.test(path))?.[0];
    if (kind === 'words') add('words of documents', text.split(/\s+/).filter(Boolean).length);
    if (kind === 'words' || kind === undefined) continue;
    const lines = text.split('\n').length - 1;
    add(kind, lines);
    if (kind !== 'product') continue;
    const part = path.split('/').slice(0, 2).join('/');
    add(part, lines);
    if (!NO_SERVER.test(part)) server += lines;
  }
  add('files', files.length);
  add('server lines a route', Math.round(server / routes));
  add('lines of packages/web a route', Math.round((sizes.get('packages/web') ?? 0) / routes));
  return sizes;
}

/** A budget that is larger than what it is for by more than a fiftieth and these must be lowered by the change that made room. */
const ROOM = 20;

/** What is larger than its budget, has none, or left so much of it that it must be lowered. */
export function overruns(sizes: ReadonlyMap<string, number>, budgets: ReadonlyMap<string, number>): string[] {
  return [...new Set([...sizes.keys(), ...budgets.keys()])].flatMap((name) => {
    const [size, budget] = [sizes.get(name) ?? 0, budgets.get(name)];
    if (budget === undefined) return [`${name} has no budget; it is ${size}`];
    if (size > budget) return [`${name}: ${size}, and the budget is ${budget} (docs/architecture.md)`];
    return budget > size * 1.02 + ROOM ? [`${name}: ${size}, so lower the budget of ${budget}`] : [];
  });
}
