import { noticeKinds, type MailContentOf, type MailKind, type NoticeKind } from '@gatehouse/events';
import { contentAddress, PAGE_FRAGMENTS, PAGE_PATHS, shownName } from '@gatehouse/schema';
import type { PageFragment, PagePath } from '@gatehouse/schema';
import type { MailText } from './en.ts';
import type { Block } from './letter.ts';
import { shownCode, type Phrasebook } from './phrasebook.ts';

/** Writes the part of one kind of mail between its greeting and its footer. */
type Writer<K extends MailKind> = (content: MailContentOf<K>, book: Phrasebook, links: Links) => Block[];

/** The writer of each kind of mail, and the page that it links to. */
export const writers: { [K in MailKind]: Writer<K> } = {
  // Its keys are exactly these.
  ...(Object.fromEntries(
    noticeKinds.map((kind) => [kind, notice(kind, PAGE_PATHS.profileSecurity)]),
  ) as Record<NoticeKind, Writer<NoticeKind>>),
  'verification-code': code('verification-code', PAGE_PATHS.verifyEmail, emailAndCode),
  'password-reset': code('password-reset', PAGE_PATHS.resetPassword, emailAndCode),
  // The page opens with nothing done: in the browser that asked, a button signs in; any other shows the code.
  'login-code': code('login-code', PAGE_PATHS.login, ({ Code }) => ({ Code: shownCode(Code) })),
  // The page asks for the code where the change is made.
  'mailbox-code': code('mailbox-code', PAGE_PATHS.profileSecurity, () => ({})),
  'account-invitation': code('account-invitation', PAGE_PATHS.completeAccount, emailAndCode),
  'email-change-code': code('email-change-code', PAGE_PATHS.confirmEmail, ({ Email, Code }) => ({
    Code: shownCode(Code),
    Address: Email,
  })),
  'email-changed': (content, book, links) => [
    book.say('mail.email-changed.why'),
    ...requestFacts(content, book),
    book.say('mail.nothing-to-do'),
    book.say('mail.email-changed.way-back', { until: book.moment(content.TakeBack.Until) }),
    button(
      book,
      'mail.email-changed.button',
      links.link(PAGE_PATHS.takeBackEmail, { Code: content.TakeBack.Code, Address: content.Email }),
    ),
  ],
  // The page asks for the code where the second factor is set up.
  'two-factor-code': code('two-factor-code', PAGE_PATHS.profileSecurity, () => ({})),
  // The page asks for the code where the erasure is requested.
  'erasure-code': code('erasure-code', PAGE_PATHS.profileData, () => ({})),
  'erasure-scheduled': (content, book, links) => {
    const { RestoreCode: Code, Email: Address, ErasesAt } = content;
    const until = book.moment(ErasesAt);
    return [
      book.say('mail.erasure-scheduled.why', { until }),
      ...requestFacts(content, book, 'mail.requested'),
      ...(Code === undefined
        ? [book.say('mail.erasure-scheduled.not-you')]
        : [
            book.say('mail.erasure-scheduled.way-back', { until }),
            button(
              book,
              'mail.erasure-scheduled.button',
              links.link(PAGE_PATHS.restoreAccount, { Code, Address, ErasesAt }),
            ),
          ]),
    ];
  },
  'account-erased': (content, book) => [
    book.say('mail.account-erased.why'),
    ...requestFacts(content, book),
    book.say('mail.account-erased.not-you'),
  ],
  'already-registered': attempt('already-registered'),
  'address-taken': attempt('address-taken'),
  'app-connected': notice('app-connected', PAGE_PATHS.profileApps),
  'password-changed': notice('password-changed', PAGE_PATHS.forgotPassword),
  // A thief who requested it knows the password: the button leads to a reset.
  'email-change-notice': notice('email-change-notice', PAGE_PATHS.forgotPassword),
  invitation: (content, book, links) => {
    const inviter = shownName(content.InviterName) ?? book.say('mail.somebody');
    const address = links.link(PAGE_PATHS.registerGuest, { InvitationToken: content.InvitationToken });
    return [
      book.say('mail.invitation.why', { inviter, content: content.ContentName }),
      button(book, 'mail.invitation.button', address),
      book.say('mail.link-valid', { until: book.moment(content.InvitationExpiresAt) }),
      ...accessEnd(content, book),
      book.say('mail.invitation.not-you'),
    ];
  },
  'access-granted': (content, book, links) => {
    const { ContentDefinitionId: id, ContentName } = content;
    const address = links.contentLink(id) ?? links.link(PAGE_PATHS.profile);
    return [
      book.say('mail.access-granted.why', { content: ContentName }),
      button(book, 'mail.access-granted.button', address),
      ...accessEnd(content, book),
    ];
  },
  'access-removed': ({ ContentName }, book) => [
    book.say('mail.access-removed.why', { content: ContentName }),
    book.say('mail.access-removed.not-you'),
  ],
  'webhook-disabled': (content, book) => [
    book.say('mail.webhook-disabled.why', { webhook: content.WebhookName }),
    ...requestFacts(content, book),
    book.say('mail.webhook-disabled.what-to-do'),
  ],
  test: (content, book) => [book.say('mail.test.why'), ...requestFacts(content, book, 'mail.requested')],
};

