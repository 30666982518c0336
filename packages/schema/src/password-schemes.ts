/**
 * How the hash of a password is kept. `peppered`: our own, keyed; `raw`: bcrypt as imported; `foreign`: another slow hash as
 * imported; `wrapped`: our own over a fast hash, as that one was imported.
 */
export const PASSWORD_SCHEMES = ['peppered', 'raw', 'foreign', 'wrapped'] as const;

export type PasswordScheme = (typeof PASSWORD_SCHEMES)[number];
