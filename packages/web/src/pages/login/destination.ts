import { PATHS } from '../paths.ts';

/** Where a login leads: an address of the configured list or one of these pages, compared exactly, or the app, or one's own account. */
export function destinationOf(
  wanted: string | undefined,
  { AppUrl, ReturnUrls }: { AppUrl?: string | undefined; ReturnUrls: readonly string[] },
): string {
  if (wanted !== undefined && (ReturnUrls.includes(wanted) || isOwnPage(wanted))) return wanted;
  return AppUrl ?? PATHS.profile;
}

/** Whether it is one of these pages, which keep what they were opened with when nothing is loaded anew. */
export function isOwnPage(destination: string): boolean {
  return OWN.includes(destination);
}

const OWN: readonly string[] = Object.values(PATHS);
