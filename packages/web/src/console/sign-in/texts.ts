import type { Texts } from '../../ui/languages.ts';

export const signInTexts = {
  'signIn.title': ['Sign in to the console', 'An der Konsole anmelden'],
  'signIn.lead': ['For administrators.', 'Für Administratoren.'],
  'signIn.single': ['Signing in here ends your other session.', 'Diese Anmeldung beendet Ihre andere Sitzung.'],
  'signIn.unreachable': ['The console cannot be reached', 'Die Konsole ist nicht erreichbar'],
  'signIn.ended.replaced': ['You were signed out because your account signed in somewhere else.', 'Sie wurden abgemeldet, weil Ihr Konto an anderer Stelle angemeldet wurde.'],
  'signIn.ended.by': ['That was {device}, at {time}.', 'Das war {device} um {time} Uhr.'],
  'signIn.ended.deactivated': ['An administrator ended your session.', 'Ein Administrator hat Ihre Sitzung beendet.'],
  'signIn.ended.expired': ['Your session has expired.', 'Ihre Sitzung ist abgelaufen.'],
  'signIn.ended.ended': ['Your session has ended.', 'Ihre Sitzung ist beendet.'],
  'signIn.ended.forbidden': ['Your account is no longer an administrator.', 'Ihr Konto hat keine Administratorrechte mehr.'],
  'signIn.handOver.title': ['Continue in the console', 'In der Konsole fortfahren'],
  'signIn.handOver.lead': ['An app where you are signed in has sent you here. Continue only if you opened the console from that app.', 'Eine App, in der Sie angemeldet sind, hat Sie hierher geleitet. Fahren Sie nur fort, wenn Sie die Konsole aus dieser App geöffnet haben.'],
  'signIn.handOver.submit': ['Continue', 'Weiter'],
  'signIn.handOver.failed': ['This did not work. Open the console from your app again.', 'Das hat nicht funktioniert. Öffnen Sie die Konsole erneut aus Ihrer App.'],
  'signIn.handOver.invalid_code': ['This link has expired or was used already. Open the console from your app again.', 'Dieser Link ist abgelaufen oder wurde bereits verwendet. Öffnen Sie die Konsole erneut aus Ihrer App.'],
  'signOn.failed.another_account': ['This browser is signed in to the console with another account. Sign out there first.', 'In diesem Browser ist ein anderes Konto an der Konsole angemeldet. Melden Sie sich dort zuerst ab.'],
  'signOn.failed.not_administrator': ['This account is not an administrator.', 'Dieses Konto hat keine Administratorrechte.'],
  'signIn.confirmed': ['Your identity is confirmed. Repeat your action.', 'Ihre Identität ist bestätigt. Wiederholen Sie Ihre Aktion.'],
} satisfies Texts;
