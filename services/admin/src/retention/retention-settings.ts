import { ConfigError } from '@gatehouse/runtime';
import { Type, type Static, type TObject } from '@gatehouse/schema';

/** How long Admin retains old data, in days. */
export type RetentionSettings = Readonly<Static<TObject<ReturnType<typeof retentionSettings>>>>;

/** A hundred years. */
const DAYS_MAX = 36_500;
const AUDIT_DAYS_MIN = 90;

/** The settings of `startRetention`. The database enforces the same minimums regardless of the settings. */
export function retentionSettings() {
  return {
    // An address with a login within 90 days counts as known (docs/decisions/0014-login-throttle.md).
    SESSION_KEEP_DAYS: days(400, 90, 'How long a session is kept after its end'),
    // Verifiers read the ended sessions whose access tokens may not have expired yet: at most one day.
    SESSION_EVENT_KEEP_DAYS: days(400, 7, 'How long the history of sessions is kept'),
    SIGN_IN_KEEP_DAYS: days(30, 1, 'How long sign-ins and refused attempts are kept'),
    AUDIT_KEEP_DAYS: days(0, 0, `How long the audit is kept, ${AUDIT_DAYS_MIN} days at least; 0 forever`),
    UNVERIFIED_KEEP_DAYS: days(14, 0, 'How long an unverified registration is kept; 0 forever'),
    GUEST_ERASE_DAYS: days(0, 0, 'After how many days without content a guest is erased; 0 never'),
  };
}

/** @throws {ConfigError} if the audit would be retained for less than its minimum. */
export function checkRetention({ AUDIT_KEEP_DAYS }: RetentionSettings): void {
  if (AUDIT_KEEP_DAYS > 0 && AUDIT_KEEP_DAYS < AUDIT_DAYS_MIN)
    throw new ConfigError(`AUDIT_KEEP_DAYS must be 0, for ever, or at least ${AUDIT_DAYS_MIN}`);
}

function days(standard: number, minimum: number, description: string) {
  return Type.Integer({ default: standard, minimum, maximum: DAYS_MAX, description });
}
