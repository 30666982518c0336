/**
 * The form in which a password's hash is stored. `peppered`: our own hash, with a key; `raw`: bcrypt as imported;
 * `foreign`: another slow hash as imported; `wrapped`: our own hash of a fast hash that was imported.
 */
export const PASSWORD_SCHEMES = ['peppered', 'raw', 'foreign', 'wrapped'] as const;

export type PasswordScheme = (typeof PASSWORD_SCHEMES)[number];