type CodeKind = Extract<MailKind, `${string}-code`> | 'password-reset' | 'account-invitation';
type AttemptKind = 'already-registered' | 'address-taken';
function accessEnd({ AccessExpiresAt: end }: { AccessExpiresAt?: string }, book: Phrasebook): string[] {
  return end === undefined ? [] : [book.say('mail.access-until', { until: book.moment(end) })];
}

/** A code, and the page where it is entered. */
function code(
  kind: CodeKind,
  path: PagePath,
  fragmentOf: (content: MailContentOf<CodeKind>) => PageFragment,
): Writer<CodeKind> {
  return (content, book, links) => [
    book.say(`mail.${kind}.why`),
    { code: shownCode(content.Code) },
    validity(content, book),
    button(book, `mail.${kind}.button`, links.link(path, fragmentOf(content))),
    ...requestFacts(content, book, 'mail.requested'),
    book.say(`mail.${kind}.not-you`),
  ];
}

/** How long a code works: from its request, if the mail says when that was. */
function validity({ At, CodeExpiresAt: end }: MailContentOf<CodeKind>, book: Phrasebook): string {
  const duration = At && book.duration(At, end);
  return duration
    ? book.say('mail.code-valid-for', { duration })
    : book.say('mail.code-valid', { until: book.moment(end) });
}

function emailAndCode({ Email, Code }: MailContentOf<CodeKind>): PageFragment {
  return { Email, Code: shownCode(Code) };
}

/** Someone tried to use an address that belongs to this account: only its owner may learn that. */
function attempt(kind: AttemptKind): Writer<AttemptKind> {
  return (content, book, links) => [
    book.say(`mail.${kind}.why`),
    ...requestFacts(content, book),
    button(book, `mail.${kind}.button`, links.link(PAGE_PATHS.login)),
    book.say(`mail.${kind}.not-you`),
  ];
}

/** A security notice: the owner gets it regardless of who made the change. */
function notice(kind: NoticeKind, path: PagePath): Writer<NoticeKind> {
  return (content, book, links) => [
    book.say(`mail.${kind}.why`),
    ...requestFacts(content, book),
    ...(ALARMS.includes(kind) ? [] : [book.say('mail.nothing-to-do')]),
    book.say(`mail.${kind}.not-you`),
    button(book, `mail.${kind}.button`, links.link(path)),
  ];
}

/** Notices of a likely attack, which ask the owner to act. */
const ALARMS: readonly NoticeKind[] = ['refresh-token-reused', 'passkey-cloned'];

function button(book: Phrasebook, label: MailText, address: string): Block {
  return { button: { label: book.say(label), orOpen: book.say('mail.address'), address } };
}

/** The time and origin of an action, if they are known and safe to repeat: an attacker chooses the device name. */
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

export type Links = ReturnType<typeof createLinks>;

/** Links depend only on the configuration: no request and no mail content can choose a host. */
export function createLinks(options: { publicUrl: string; contentUrl?: string | undefined }) {
  const { publicUrl, contentUrl } = options;
  return {
    /** A page below `PUBLIC_URL`, with its parameters after the `#`. */
    link: (path: PagePath, fragment: PageFragment = {}): string => {
      const url = new URL(publicUrl);
      url.pathname = url.pathname.replace(/\/$/, '') + path;
      url.hash = PAGE_FRAGMENTS.flatMap((name) => {
        const value = fragment[name];
        return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
      }).join('&');
      return url.href;
    },

    /** Shared content at `CONTENT_URL`; `undefined` if that is not set. */
    contentLink: (contentDefinitionId: string): string | undefined =>
      contentUrl === undefined ? undefined : contentAddress(contentUrl, contentDefinitionId),
  };
}
