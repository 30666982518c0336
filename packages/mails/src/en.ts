import type { MailKind } from '@gatehouse/events';

/** What mails say in English, and the keys of every other language. */
export const en = {
  'mail.greeting': 'Hello,',
  'mail.greeting-by-name': 'Hello {name},',
  'mail.code-valid': 'The code works once. It is valid until {until}.',
  'mail.access-until': 'Your access ends on {until}.',
  'mail.link-valid': 'The link works once. It is valid until {until}.',
  'mail.address': 'Or open this address in your browser:',
  'mail.when': 'When',
  'mail.requested': 'Requested',
  'mail.device': 'Device',
  'mail.ip-address': 'IP address',
  'mail.nothing-to-do': 'If it was you, there is nothing to do.',
  'mail.somebody': 'Somebody',
  'mail.sender': 'This mail was sent by {brand}.',
  'mail.support': 'Help:',

  'mail.verification-code.subject': 'Confirm your email address',
  'mail.verification-code.why':
    'An account at {brand} was registered with this email address. Enter this code to confirm that the address is yours:',
  'mail.verification-code.button': 'Confirm email address',
  'mail.verification-code.not-you':
    'If you did not ask for an account, ignore this mail: without the code, nothing happens.',

  'mail.password-reset.subject': 'Your code for a new password',
  'mail.password-reset.why':
    'A new password was requested for your account at {brand}. Enter this code to choose one:',
  'mail.password-reset.button': 'Choose a new password',
  'mail.password-reset.not-you': 'If you did not ask for it, ignore this mail: your password stays as it is.',

  'mail.email-change-code.subject': 'Confirm your new email address',
  'mail.email-change-code.why':
    'Your account at {brand} is to get this email address. Enter this code to confirm that the address is yours:',
  'mail.email-change-code.button': 'Confirm email address',
  'mail.email-change-code.not-you':
    'If you did not ask for it, ignore this mail: without the code, nothing changes.',

  'mail.two-factor-code.subject': 'Your code for two-factor authentication',
  'mail.two-factor-code.why':
    'Two-factor authentication is to be set up for your account at {brand}. Enter this code to continue:',
  'mail.two-factor-code.button': 'Continue the setup',
  'mail.two-factor-code.not-you':
    'If you did not ask for it, somebody else is signed in to your account: end all other sessions and choose a new password.',

  'mail.erasure-code.subject': 'Your code to erase your account',
  'mail.erasure-code.why':
    'Your account at {brand} is to be erased, with all that belongs to it. Enter this code to confirm that you want this:',
  'mail.erasure-code.button': 'Open your account',
  'mail.erasure-code.not-you':
    'If you did not ask for it, somebody else is signed in to your account: end all other sessions and choose a new password.',

  'mail.erasure-scheduled.subject': 'Your account will be erased',
  'mail.erasure-scheduled.why':
    'Your account at {brand} is closed and will be erased on {until}, with all that belongs to it. All its sessions have ended.',
  'mail.erasure-scheduled.way-back':
    'If you want to keep your account, or did not ask for this, take it back until {until}. Then choose a new password if it was not you who asked.',
  'mail.erasure-scheduled.button': 'Keep my account',
  'mail.erasure-scheduled.not-you':
    'If you did not expect this, tell those who run {brand}: until then they can take it back.',

  'mail.account-erased.subject': 'Your account was erased',
  'mail.account-erased.why':
    'Your account at {brand} was erased, with all that belonged to it. This was our last mail to this address about it.',
  'mail.account-erased.not-you':
    'It cannot be brought back. If you did not expect this, tell those who run {brand}.',

  'mail.already-registered.subject': 'You already have an account',
  'mail.already-registered.why':
    'Somebody asked for an account at {brand} with this email address. It has one already, so no other was made. If that was you, sign in; if you forgot your password, you can choose a new one there.',
  'mail.already-registered.button': 'Sign in',
  'mail.already-registered.not-you':
    'If it was not you, there is nothing to do: your account has not changed.',

  'mail.address-taken.subject': 'This email address has an account already',
  'mail.address-taken.why':
    'Somebody wanted to use this email address for another account at {brand}. That is not possible, as it has an account already. If that was you, sign in to the account that has this address.',
  'mail.address-taken.button': 'Sign in',
  'mail.address-taken.not-you': 'If it was not you, there is nothing to do: your account has not changed.',

  'mail.password-changed.subject': 'Your password was changed',
  'mail.password-changed.why': 'The password of your account at {brand} was changed.',
  'mail.password-changed.button': 'Choose a new password',
  'mail.password-changed.not-you': 'If it was not you, choose a new password at once.',

  'mail.email-change-notice.subject': 'Your account is to get another email address',
  'mail.email-change-notice.why':
    'Somebody who knows your password asked for another email address for your account at {brand}. It changes once the new address is confirmed.',
  'mail.email-change-notice.button': 'Choose a new password',
  'mail.email-change-notice.not-you':
    'If it was not you, choose a new password at once. That also stops the change of the address.',

  'mail.email-changed.subject': 'Your account has another email address now',
  'mail.email-changed.why':
    'The email address of your account at {brand} was changed. Sign in with the new address from now on; nothing more will be sent to this one.',
  'mail.email-changed.button': 'Check your security',
  'mail.email-changed.not-you':
    'If it was not you, choose a new password at once. If you can no longer sign in, ask those who run {brand} for help.',

  'mail.new-device.subject': 'A new device signed in to your account',
  'mail.new-device.why': 'Somebody signed in to your account at {brand} from a device that is new to us.',
  'mail.new-device.button': 'Check your security',
  'mail.new-device.not-you': 'If it was not you, choose a new password at once.',

  'mail.two-factor-enabled.subject': 'Two-factor authentication was switched on',
  'mail.two-factor-enabled.why':
    'From now on, signing in to your account at {brand} takes a code besides the password.',
  'mail.two-factor-enabled.button': 'Check your security',
  'mail.two-factor-enabled.not-you':
    'If it was not you, choose a new password at once, and tell those who run {brand}.',

  'mail.two-factor-disabled.subject': 'Two-factor authentication was switched off',
  'mail.two-factor-disabled.why':
    'From now on, the password alone is enough to sign in to your account at {brand}.',
  'mail.two-factor-disabled.button': 'Check your security',
  'mail.two-factor-disabled.not-you':
    'If it was not you, choose a new password at once, and tell those who run {brand}.',

  'mail.recovery-code-used.subject': 'A recovery code was used',
  'mail.recovery-code-used.why':
    'Somebody signed in to your account at {brand} with one of its recovery codes. It does not work again.',
  'mail.recovery-code-used.button': 'Check your security',
  'mail.recovery-code-used.not-you':
    'If it was not you, choose a new password at once, and tell those who run {brand}.',

  'mail.recovery-codes-renewed.subject': 'You have new recovery codes',
  'mail.recovery-codes-renewed.why':
    'New recovery codes were made for your account at {brand}. All earlier ones have stopped working.',
  'mail.recovery-codes-renewed.button': 'Check your security',
  'mail.recovery-codes-renewed.not-you':
    'If it was not you, choose a new password at once, and tell those who run {brand}.',

  'mail.passkey-added.subject': 'A passkey was added to your account',
  'mail.passkey-added.why':
    'A passkey was added to your account at {brand}. With it, somebody can sign in without a password and without a code.',
  'mail.passkey-added.button': 'Check your security',
  'mail.passkey-added.not-you':
    'If it was not you, delete the passkey and choose a new password at once, and tell those who run {brand}.',

  'mail.passkey-removed.subject': 'A passkey was removed from your account',
  'mail.passkey-removed.why':
    'A passkey of your account at {brand} was removed. It does not sign you in any more.',
  'mail.passkey-removed.button': 'Check your security',
  'mail.passkey-removed.not-you':
    'If it was not you, choose a new password at once, and tell those who run {brand}.',

  'mail.passkey-cloned.subject': 'One of your passkeys may have been copied',
  'mail.passkey-cloned.why':
    'Somebody tried to sign in to your account at {brand} with a passkey that belongs to one device, and that seems to exist twice. We refused it. Delete this passkey and add a new one.',
  'mail.passkey-cloned.button': 'Check your security',
  'mail.passkey-cloned.not-you': 'If you did not expect this, tell those who run {brand}.',

  'mail.identity-linked.subject': 'A sign-in at another provider was linked to your account',
  'mail.identity-linked.why':
    'A sign-in at an identity provider was linked to your account at {brand}. Whoever has it can sign in to your account without your password.',
  'mail.identity-linked.button': 'Check your security',
  'mail.identity-linked.not-you':
    'If it was not you, unlink it and choose a new password at once, and tell those who run {brand}.',

  'mail.identity-unlinked.subject': 'A sign-in at another provider was unlinked from your account',
  'mail.identity-unlinked.why':
    'A sign-in at an identity provider was unlinked from your account at {brand}. It does not open your account any more.',
  'mail.identity-unlinked.button': 'Check your security',
  'mail.identity-unlinked.not-you':
    'If it was not you, choose a new password at once, and tell those who run {brand}.',

  'mail.refresh-token-reused.subject': 'We ended one of your sessions',
  'mail.refresh-token-reused.why':
    'A session of your account at {brand} was used in two places at once. It may have been stolen, so we ended it. Sign in again to continue.',
  'mail.refresh-token-reused.button': 'Check your security',
  'mail.refresh-token-reused.not-you':
    'If you did not expect this, choose a new password and end the sessions that you do not know.',

  'mail.invitation.subject': 'You are invited',
  'mail.invitation.why':
    '{inviter} invites you to “{content}” at {brand}. Choose a name and a password to accept the invitation.',
  'mail.invitation.button': 'Accept the invitation',
  'mail.invitation.not-you':
    'If you do not know what this is about, ignore this mail: without the link, nothing happens.',

  'mail.access-granted.subject': 'You have been given access',
  'mail.access-granted.why':
    'You now have access to “{content}” at {brand}. Sign in with your account as usual.',
  'mail.access-granted.button': 'Continue to {brand}',

  'mail.access-removed.subject': 'Your access has ended',
  'mail.access-removed.why': 'You no longer have access to “{content}” at {brand}.',
  'mail.access-removed.not-you':
    'There is nothing to do. If you did not expect this, ask whoever gave you access.',

  'mail.test.subject': 'Test of the mail delivery',
  'mail.test.why':
    'An administrator of {brand} asked for this mail to see whether mails arrive. This one has; there is nothing to do.',
} as const;

