/** Loaded for the first passkey: importing the library takes longer than the rest of a start. */
export function webauthnFunctions() {
  return import('./webauthn-functions.ts');
}

/** The library throws for everything that it refuses or cannot parse. */
export async function unlessRefused<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
