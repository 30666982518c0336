import type { MailKind } from '@gatehouse/events';

/** What administrators read in the place of a kind. */
const NAMES: Readonly<Record<MailKind, readonly [en: string, de: string]>> = {
  'verification-code': ['Code to confirm the email', 'Code zur Bestätigung der E-Mail-Adresse'],
  'password-reset': ['Code to reset the password', 'Code zum Zurücksetzen des Passworts'],
  'login-code': ['Code to sign in', 'Code zur Anmeldung'],
  'mailbox-code': ['Code to change how to sign in', 'Code zum Ändern der Anmeldung'],
  'account-invitation': ['Invitation to an account', 'Einladung zu einem Konto'],
  'already-registered': ['Already registered', 'Bereits registriert'],
  'password-changed': ['Password changed', 'Passwort geändert'],
  'refresh-token-reused': ['Refresh token used twice', 'Refresh-Token zweimal verwendet'],
  'two-factor-code': ['Code for the second factor', 'Code für den zweiten Faktor'],
  'two-factor-enabled': ['Second factor set up', 'Zweiter Faktor eingerichtet'],
  'two-factor-disabled': ['Second factor switched off', 'Zweiter Faktor ausgeschaltet'],
  'recovery-code-used': ['Recovery code used', 'Wiederherstellungscode verwendet'],
  'recovery-codes-renewed': ['Recovery codes renewed', 'Wiederherstellungscodes erneuert'],
  'passkey-added': ['Passkey added', 'Passkey hinzugefügt'],
  'passkey-removed': ['Passkey removed', 'Passkey entfernt'],
  'passkey-changed': ['Passkey stored differently', 'Passkey anders gespeichert'],
  'passkey-cloned': ['Passkey may be copied', 'Passkey möglicherweise kopiert'],
  'app-connected': ['App stays signed in', 'App bleibt angemeldet'],
  'identity-linked': ['Single sign-on identity linked', 'Single-Sign-on-Identität verknüpft'],
  'identity-unlinked': ['Single sign-on identity unlinked', 'Single-Sign-on-Identität getrennt'],
  'email-change-code': ['Code to change the email', 'Code zur Änderung der E-Mail-Adresse'],
  'email-change-notice': ['Change of email requested', 'Änderung der E-Mail-Adresse angefordert'],
  'email-changed': ['Email changed', 'E-Mail-Adresse geändert'],
  'email-set': [
    'Email changed by an administrator or a provider',
    'E-Mail-Adresse durch Verwaltung oder Anbieter geändert',
  ],
  'address-taken': ['Address already taken', 'Adresse bereits vergeben'],
  'new-device': ['New device', 'Neues Gerät'],
  'erasure-code': ['Code to erase the account', 'Code zum Löschen des Kontos'],
  'erasure-scheduled': ['Account will be erased', 'Konto wird gelöscht'],
  'account-erased': ['Account erased', 'Konto gelöscht'],
  invitation: ['Invitation', 'Einladung'],
  'access-granted': ['Access granted', 'Zugang erteilt'],
  'access-removed': ['Access revoked', 'Zugang entzogen'],
  'webhook-disabled': ['Webhook disabled', 'Webhook deaktiviert'],
  test: ['Test mail', 'Test-E-Mail'],
};

function namesIn(language: 0 | 1): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(NAMES).map(([kind, names]) => [kind, names[language]]));
}

/** The names of all kinds by language. */
export const mailNames = { en: namesIn(0), de: namesIn(1) };
