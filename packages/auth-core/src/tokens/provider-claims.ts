const LENGTH_MAX = 255;

/** Whether a claim is a valid subject: at most 255 ASCII characters (OpenID Connect Core §2). */
export function isSubject(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value);
}

/**
 * The `sid` of an ID token or a logout token: any text that Postgres can store. A longer one is ignored in both, so a logout
 * token with it ends all sessions of its subject.
 */
export function readSid(value: unknown): string | undefined {
  const isUsable =
    typeof value === 'string' &&
    value !== '' &&
    value.length <= LENGTH_MAX &&
    !value.includes('\0') &&
    value.isWellFormed();
  return isUsable ? value : undefined;
}