export type MailText = keyof typeof en;

/** What the console calls each kind of mail in English. */
export const namesInEnglish: Record<MailKind, string> = {
  'verification-code': 'Code to confirm the email',
  'password-reset': 'Code to reset the password',
  'already-registered': 'Already registered',
  'password-changed': 'Password changed',
  'refresh-token-reused': 'Refresh token used twice',
  'two-factor-code': 'Code of the second factor',
  'two-factor-enabled': 'Second factor set up',
  'two-factor-disabled': 'Second factor switched off',
  'recovery-code-used': 'Recovery code used',
  'recovery-codes-renewed': 'Recovery codes renewed',
  'passkey-added': 'Passkey added',
  'passkey-removed': 'Passkey removed',
  'passkey-cloned': 'Passkey may be copied',
  'identity-linked': 'Single sign-on identity linked',
  'identity-unlinked': 'Single sign-on identity unlinked',
  'email-change-code': 'Code to change the email',
  'email-change-notice': 'Change of email requested',
  'email-changed': 'Email changed',
  'address-taken': 'Address is taken',
  'new-device': 'New device',
  'erasure-code': 'Code to erase the account',
  'erasure-scheduled': 'Account will be erased',
  'account-erased': 'Account erased',
  invitation: 'Invitation',
  'access-granted': 'Access granted',
  'access-removed': 'Access taken back',
  test: 'Test mail',
};
