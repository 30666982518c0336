/** Loaded when the first passkey comes: importing it takes longer than all else that a start does. */
export function library() {
  return import('@simplewebauthn/server');
}

/** What it reads parts by. */
export function helpers() {
  return import('@simplewebauthn/server/helpers');
}

/** The library throws for all that it refuses, and for what it cannot read. */
export async function unlessRefused<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

/** The library refuses what is something else. */
export function typeOf({ type }: { type: string }): 'public-key' {
  return type as 'public-key'; // as the library's types want it
}
