import type { MailContentOf, MailKind } from '@gatehouse/events';
import { accessGranted } from './access-granted.ts';
import { accessRemoved } from './access-removed.ts';
import { addressTaken } from './address-taken.ts';
import { alreadyRegistered } from './already-registered.ts';
import { emailChangeCode } from './email-change-code.ts';
import { emailChangeNotice } from './email-change-notice.ts';
import { emailChanged } from './email-changed.ts';
import { invitation } from './invitation.ts';
import type { Letter } from './letter.ts';
import { newDevice } from './new-device.ts';
import { passwordChanged } from './password-changed.ts';
import { passwordReset } from './password-reset.ts';
import { refreshTokenReused } from './refresh-token-reused.ts';
import { twoFactorChanged } from './two-factor-changed.ts';
import { twoFactorCode } from './two-factor-code.ts';
import { verificationCode } from './verification-code.ts';

/** Who writes which mail. `publicUrl`, from configuration alone, is the only place a mail leads to. */
export const writers: { [K in MailKind]: (content: MailContentOf<K>, publicUrl: string) => Letter } = {
  'verification-code': verificationCode,
  'password-reset': passwordReset,
  'already-registered': alreadyRegistered,
  'password-changed': passwordChanged,
  'refresh-token-reused': refreshTokenReused,
  'email-change-code': emailChangeCode,
  'email-change-notice': emailChangeNotice,
  'email-changed': emailChanged,
  'address-taken': addressTaken,
  'new-device': newDevice,
  'two-factor-code': twoFactorCode,
  'two-factor-enabled': twoFactorChanged('two-factor-enabled'),
  'two-factor-disabled': twoFactorChanged('two-factor-disabled'),
  'recovery-code-used': twoFactorChanged('recovery-code-used'),
  invitation,
  'access-granted': accessGranted,
  'access-removed': accessRemoved,
};
