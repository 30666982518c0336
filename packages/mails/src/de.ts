import type { MailText } from './en.ts';

export const de: Record<MailText, string> = {
  'mail.greeting': 'Guten Tag,',
  'mail.greeting-by-name': 'Guten Tag {name},',
  'mail.code-valid': 'Der Code kann einmal verwendet werden und ist bis zum {until} gültig.',
  'mail.code-valid-for':
    'Der Code kann einmal verwendet werden, innerhalb von {duration} nach der Anforderung.',
  'mail.access-until': 'Ihr Zugang endet am {until}.',
  'mail.link-valid': 'Der Link kann einmal verwendet werden und ist bis zum {until} gültig.',
  'mail.address': 'Oder öffnen Sie diese Adresse in Ihrem Browser:',
  'mail.when': 'Zeitpunkt',
  'mail.requested': 'Angefordert',
  'mail.device': 'Gerät',
  'mail.ip-address': 'IP-Adresse',
  'mail.nothing-to-do': 'Falls Sie das waren, müssen Sie nichts tun.',
  'mail.somebody': 'Jemand',
  'mail.sender': 'Diese E-Mail wurde von {brand} gesendet.',
  'mail.support': 'Hilfe:',

  'mail.verification-code.subject': 'Bestätigen Sie Ihre E-Mail-Adresse',
  'mail.verification-code.why':
    'Mit dieser E-Mail-Adresse wurde ein Konto bei {brand} angelegt. Geben Sie diesen Code ein, um zu bestätigen, dass die Adresse Ihnen gehört:',
  'mail.verification-code.button': 'E-Mail-Adresse bestätigen',
  'mail.verification-code.not-you':
    'Falls Sie kein Konto angefordert haben, ignorieren Sie diese E-Mail: Ohne den Code geschieht nichts.',

  'mail.password-reset.subject': 'Ihr Code für ein neues Passwort',
  'mail.password-reset.why':
    'Für Ihr Konto bei {brand} wurde ein neues Passwort angefordert. Geben Sie diesen Code ein, um eines zu wählen:',
  'mail.password-reset.button': 'Neues Passwort wählen',
  'mail.password-reset.not-you':
    'Falls Sie es nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort wird nicht geändert.',

  'mail.login-code.subject': 'Ihr Code zur Anmeldung',
  'mail.login-code.why':
    'Für Ihr Konto bei {brand} wurde ein Code zur Anmeldung angefordert. Geben Sie ihn in dem Browser ein, in dem Sie ihn angefordert haben:',
  'mail.login-code.button': 'Anmelden',
  'mail.login-code.not-you':
    'Falls Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail und geben Sie den Code niemandem: Er funktioniert nur in dem Browser, in dem er angefordert wurde.',

  'mail.mailbox-code.subject': 'Ihr Code zum Ändern Ihrer Anmeldung',
  'mail.mailbox-code.why':
    'Für Ihr Konto bei {brand} soll geändert werden, wie Sie sich anmelden. Geben Sie diesen Code ein, um das zu bestätigen:',
  'mail.mailbox-code.button': 'Konto öffnen',
  'mail.mailbox-code.not-you':
    'Falls Sie das nicht veranlasst haben, ist jemand anderes in Ihrem Konto angemeldet: Beenden Sie alle anderen Sitzungen.',

  'mail.account-invitation.subject': 'Ihr Konto bei {brand}',
  'mail.account-invitation.why':
    'Für Sie wurde ein Konto bei {brand} angelegt. Wählen Sie ein Passwort, um es zu benutzen. Dieser Code bestätigt, dass die Adresse Ihnen gehört:',
  'mail.account-invitation.button': 'Konto einrichten',
  'mail.account-invitation.not-you':
    'Falls Sie das Konto nicht möchten, ignorieren Sie diese E-Mail: Ohne den Code kann sich niemand damit anmelden.',

  'mail.email-change-code.subject': 'Bestätigen Sie Ihre neue E-Mail-Adresse',
  'mail.email-change-code.why':
    'Für Ihr Konto bei {brand} wurde diese E-Mail-Adresse angegeben. Geben Sie diesen Code ein, um zu bestätigen, dass die Adresse Ihnen gehört:',
  'mail.email-change-code.button': 'E-Mail-Adresse bestätigen',
  'mail.email-change-code.not-you':
    'Falls Sie das nicht veranlasst haben, ignorieren Sie diese E-Mail: Ohne den Code ändert sich nichts.',

  'mail.two-factor-code.subject': 'Ihr Code für die Zwei-Faktor-Authentifizierung',
  'mail.two-factor-code.why':
    'Für Ihr Konto bei {brand} soll die Zwei-Faktor-Authentifizierung eingerichtet werden. Geben Sie diesen Code ein, um fortzufahren:',
  'mail.two-factor-code.button': 'Einrichtung fortsetzen',
  'mail.two-factor-code.not-you':
    'Falls Sie das nicht veranlasst haben, ist jemand anderes in Ihrem Konto angemeldet: Beenden Sie alle anderen Sitzungen und wählen Sie ein neues Passwort.',

  'mail.erasure-code.subject': 'Ihr Code zum Löschen Ihres Kontos',
  'mail.erasure-code.why':
    'Ihr Konto bei {brand} soll gelöscht werden, mit allem, was dazugehört. Geben Sie diesen Code ein, um das zu bestätigen:',
  'mail.erasure-code.button': 'Konto öffnen',
  'mail.erasure-code.not-you':
    'Falls Sie das nicht angefordert haben, ist jemand anderes in Ihrem Konto angemeldet: Beenden Sie alle anderen Sitzungen und wählen Sie ein neues Passwort.',

  'mail.erasure-scheduled.subject': 'Ihr Konto wird gelöscht',
  'mail.erasure-scheduled.why':
    'Ihr Konto bei {brand} ist geschlossen und wird am {until} gelöscht, mit allem, was dazugehört. Alle Sitzungen sind beendet.',
  'mail.erasure-scheduled.way-back':
    'Falls Sie Ihr Konto behalten möchten oder das nicht angefordert haben, können Sie die Löschung bis zum {until} abbrechen. Wählen Sie danach ein neues Passwort, falls Sie sie nicht angefordert haben.',
  'mail.erasure-scheduled.button': 'Konto behalten',
  'mail.erasure-scheduled.not-you':
    'Falls Sie das nicht erwartet haben, wenden Sie sich an die Betreiber von {brand}: Bis dahin können sie die Löschung abbrechen.',

  'mail.account-erased.subject': 'Ihr Konto wurde gelöscht',
  'mail.account-erased.why':
    'Ihr Konto bei {brand} wurde mit allem, was dazugehörte, gelöscht. Dies ist unsere letzte E-Mail dazu an diese Adresse.',
  'mail.account-erased.not-you':
    'Es kann nicht wiederhergestellt werden. Falls Sie das nicht erwartet haben, wenden Sie sich an die Betreiber von {brand}.',

  'mail.already-registered.subject': 'Sie haben bereits ein Konto',
  'mail.already-registered.why':
    'Jemand wollte mit dieser E-Mail-Adresse ein Konto bei {brand} anlegen. Zu dieser Adresse gibt es bereits ein Konto, daher wurde kein weiteres angelegt. Falls Sie das waren, melden Sie sich an; wenn Sie Ihr Passwort vergessen haben, können Sie dort ein neues wählen.',
  'mail.already-registered.button': 'Anmelden',
  'mail.already-registered.not-you':
    'Falls Sie das nicht waren, müssen Sie nichts tun: Ihr Konto wurde nicht verändert.',

  'mail.address-taken.subject': 'Zu dieser E-Mail-Adresse gibt es bereits ein Konto',
  'mail.address-taken.why':
    'Jemand wollte diese E-Mail-Adresse für ein anderes Konto bei {brand} verwenden. Das ist nicht möglich, weil es zu dieser Adresse bereits ein Konto gibt. Falls Sie das waren, melden Sie sich bei dem Konto mit dieser Adresse an.',
  'mail.address-taken.button': 'Anmelden',
  'mail.address-taken.not-you':
    'Falls Sie das nicht waren, müssen Sie nichts tun: Ihr Konto wurde nicht verändert.',

  'mail.password-changed.subject': 'Ihr Passwort wurde geändert',
  'mail.password-changed.why': 'Das Passwort Ihres Kontos bei {brand} wurde geändert.',
  'mail.password-changed.button': 'Neues Passwort wählen',
  'mail.password-changed.not-you': 'Falls Sie das nicht waren, wählen Sie sofort ein neues Passwort.',

  'mail.email-change-notice.subject': 'Eine andere E-Mail-Adresse für Ihr Konto wurde angefordert',
  'mail.email-change-notice.why':
    'Jemand, der in Ihrem Konto bei {brand} angemeldet ist, hat dafür eine andere E-Mail-Adresse angefordert. Sie ändert sich, sobald die neue Adresse bestätigt ist.',
  'mail.email-change-notice.button': 'Neues Passwort wählen',
  'mail.email-change-notice.not-you':
    'Falls Sie das nicht waren, wählen Sie sofort ein neues Passwort. Das verhindert auch die Änderung der Adresse.',

  'mail.email-changed.subject': 'Ihr Konto hat jetzt eine andere E-Mail-Adresse',
  'mail.email-changed.why':
    'Die E-Mail-Adresse Ihres Kontos bei {brand} wurde geändert. Melden Sie sich ab jetzt mit der neuen Adresse an; an diese Adresse senden wir nichts mehr.',
  'mail.email-changed.way-back':
    'Falls Sie das nicht waren, stellen Sie diese Adresse bis zum {until} wieder her. Ihr Konto wird dann überall abgemeldet, und Sie wählen ein neues Passwort.',
  'mail.email-changed.button': 'Diese Adresse wiederherstellen',

  'mail.email-set.subject': 'Ihr Konto hat eine neue E-Mail-Adresse',
  'mail.email-set.why':
    'Die Verwaltung von {brand} oder der Anbieter, bei dem Sie sich anmelden, hat die E-Mail-Adresse Ihres Kontos geändert. Melden Sie sich ab jetzt mit der neuen Adresse an; an die frühere senden wir nichts mehr.',
  'mail.email-set.button': 'Sicherheit prüfen',
  'mail.email-set.not-you':
    'Falls Sie das nicht erwartet haben, benachrichtigen Sie die Betreiber von {brand}.',

  'mail.new-device.subject': 'Anmeldung in Ihrem Konto mit einem neuen Gerät',
  'mail.new-device.why':
    'Jemand hat sich mit einem uns unbekannten Gerät in Ihrem Konto bei {brand} angemeldet.',
  'mail.new-device.button': 'Sicherheit prüfen',
  'mail.new-device.not-you': 'Falls Sie das nicht waren, wählen Sie sofort ein neues Passwort.',

  'mail.two-factor-enabled.subject': 'Die Zwei-Faktor-Authentifizierung wurde eingeschaltet',
  'mail.two-factor-enabled.why':
    'Für die Anmeldung in Ihrem Konto bei {brand} ist ab jetzt zusätzlich zum Passwort ein Code nötig.',
  'mail.two-factor-enabled.button': 'Sicherheit prüfen',
  'mail.two-factor-enabled.not-you':
    'Falls Sie das nicht waren, wählen Sie sofort ein neues Passwort und benachrichtigen Sie die Betreiber von {brand}.',

  'mail.two-factor-disabled.subject': 'Die Zwei-Faktor-Authentifizierung wurde ausgeschaltet',
  'mail.two-factor-disabled.why':
    'Für die Anmeldung in Ihrem Konto bei {brand} genügt ab jetzt das Passwort.',
  'mail.two-factor-disabled.button': 'Sicherheit prüfen',
  'mail.two-factor-disabled.not-you':
    'Falls Sie das nicht waren, wählen Sie sofort ein neues Passwort und benachrichtigen Sie die Betreiber von {brand}.',

  'mail.recovery-code-used.subject': 'Ein Wiederherstellungscode wurde verwendet',
  'mail.recovery-code-used.why':
    'Jemand hat sich mit einem Ihrer Wiederherstellungscodes in Ihrem Konto bei {brand} angemeldet. Dieser Code ist nun ungültig.',
  'mail.recovery-code-used.button': 'Sicherheit prüfen',
  'mail.recovery-code-used.not-you':
    'Falls Sie das nicht waren, wählen Sie sofort ein neues Passwort und benachrichtigen Sie die Betreiber von {brand}.',

  'mail.recovery-codes-renewed.subject': 'Sie haben neue Wiederherstellungscodes',
  'mail.recovery-codes-renewed.why':
    'Für Ihr Konto bei {brand} wurden neue Wiederherstellungscodes erstellt. Alle früheren sind ungültig.',
  'mail.recovery-codes-renewed.button': 'Sicherheit prüfen',
  'mail.recovery-codes-renewed.not-you':
    'Falls Sie das nicht waren, wählen Sie sofort ein neues Passwort und benachrichtigen Sie die Betreiber von {brand}.',

  'mail.passkey-added.subject': 'Ihrem Konto wurde ein Passkey hinzugefügt',
  'mail.passkey-added.why':
    'Ihrem Konto bei {brand} wurde ein Passkey hinzugefügt. Damit ist die Anmeldung ohne Passwort und ohne Code möglich.',
  'mail.passkey-added.button': 'Sicherheit prüfen',
  'mail.passkey-added.not-you':
    'Falls Sie das nicht waren, löschen Sie den Passkey, wählen Sie sofort ein neues Passwort und benachrichtigen Sie die Betreiber von {brand}.',

  'mail.passkey-removed.subject': 'Ein Passkey Ihres Kontos wurde entfernt',
  'mail.passkey-removed.why':
    'Ein Passkey Ihres Kontos bei {brand} wurde entfernt. Mit ihm können Sie sich nicht mehr anmelden.',
  'mail.passkey-removed.button': 'Sicherheit prüfen',
  'mail.passkey-removed.not-you':
    'Falls Sie das nicht waren, wählen Sie sofort ein neues Passwort und benachrichtigen Sie die Betreiber von {brand}.',

  'mail.passkey-changed.subject': 'Einer Ihrer Passkeys wird anders gespeichert',
  'mail.passkey-changed.why':
    'In Ihrem Konto bei {brand} hat sich jemand mit einem Ihrer Passkeys angemeldet, der von jetzt an auf mehrere Ihrer Geräte kopiert werden kann oder nicht mehr. Das geschieht, wenn eine Passwortverwaltung ihn zu synchronisieren beginnt oder damit aufhört.',
  'mail.passkey-changed.button': 'Sicherheit prüfen',
  'mail.passkey-changed.not-you':
    'Falls Sie das nicht waren, löschen Sie diesen Passkey, wählen Sie sofort ein neues Passwort und benachrichtigen Sie die Betreiber von {brand}.',

  'mail.passkey-cloned.subject': 'Einer Ihrer Passkeys wurde möglicherweise kopiert',
  'mail.passkey-cloned.why':
    'Jemand wollte sich in Ihrem Konto bei {brand} mit einem Passkey anmelden, der zu einem einzigen Gerät gehört und offenbar kopiert wurde. Wir haben die Anmeldung abgelehnt. Löschen Sie diesen Passkey und fügen Sie einen neuen hinzu.',
  'mail.passkey-cloned.button': 'Sicherheit prüfen',
  'mail.passkey-cloned.not-you':
    'Falls Sie das nicht erwartet haben, benachrichtigen Sie die Betreiber von {brand}.',

  'mail.app-connected.subject': 'Eine neue App darf für Sie handeln',
  'mail.app-connected.why':
    'Eine App wurde mit Ihrem Konto bei {brand} verbunden. Sie bleibt angemeldet, bis Sie das beenden, auch wenn Sie sich abmelden.',
  'mail.app-connected.button': 'Apps prüfen',
  'mail.app-connected.not-you':
    'Falls Sie das nicht waren, beenden Sie es, wählen Sie sofort ein neues Passwort und benachrichtigen Sie die Betreiber von {brand}.',

  'mail.identity-linked.subject': 'Mit Ihrem Konto wurde die Anmeldung bei einem anderen Anbieter verknüpft',
  'mail.identity-linked.why':
    'Mit Ihrem Konto bei {brand} wurde die Anmeldung bei einem Identitätsanbieter verknüpft. Damit ist die Anmeldung in Ihrem Konto ohne Ihr Passwort möglich.',
  'mail.identity-linked.button': 'Sicherheit prüfen',
  'mail.identity-linked.not-you':
    'Falls Sie das nicht waren, heben Sie die Verknüpfung auf, wählen Sie sofort ein neues Passwort und benachrichtigen Sie die Betreiber von {brand}.',

  'mail.identity-unlinked.subject':
    'Die Verknüpfung Ihres Kontos mit einem anderen Anbieter wurde aufgehoben',
  'mail.identity-unlinked.why':
    'Die Verknüpfung Ihres Kontos bei {brand} mit der Anmeldung bei einem Identitätsanbieter wurde aufgehoben. Sie können sich darüber nicht mehr anmelden.',
  'mail.identity-unlinked.button': 'Sicherheit prüfen',
  'mail.identity-unlinked.not-you':
    'Falls Sie das nicht waren, wählen Sie sofort ein neues Passwort und benachrichtigen Sie die Betreiber von {brand}.',

  'mail.refresh-token-reused.subject': 'Wir haben eine Ihrer Sitzungen beendet',
  'mail.refresh-token-reused.why':
    'Eine Sitzung Ihres Kontos bei {brand} wurde an zwei Stellen gleichzeitig verwendet. Da sie gestohlen worden sein könnte, haben wir sie beendet. Melden Sie sich erneut an, um fortzufahren.',
  'mail.refresh-token-reused.button': 'Sicherheit prüfen',
  'mail.refresh-token-reused.not-you':
    'Falls Sie das nicht erwartet haben, wählen Sie ein neues Passwort und beenden Sie die Sitzungen, die Sie nicht kennen.',

  'mail.invitation.subject': 'Sie sind eingeladen',
  'mail.invitation.why':
    '{inviter} lädt Sie zu „{content}“ bei {brand} ein. Öffnen Sie den Link, um die Einladung anzunehmen.',
  'mail.invitation.button': 'Einladung annehmen',
  'mail.invitation.not-you':
    'Falls Sie die Einladung nicht erwartet haben, ignorieren Sie diese E-Mail: Ohne den Link geschieht nichts.',

  'mail.access-granted.subject': 'Sie haben Zugang erhalten',
  'mail.access-granted.why':
    'Sie haben jetzt Zugang zu „{content}“ bei {brand}. Melden Sie sich wie gewohnt mit Ihrem Konto an.',
  'mail.access-granted.button': 'Weiter zu {brand}',

  'mail.access-removed.subject': 'Ihr Zugang ist beendet',
  'mail.access-removed.why': 'Sie haben keinen Zugang mehr zu „{content}“ bei {brand}.',
  'mail.access-removed.not-you':
    'Sie müssen nichts tun. Falls Sie das nicht erwartet haben, fragen Sie die Person, die Ihnen den Zugang erteilt hat.',

  'mail.webhook-disabled.subject': 'Ein Webhook wurde deaktiviert',
  'mail.webhook-disabled.why':
    'Der Webhook „{webhook}“ von {brand} erhält keine Ereignisse mehr, weil es seinen Empfänger nicht mehr gibt oder er fünf Tage lang nicht funktioniert hat. Sie erhalten diese E-Mail, weil Sie Administrator sind.',
  'mail.webhook-disabled.what-to-do':
    'Sobald der Empfänger wieder funktioniert, aktivieren Sie den Webhook in der Konsole und wiederholen Sie dort seine geparkten Zustellungen.',

  'mail.test.subject': 'Test der E-Mail-Zustellung',
  'mail.test.why':
    'Ein Administrator von {brand} hat diese E-Mail angefordert, um zu prüfen, ob E-Mails ankommen. Diese ist angekommen; Sie müssen nichts tun.',
};
