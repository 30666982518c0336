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
