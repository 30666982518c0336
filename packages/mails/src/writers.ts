import type { MailContentOf, MailKind } from '@gatehouse/events';
import { PAGE_PATHS, type PageFragment, type PagePath } from '@gatehouse/schema';
import type { MailText } from './en.ts';
import type { Block } from './draft.ts';
import type { Links } from './links.ts';
import type { Phrasebook } from './phrasebook.ts';
import { shownCode } from './shown-code.ts';
import { shownName } from './shown-name.ts';

/** Writes what one kind of mail says between its greeting and its footer. */
type Writer<K extends MailKind> = (content: MailContentOf<K>, book: Phrasebook, links: Links) => Block[];

/** Who writes which mail, and which page it leads to. */
export const writers: { [K in MailKind]: Writer<K> } = {
  'verification-code': code('verification-code', PAGE_PATHS.verifyEmail, emailAndCode),
  'password-reset': code('password-reset', PAGE_PATHS.resetPassword, emailAndCode),
  'email-change-code': code('email-change-code', PAGE_PATHS.confirmEmail, ({ Code }) => ({
    Code: shownCode(Code),
  })),
  // The page asks for the code where it sets up the second factor.
  'two-factor-code': code('two-factor-code', PAGE_PATHS.profileSecurity, () => ({})),
  'already-registered': attempt('already-registered'),
  'address-taken': attempt('address-taken'),
  'password-changed': notice('password-changed', PAGE_PATHS.forgotPassword),
  // Whoever asked knows the password: a new one is chosen by mail.
  'email-change-notice': notice('email-change-notice', PAGE_PATHS.forgotPassword),
  'email-changed': notice('email-changed', PAGE_PATHS.profileSecurity),
  'new-device': notice('new-device', PAGE_PATHS.profileSecurity),
  'two-factor-enabled': notice('two-factor-enabled', PAGE_PATHS.profileSecurity),
  'two-factor-disabled': notice('two-factor-disabled', PAGE_PATHS.profileSecurity),
  'recovery-code-used': notice('recovery-code-used', PAGE_PATHS.profileSecurity),
  'recovery-codes-renewed': notice('recovery-codes-renewed', PAGE_PATHS.profileSecurity),
  'passkey-added': notice('passkey-added', PAGE_PATHS.profileSecurity),
  'passkey-removed': notice('passkey-removed', PAGE_PATHS.profileSecurity),
  'passkey-cloned': notice('passkey-cloned', PAGE_PATHS.profileSecurity),
  'refresh-token-reused': notice('refresh-token-reused', PAGE_PATHS.profileSecurity),
  invitation: (content, book, links) => {
    const inviter = shownName(content.InviterName) ?? book.say('mail.somebody');
    const address = links.link(PAGE_PATHS.registerGuest, { InvitationToken: content.InvitationToken });
    return [
      book.say('mail.invitation.why', { inviter, content: content.ContentName }),
      button(book, 'mail.invitation.button', address),
      book.say('mail.link-valid', { until: book.moment(content.InvitationExpiresAt) }),
      book.say('mail.invitation.not-you'),
    ];
  },
  'access-granted': (content, book, links) => {
    const { ContentDefinitionId: id, ContentName } = content;
    const address = (id && links.contentLink(id)) ?? links.link(PAGE_PATHS.profile);
    return [
      book.say('mail.access-granted.why', { content: ContentName }),
      button(book, 'mail.access-granted.button', address),
    ];
  },
  'access-removed': ({ ContentName }, book) => [
    book.say('mail.access-removed.why', { content: ContentName }),
    book.say('mail.access-removed.not-you'),
  ],
  test: (content, book) => [book.say('mail.test.why'), ...requestFacts(content, book, 'mail.requested')],
};

type CodeKind = 'verification-code' | 'password-reset' | 'email-change-code' | 'two-factor-code';
type AttemptKind = 'already-registered' | 'address-taken';
type NoticeKind = Exclude<
  MailKind,
  CodeKind | AttemptKind | 'invitation' | 'access-granted' | 'access-removed' | 'test'
>;

/** A code, and the page that takes it. */
function code(
  kind: CodeKind,
  path: PagePath,
  fragmentOf: (content: MailContentOf<CodeKind>) => PageFragment,
): Writer<CodeKind> {
  return (content, book, links) => [
    book.say(`mail.${kind}.why`),
    { code: shownCode(content.Code) },
    book.say('mail.code-valid', { until: book.moment(content.CodeExpiresAt) }),
    button(book, `mail.${kind}.button`, links.link(path, fragmentOf(content))),
    ...requestFacts(content, book, 'mail.requested'),
    book.say(`mail.${kind}.not-you`),
  ];
}

function emailAndCode({ Email, Code }: MailContentOf<CodeKind>): PageFragment {
  return { Email, Code: shownCode(Code) };
}

/** Somebody wanted what this address has already: only its owner may learn that. */
function attempt(kind: AttemptKind): Writer<AttemptKind> {
  return (content, book, links) => [
    book.say(`mail.${kind}.why`),
    ...requestFacts(content, book),
    button(book, `mail.${kind}.button`, links.link(PAGE_PATHS.login)),
    book.say(`mail.${kind}.not-you`),
  ];
}

/** Something happened to the account: the owner hears of it, as a thief would not tell. */
function notice(kind: NoticeKind, path: PagePath): Writer<NoticeKind> {
  return (content, book, links) => [
    book.say(`mail.${kind}.why`),
    ...requestFacts(content, book),
    ...(ALARMS.includes(kind) ? [] : [book.say('mail.nothing-to-do')]),
    book.say(`mail.${kind}.not-you`),
    button(book, `mail.${kind}.button`, links.link(path)),
  ];
}

/** What calls for something to be done, by whoever it was that did it. */
const ALARMS: readonly NoticeKind[] = ['refresh-token-reused', 'passkey-cloned'];

function button(book: Phrasebook, label: MailText, address: string): Block {
  return { button: { label: book.say(label), orOpen: book.say('mail.address'), address } };
}

/** When something was done and from where, as far as it is known and may be repeated: a thief may name a device. */
function requestFacts(
  content: { At?: string; DeviceName?: string; IpAddress?: string },
  book: Phrasebook,
  when: MailText = 'mail.when',
): Block[] {
  const facts = [
    [book.say(when), content.At && book.moment(content.At)],
    [book.say('mail.device'), shownName(content.DeviceName)],
    [book.say('mail.ip-address'), content.IpAddress],
  ].flatMap(([name, value]) => (name && value ? [[name, value] as const] : []));
  return facts.length === 0 ? [] : [{ facts }];
}
