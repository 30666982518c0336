import { PATHS } from '../paths.ts';

/** Where to go after a login, and what the app there gets back with the code for its server. */
export interface Return {
  returnUrl?: string | undefined;
  state?: string | undefined;
  codeChallenge?: string | undefined;
}

/** The parameters of a login page's address that say where to go afterwards. */
export function returnIn({ returnUrl, state, codeChallenge }: Record<string, string>): Return {
  return { returnUrl, state, codeChallenge };
}

/**
 * The address to open after a login: the wanted one, if it is an account page or the service allows it. Otherwise the
 * app, or else the profile page.
 *
 * @param allowed the wanted address, if the service allows it.
 */
export function destinationOf(
  wanted: string | undefined,
  allowed: string | undefined,
  app: string | undefined,
): string {
  if (wanted !== undefined && isOwnPage(wanted)) return wanted;
  return allowed ?? app ?? PATHS.profile;
}

/** Whether the address is an account page, which opens without a reload and so keeps the data of its link. */
export function isOwnPage(destination: string): boolean {
  return OWN.includes(destination);
}

const OWN: readonly string[] = Object.values(PATHS);
