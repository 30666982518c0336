import type { Texts } from '../../ui/languages.ts';

export const profileTexts = {
  'c.profile.title': ['Your account', 'Ihr Konto'],
  'profile.you': ['You', 'Sie'],
  'profile.name': ['Name', 'Name'],
  'profile.twoFactor': ['Two-factor authentication', 'Zwei-Faktor-Authentifizierung'],
  'profile.twoFactor.on': ['On', 'Eingeschaltet'],
  'profile.twoFactor.off': ['Off', 'Ausgeschaltet'],
  'profile.session': ['This session', 'Diese Sitzung'],
  'profile.session.show': ['Show this session', 'Diese Sitzung anzeigen'],
  'profile.ends': ['Ends no later than', 'Endet spätestens'],
  'profile.look': ['Appearance', 'Darstellung'],
  'profile.look.lead': ['This browser remembers the colors. The language applies until the page is reloaded.', 'Die Farben merkt sich dieser Browser. Die Sprache gilt, bis die Seite neu geladen wird.'],
  'profile.theme': ['Colors', 'Farben'],
  'profile.theme.system': ['Same as the browser', 'Wie der Browser'],
  'profile.theme.light': ['Light', 'Hell'],
  'profile.theme.dark': ['Dark', 'Dunkel'],
  'profile.pages': ['Sign-in methods and sessions', 'Anmeldemethoden und Sitzungen'],
  'profile.pages.lead': ['Change your password, second factor, email address and other sessions on your account pages.', 'Passwort, zweiten Faktor, E-Mail-Adresse und andere Sitzungen ändern Sie auf Ihren Kontoseiten.'],
  'profile.pages.single': ['They ask you to sign in. Only one session per account is allowed here, so signing in there ends this session.', 'Dort müssen Sie sich anmelden. Da pro Konto nur eine Sitzung erlaubt ist, beendet die Anmeldung dort diese Sitzung.'],
  'profile.pages.open': ['Open account pages', 'Kontoseiten öffnen'],
} satisfies Texts;
