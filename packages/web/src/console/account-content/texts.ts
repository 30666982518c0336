import type { Texts } from '../../ui/languages.ts';

export const accountContentTexts = {
  'accountContent.none': ['This account owns no content and has access to none.', 'Dieses Konto besitzt keine Inhalte und hat zu keinem Zugang.'],
  'accountContent.give': ['Give access', 'Zugang erteilen'],
  'accountContent.give.lead': ['{email} gets access immediately; people who have not registered get a mail with a link.', '{email} hat sofort Zugang. Wer nicht registriert ist, erhält eine E-Mail mit einem Link.'],
  'accountContent.search': ['Find content', 'Inhalt suchen'],
  'accountContent.search.none': ['No content matches.', 'Keine passenden Inhalte.'],
  'accountContent.until': ['Until', 'Bis'],
  'accountContent.until.hint': ['In your time zone. If empty, the access does not end.', 'In Ihrer Zeitzone. Ohne Angabe endet der Zugang nicht.'],
  'accountContent.take.Access': ['Revoke access', 'Zugang entziehen'],
  'accountContent.take.Access.lead': ['{email} immediately loses access to “{content}”.', '{email} verliert sofort den Zugang zu „{content}“.'],
  'accountContent.take.Pending': ['Delete invitation', 'Einladung löschen'],
  'accountContent.take.Pending.lead': ['The invitation of {email} to “{content}” is deleted; its link no longer works.', 'Die Einladung von {email} zu „{content}“ wird gelöscht. Ihr Link ist dann ungültig.'],
  'accountContent.take.guest': ['The sessions of a guest end. A guest without any other content expires or is removed.', 'Die Sitzungen eines Gasts enden. Ein Gast ohne andere Inhalte läuft ab oder wird entfernt.'],
  'accountContent.taken': ['Access to “{content}” was revoked.', 'Der Zugang zu „{content}“ wurde entzogen.'],
  'accountContent.result.Invited': ['Invited by mail.', 'Per E-Mail eingeladen.'],
  'accountContent.result.AccessGranted': ['Access was given.', 'Der Zugang wurde erteilt.'],
  'accountContent.result.AlreadyHasAccess': ['This account has access already.', 'Dieses Konto hat bereits Zugang.'],
  'accountContent.result.Reinvited': ['Invited again by mail.', 'Erneut per E-Mail eingeladen.'],
} satisfies Texts;
