import type { MailContentOf, MailKind } from '@gatehouse/events';
import { alreadyRegistered } from './already-registered.ts';
import type { Letter } from './letter.ts';
import { passwordChanged } from './password-changed.ts';
import { passwordReset } from './password-reset.ts';
import { refreshTokenReused } from './refresh-token-reused.ts';
import { verificationCode } from './verification-code.ts';

export type { Letter } from './letter.ts';

/** Who writes which mail. `publicUrl`, from configuration alone, is the only place a mail leads to. */
export const writers: { [K in MailKind]: (content: MailContentOf<K>, publicUrl: string) => Letter } = {
  'verification-code': verificationCode,
  'password-reset': passwordReset,
  'already-registered': alreadyRegistered,
  'password-changed': passwordChanged,
  'refresh-token-reused': refreshTokenReused,
};
