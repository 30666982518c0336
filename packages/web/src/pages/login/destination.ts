import { PATHS } from '../paths.ts';

/** Where a login leads: an address of the configured list, compared exactly, or the app, or one's own account. */
export function destinationOf(
  wanted: string | undefined,
  { AppUrl, ReturnUrls }: { AppUrl?: string | undefined; ReturnUrls: readonly string[] },
): string {
  if (wanted !== undefined && ReturnUrls.includes(wanted)) return wanted;
  return AppUrl ?? PATHS.profile;
}
