/** Loaded for the first passkey: importing it takes longer than the rest of a start. */
export function library() {
  return import('@simplewebauthn/server');
}

/** The library's parsers. */
export function helpers() {
  return import('@simplewebauthn/server/helpers');
}

/** The library throws for everything that it refuses or cannot parse. */
export async function unlessRefused<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

/** The library refuses any other type. */
export function typeOf({ type }: { type: string }): 'public-key' {
  return type as 'public-key'; // as the library's types want it
}
