import { LoginStatus, type ReplacedBy } from 'gatehouse-client';
import { useLocation } from 'preact-iso';
import { ButtonLink, TextButton } from '../../ui/button.tsx';
import { deviceName } from '../../ui/device-name.ts';
import { type MessageKey, pageData, text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { When } from '../../ui/time.tsx';
import { usePageState } from '../page-state.ts';
import { RESEND_INVITATION, SendAgain } from '../parts.tsx';
import { PATHS } from '../paths.ts';
import type { StepProps } from './steps.ts';

/** Says why a login cannot continue, and what the user can do. */
export function ConditionStep({ step: { status, body }, login }: StepProps<'condition'>) {
  // Of a disabled account, if an administrator chose to tell its owner.
  const { DisabledReason: reason, DisabledUntil: until } = body;
  const { SupportUrl } = pageData;
  const { email } = usePageState();
  const { name, path } = CONDITIONS[status] ?? DISABLED;
  const page = { title: text(`condition.${name}.title`), lead: text(`condition.${name}.lead`) };
  const again = <TextButton words={text('login.again')} onPress={login.again} />;
  if (name === 'invitation') {
    return (
      <Page {...page}>
        <SendAgain {...RESEND_INVITATION} email={email} primary>
          {again}
        </SendAgain>
      </Page>
    );
  }
  const href = path ?? SupportUrl;
  return (
    <Page {...page} ways={again}>
      {(reason ?? until) !== undefined && (
        <Notice meaning="information">
          {typeof reason === 'string' && <p>{text('condition.disabled.reason', { reason })}</p>}
          {typeof until === 'string' && (
            <p>
              <When words="condition.disabled.until" at={until} />
            </p>
          )}
        </Notice>
      )}
      {href && (
        <ButtonLink href={href} kind="primary" wide>
          {text(path === undefined ? 'condition.support' : `condition.${name}.way`)}
        </ButtonLink>
      )}
    </Page>
  );
}

/** What the keys of the texts say, and the page where the owner can do something about it. */
type Condition =
  | { name: 'disabled' | 'expired' | 'invitation'; path?: undefined }
  | { name: 'email' | 'signup' | 'password'; path: string };

const DISABLED: Condition = { name: 'disabled' };
const SIGNUP: Condition = { name: 'signup', path: PATHS.forgotPassword };

const CONDITIONS: Readonly<Partial<Record<LoginStatus, Condition>>> = {
  [LoginStatus.IsPendingEmailConfirmation]: { name: 'email', path: PATHS.verifyEmail },
  [LoginStatus.IsPendingNewAccountSignup]: SIGNUP,
  [LoginStatus.IsPendingAccountMigrationSignup]: SIGNUP,
  [LoginStatus.IsPendingNewPassword]: { name: 'password', path: PATHS.forgotPassword },
  [LoginStatus.IsExpired]: { name: 'expired' },
  [LoginStatus.IsPendingInvitation]: { name: 'invitation' },
};

/** Says why the last session ended, if an app or a page has sent the visitor here because of that. */
export function EndingNotice({ reason }: { reason: string }) {
  const replacedBy = useReplacedBy();
  const words = REASONS[reason];
  if (words === undefined) return null;
  return (
    <Notice meaning={reason === 'signed_out' ? 'success' : 'warning'}>
      <p>
        {reason === 'session_replaced' && replacedBy ? text('login.replaced.by', replacedBy) : text(words)}
      </p>
      {DOUBTFUL.has(reason) && (
        <p>
          {text('login.replaced.doubt')} <a href={PATHS.forgotPassword}>{text('login.replaced.link')}</a>
        </p>
      )}
    </Notice>
  );
}

/** The reason in the address of the page, if there are words for it. */
export function useEnding(): string | undefined {
  const { reason = '' } = useLocation().query;
  return Object.hasOwn(REASONS, reason) ? reason : undefined;
}

const REASONS: Readonly<Record<string, MessageKey>> = {
  session_replaced: 'login.replaced',
  session_deactivated: 'login.deactivated',
  session_expired: 'login.expired',
  signed_out: 'login.signedOut',
};

/** Endings that somebody else may have caused. */
const DOUBTFUL: ReadonlySet<string> = new Set(['session_replaced', 'session_deactivated']);

/** The session that replaced the last one, according to the error. */
function useReplacedBy(): { device: string; time: string } | undefined {
  const { ending } = usePageState();
  // As documented in docs/sessions.md. Any other value is shown as text.
  const by = ending?.body['ReplacedBy'] as Partial<ReplacedBy> | null | undefined;
  const device = by && deviceName(by);
  const at = Date.parse(by?.At ?? '');
  if (!device || Number.isNaN(at)) return undefined;
  return { device, time: new Intl.DateTimeFormat(pageData.Locale, { timeStyle: 'short' }).format(at) };
}
