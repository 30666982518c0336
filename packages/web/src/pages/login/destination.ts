import { PATHS } from '../paths.ts';

/**
 * Where a login leads: back to one of these pages or to an address that the service has on its list, else to the app, or
 * to one's own account.
 *
 * @param allowed what was wanted, where the service allows it.
 */
export function destinationOf(
  wanted: string | undefined,
  allowed: string | undefined,
  app: string | undefined,
): string {
  if (wanted !== undefined && isOwnPage(wanted)) return wanted;
  return allowed ?? app ?? PATHS.profile;
}

/** Whether it is one of these pages, which keep what they were opened with when nothing is reloaded. */
export function isOwnPage(destination: string): boolean {
  return OWN.includes(destination);
}

const OWN: readonly string[] = Object.values(PATHS);
