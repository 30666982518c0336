/** What shows that an account was registered in this browser: only then does its password remain. */
export interface KeptRegistration {
  Email: string;
  RegistrationToken: string;
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

/** The token of the registration of this email in this browser. */
export function keptRegistrationToken(email: string, store: Store): string | undefined {
  try {
    const kept = JSON.parse(store().getItem(KEY) ?? '{}') as Partial<KeptRegistration>;
    return comparable(kept.Email) === comparable(email) ? kept.RegistrationToken : undefined;
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

function comparable(email: string | undefined): string | undefined {
  return email?.trim().toLowerCase();
}
