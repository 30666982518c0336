/** What mails say in English, and the keys of every other language. */
export const en = {
  'mail.greeting': 'Hello,',
  'mail.greeting-by-name': 'Hello {name},',
  'mail.code-valid': 'The code works once. It is valid until {until}.',
  'mail.code-valid-for': 'The code works once, within {duration} of the request.',
  'mail.access-until': 'Your access ends on {until}.',
  'mail.link-valid': 'The link works once. It is valid until {until}.',
  'mail.address': 'Or open this address in your browser:',
  'mail.when': 'When',
  'mail.requested': 'Requested',
  'mail.device': 'Device',
  'mail.ip-address': 'IP address',
  'mail.nothing-to-do': 'If this was you, you do not need to do anything.',
  'mail.somebody': 'Somebody',
  'mail.sender': 'This mail was sent by {brand}.',
  'mail.support': 'Help:',

  'mail.verification-code.subject': 'Confirm your email address',
  'mail.verification-code.why':
    'An account at {brand} was registered with this email address. Enter this code to confirm that the address is yours:',
  'mail.verification-code.button': 'Confirm email address',
  'mail.verification-code.not-you':
    'If you did not request an account, ignore this mail: without the code, nothing happens.',

  'mail.password-reset.subject': 'Your code for a new password',
  'mail.password-reset.why':
    'A new password was requested for your account at {brand}. Enter this code to choose one:',
  'mail.password-reset.button': 'Choose a new password',
  'mail.password-reset.not-you':
    'If you did not request it, ignore this mail: your password does not change.',

  'mail.login-code.subject': 'Your code to sign in',
  'mail.login-code.why':
    'A code to sign in to your account at {brand} was requested. Enter it in the browser where you requested it:',
  'mail.login-code.button': 'Sign in',
  'mail.login-code.not-you':
    'If you did not request it, ignore this mail, and give the code to nobody: it works only in the browser where it was requested.',

  'mail.mailbox-code.subject': 'Your code to change how you sign in',
  'mail.mailbox-code.why':
    'Somebody is changing how to sign in to your account at {brand}. Enter this code to confirm the change:',
  'mail.mailbox-code.button': 'Open your account',
  'mail.mailbox-code.not-you':
    'If you did not request it, somebody else is signed in to your account: end all other sessions.',

  'mail.account-invitation.subject': 'Your account at {brand}',
  'mail.account-invitation.why':
    'An account at {brand} has been created for you. Choose a password to start using it. This code confirms that the address is yours:',
  'mail.account-invitation.button': 'Set up your account',
  'mail.account-invitation.not-you':
    'If you do not want the account, ignore this mail: nobody can sign in to it without the code.',

  'mail.email-change-code.subject': 'Confirm your new email address',
  'mail.email-change-code.why':
    'This email address was entered for your account at {brand}. Enter this code to confirm that the address is yours:',
  'mail.email-change-code.button': 'Confirm email address',
  'mail.email-change-code.not-you':
    'If you did not request it, ignore this mail: without the code, nothing changes.',

  'mail.two-factor-code.subject': 'Your code for two-factor authentication',
  'mail.two-factor-code.why':
    'Somebody is setting up two-factor authentication for your account at {brand}. Enter this code to continue:',
  'mail.two-factor-code.button': 'Continue the setup',
  'mail.two-factor-code.not-you':
    'If you did not request it, somebody else is signed in to your account: end all other sessions and choose a new password.',

  'mail.erasure-code.subject': 'Your code to erase your account',
  'mail.erasure-code.why':
    'The erasure of your account at {brand}, with all its data, was requested. Enter this code to confirm it:',
  'mail.erasure-code.button': 'Open your account',
  'mail.erasure-code.not-you':
    'If you did not request it, somebody else is signed in to your account: end all other sessions and choose a new password.',

  'mail.erasure-scheduled.subject': 'Your account will be erased',
  'mail.erasure-scheduled.why':
    'Your account at {brand} is closed and will be erased on {until}, with all its data. All its sessions have ended.',
  'mail.erasure-scheduled.way-back':
    'If you want to keep your account, or did not request this, you can cancel the erasure until {until}. If you did not request it, choose a new password afterwards.',
  'mail.erasure-scheduled.button': 'Keep my account',
  'mail.erasure-scheduled.not-you':
    'If you did not expect this, contact the operators of {brand}: they can cancel the erasure until then.',

  'mail.account-erased.subject': 'Your account was erased',
  'mail.account-erased.why':
    'Your account at {brand} was erased, with all its data. This is our last mail to this address about it.',
  'mail.account-erased.not-you':
    'It cannot be restored. If you did not expect this, contact the operators of {brand}.',

  'mail.already-registered.subject': 'You already have an account',
  'mail.already-registered.why':
    'Somebody requested an account at {brand} with this email address. There already is one, so no other account was created. If this was you, sign in; if you forgot your password, you can choose a new one there.',
  'mail.already-registered.button': 'Sign in',
  'mail.already-registered.not-you':
    'If this was not you, you do not need to do anything: your account has not changed.',

  'mail.address-taken.subject': 'This email address already has an account',
  'mail.address-taken.why':
    'Somebody wanted to use this email address for another account at {brand}. That is not possible, because the address already has an account. If this was you, sign in to the account with this address.',
  'mail.address-taken.button': 'Sign in',
  'mail.address-taken.not-you':
    'If this was not you, you do not need to do anything: your account has not changed.',

  'mail.password-changed.subject': 'Your password was changed',
  'mail.password-changed.why': 'The password of your account at {brand} was changed.',
  'mail.password-changed.button': 'Choose a new password',
  'mail.password-changed.not-you': 'If this was not you, choose a new password immediately.',

  'mail.email-change-notice.subject': 'A change of your email address was requested',
  'mail.email-change-notice.why':
    'Somebody who is signed in to your account at {brand} requested another email address for it. The address changes when the new one is confirmed.',
  'mail.email-change-notice.button': 'Choose a new password',
  'mail.email-change-notice.not-you':
    'If this was not you, choose a new password immediately. This also prevents the change of the address.',

  'mail.email-changed.subject': 'Your email address was changed',
  'mail.email-changed.why':
    'The email address of your account at {brand} was changed. Sign in with the new address from now on; nothing more will be sent to this one.',
  'mail.email-changed.way-back':
    'If this was not you, restore this address until {until}. Your account is then signed out everywhere, and you choose a new password.',
  'mail.email-changed.button': 'Restore this address',

  'mail.email-set.subject': 'Your account has a new email address',
  'mail.email-set.why':
    'An administrator, or the provider at which you sign in, changed the email address of your account at {brand}. Sign in with the new address from now on; nothing more will be sent to the former one.',
  'mail.email-set.button': 'Check your security',
  'mail.email-set.not-you': 'If you did not expect this, contact the operators of {brand}.',

  'mail.new-device.subject': 'A new device signed in to your account',
  'mail.new-device.why': 'Somebody signed in to your account at {brand} from a new device.',
  'mail.new-device.button': 'Check your security',
  'mail.new-device.not-you': 'If this was not you, choose a new password immediately.',

  'mail.two-factor-enabled.subject': 'Two-factor authentication was switched on',
  'mail.two-factor-enabled.why':
    'From now on, signing in to your account at {brand} requires a code in addition to the password.',
  'mail.two-factor-enabled.button': 'Check your security',
  'mail.two-factor-enabled.not-you':
    'If this was not you, choose a new password immediately, and contact the operators of {brand}.',

  'mail.two-factor-disabled.subject': 'Two-factor authentication was switched off',
  'mail.two-factor-disabled.why':
    'From now on, the password alone is enough to sign in to your account at {brand}.',
  'mail.two-factor-disabled.button': 'Check your security',
  'mail.two-factor-disabled.not-you':
    'If this was not you, choose a new password immediately, and contact the operators of {brand}.',

  'mail.recovery-code-used.subject': 'A recovery code was used',
  'mail.recovery-code-used.why':
    'Somebody signed in to your account at {brand} with one of its recovery codes. This code can no longer be used.',
  'mail.recovery-code-used.button': 'Check your security',
  'mail.recovery-code-used.not-you':
    'If this was not you, choose a new password immediately, and contact the operators of {brand}.',

  'mail.recovery-codes-renewed.subject': 'You have new recovery codes',
  'mail.recovery-codes-renewed.why':
    'New recovery codes were created for your account at {brand}. All earlier ones have stopped working.',
  'mail.recovery-codes-renewed.button': 'Check your security',
  'mail.recovery-codes-renewed.not-you':
    'If this was not you, choose a new password immediately, and contact the operators of {brand}.',

  'mail.passkey-added.subject': 'A passkey was added to your account',
  'mail.passkey-added.why':
    'A passkey was added to your account at {brand}. It allows signing in without a password and without a code.',
  'mail.passkey-added.button': 'Check your security',
  'mail.passkey-added.not-you':
    'If this was not you, delete the passkey, choose a new password immediately, and contact the operators of {brand}.',

  'mail.passkey-removed.subject': 'A passkey was removed from your account',
  'mail.passkey-removed.why':
    'A passkey of your account at {brand} was removed. You can no longer sign in with it.',
  'mail.passkey-removed.button': 'Check your security',
  'mail.passkey-removed.not-you':
    'If this was not you, choose a new password immediately, and contact the operators of {brand}.',

  'mail.passkey-changed.subject': 'One of your passkeys is stored differently',
  'mail.passkey-changed.why':
    'Somebody signed in to your account at {brand} with one of your passkeys, which from now on can be copied to several of your devices, or no longer can. This happens when a password manager starts or stops to synchronise it.',
  'mail.passkey-changed.button': 'Check your security',
  'mail.passkey-changed.not-you':
    'If this was not you, delete this passkey, choose a new password immediately, and contact the operators of {brand}.',

  'mail.passkey-cloned.subject': 'One of your passkeys may have been copied',
  'mail.passkey-cloned.why':
    'Somebody tried to sign in to your account at {brand} with a passkey that belongs to a single device and seems to have been copied. We refused it. Delete this passkey and add a new one.',
  'mail.passkey-cloned.button': 'Check your security',
  'mail.passkey-cloned.not-you': 'If you did not expect this, contact the operators of {brand}.',

  'mail.app-connected.subject': 'A new app may act for you',
  'mail.app-connected.why':
    'An app was connected to your account at {brand}. It stays signed in until you end it, also when you sign out.',
  'mail.app-connected.button': 'Check your apps',
  'mail.app-connected.not-you':
    'If this was not you, end it, choose a new password immediately, and contact the operators of {brand}.',

  'mail.identity-linked.subject': 'A sign-in at another provider was linked to your account',
  'mail.identity-linked.why':
    'A sign-in at an identity provider was linked to your account at {brand}. It allows signing in to your account without your password.',
  'mail.identity-linked.button': 'Check your security',
  'mail.identity-linked.not-you':
    'If this was not you, unlink it, choose a new password immediately, and contact the operators of {brand}.',

  'mail.identity-unlinked.subject': 'A sign-in at another provider was unlinked from your account',
  'mail.identity-unlinked.why':
    'A sign-in at an identity provider was unlinked from your account at {brand}. You can no longer sign in with it.',
  'mail.identity-unlinked.button': 'Check your security',
  'mail.identity-unlinked.not-you':
    'If this was not you, choose a new password immediately, and contact the operators of {brand}.',

  'mail.refresh-token-reused.subject': 'We ended one of your sessions',
  'mail.refresh-token-reused.why':
    'A session of your account at {brand} was used in two places at once. It may have been stolen, so we ended it. Sign in again to continue.',
  'mail.refresh-token-reused.button': 'Check your security',
  'mail.refresh-token-reused.not-you':
    'If you did not expect this, choose a new password and end the sessions that you do not recognize.',

  'mail.invitation.subject': 'You are invited',
  'mail.invitation.why':
    '{inviter} invites you to “{content}” at {brand}. Open the link to accept the invitation.',
  'mail.invitation.button': 'Accept the invitation',
  'mail.invitation.not-you':
    'If you did not expect this invitation, ignore this mail: without the link, nothing happens.',

  'mail.access-granted.subject': 'You have been granted access',
  'mail.access-granted.why':
    'You now have access to “{content}” at {brand}. Sign in with your account as usual.',
  'mail.access-granted.button': 'Continue to {brand}',

  'mail.access-removed.subject': 'Your access has ended',
  'mail.access-removed.why': 'You no longer have access to “{content}” at {brand}.',
  'mail.access-removed.not-you':
    'You do not need to do anything. If you did not expect this, ask the person who granted you access.',

  'mail.webhook-disabled.subject': 'A webhook was disabled',
  'mail.webhook-disabled.why':
    'The webhook “{webhook}” of {brand} gets no events any more, because its receiver is gone or has failed for five days. You get this mail because you are an administrator.',
  'mail.webhook-disabled.what-to-do':
    'When the receiver works again, enable the webhook in the console, and retry its parked deliveries there.',

  'mail.test.subject': 'Test of the mail delivery',
  'mail.test.why':
    'An administrator of {brand} requested this mail to check whether mails arrive. This one has arrived; you do not need to do anything.',
} as const;

export type MailText = keyof typeof en;
