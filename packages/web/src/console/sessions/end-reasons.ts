import type { EndReason } from '@gatehouse/schema';
import type { TextKey } from '../text.ts';

/** Every reason in docs/sessions.md; each has a text. */
const WORDS: { [Reason in EndReason]: `sessionReason.${Reason}` extends TextKey ? true : never } = {
  logout: true,
  provider_logout: true,
  expired: true,
  replaced: true,
  administrator: true,
  password_changed: true,
  password_reset: true,
  email_taken_back: true,
  new_password_required: true,
  two_factor_enabled: true,
  two_factor_removed: true,
  two_factor_required: true,
  passkey_removed: true,
  identity_unlinked: true,
  refresh_token_reused: true,
  account_disabled: true,
  account_expired: true,
  account_erased: true,
  role_changed: true,
  access_revoked: true,
  invitation_accepted: true,
  invited_anew: true,
};

export const END_REASONS = Object.keys(WORDS);
