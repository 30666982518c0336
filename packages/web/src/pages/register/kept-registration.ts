import type { Return } from '../login/destination.ts';

/** What shows that an account was registered in this browser: only then does its password remain. */
export interface KeptRegistration {
  Email: string;
  RegistrationToken: string;
  /** Where to go after the login: the link of the mail opens another tab. */
  back?: Return;
}

/** Returns `localStorage`: the link in the mail opens in another tab. Throws if it is disabled. */
type Store = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEY = 'registration';

/** Keeps the last registration in this browser until its email is confirmed. */
export function keepRegistration(registration: KeptRegistration, store: Store): void {
  try {
    store().setItem(KEY, JSON.stringify(registration));
  } catch {
    // Without storage the owner chooses a password after the confirmation.
  }
}

/** The registration of this email in this browser. */
export function keptRegistration(email: string, store: Store): KeptRegistration | undefined {
  try {
    const kept = JSON.parse(store().getItem(KEY) ?? '{}') as Partial<KeptRegistration>;
    const { Email, RegistrationToken, back } = kept;
    if (Email === undefined || RegistrationToken === undefined) return undefined;
    return comparable(Email) === comparable(email)
      ? { Email, RegistrationToken, ...(back && { back }) }
      : undefined;
  } catch {
    return undefined;
  }
}

export function forgetRegistration(store: Store): void {
  try {
    store().removeItem(KEY);
  } catch {
    // Nothing is stored.
  }
}

function comparable(email: string): string {
  return email.trim().toLowerCase();
}
