/** What decides whether a version can be released. */
export interface Tree {
  version: string;
  /** The version in package.json, which is the last release or a state before the first. */
  current: string;
  branch: string;
  /** The output of `git status --porcelain`. */
  changes: string;
  tags: readonly string[];
  changelog: string;
}

export function releaseProblems({ version, current, branch, changes, tags, changelog }: Tree): string[] {
  return [
    ...(isVersion(version) ? [] : [`"${version}" is no version: three numbers, such as 1.0.0`]),
    ...(isNewer(version, current) ? [] : [`${version} is not newer than ${current}`]),
    ...(tags.includes(`v${version}`) ? [`The tag v${version} exists`] : []),
    ...(branch === 'main' ? [] : [`This is the branch ${branch}, not main`]),
    ...(changes === '' ? [] : ['There are changes that are not committed']),
    ...(sectionOf(changelog, 'Unreleased') === '' ? ['CHANGELOG.md has nothing under Unreleased'] : []),
  ];
}

function isVersion(text: string): boolean {
  return /^\d+\.\d+\.\d+$/.test(text);
}

function isNewer(version: string, current: string): boolean {
  const [mine, other] = [version, current].map((one) => one.split('.').map(Number));
  for (const [at, number] of (mine ?? []).entries()) {
    const than = other?.[at] ?? 0;
    if (number !== than) return number > than;
  }
  return false;
}

/** The part of the changelog below one heading of the second level, without the heading. */
export function sectionOf(changelog: string, title: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const found = sections.find(
    (section) => section.startsWith(`${title}\n`) || section.startsWith(`${title} `),
  );
  return (found ?? '').split('\n').slice(1).join('\n').trim();
}

/** The changelog with what was unreleased as the section of a version, below an empty section for what comes next. */
export function cutChangelog(changelog: string, version: string, date: string): string {
  return changelog.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version} (${date})\n`);
}
