import { LoginStatus } from 'gatehouse-client';
import { useLocation } from 'preact-iso';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { type MessageKey, pageData, text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page, SecondaryActions } from '../../ui/page.tsx';
import { SessionExistsPage } from '../../sign-in/session-exists-page.tsx';
import { When } from '../../ui/time.tsx';
import { deviceName } from '../../ui/device-name.ts';
import { usePageState } from '../page-state.ts';
import { RESEND_INVITATION, SendAgain } from '../parts.tsx';
import { PATHS } from '../paths.ts';
import type { StepProps } from './steps.ts';

/** Says why a login cannot continue, and what the user can do. */
export function ConditionStep({ step: { status, ban }, login }: StepProps<'condition'>) {
  const { SupportUrl } = pageData;
  const { email } = usePageState();
  const { title, lead, next } = CONDITIONS[status] ?? DISABLED;
  const way = next ?? (SupportUrl && { path: SupportUrl, words: 'condition.support' as const });
  const again = (
    <Button kind="text" onClick={() => login.go({ kind: 'credentials' })}>
      {text('login.again')}
    </Button>
  );
  if (status === LoginStatus.IsPendingInvitation) {
    return (
      <Page title={text(title)} lead={text(lead)}>
        <SendAgain {...RESEND_INVITATION} email={email} primary>
          {again}
        </SendAgain>
      </Page>
    );
  }
  return (
    <Page title={text(title)} lead={text(lead)}>
      {(ban.reason ?? ban.until) !== undefined && (
        <Notice meaning="information">
          {ban.reason !== undefined && <p>{text('condition.disabled.reason', { reason: ban.reason })}</p>}
          {ban.until !== undefined && (
            <p>
              <When words="condition.disabled.until" at={ban.until} />
            </p>
          )}
        </Notice>
      )}
      {way && (
        <ButtonLink href={way.path} kind="primary" wide>
          {text(way.words)}
        </ButtonLink>
      )}
      <SecondaryActions>{again}</SecondaryActions>
    </Page>
  );
}

interface Condition {
  title: MessageKey;
  lead: MessageKey;
  next?: { path: string; words: MessageKey };
}

const COMPLETE: Condition = {
  title: 'condition.signup.title',
  lead: 'condition.signup.lead',
  next: { path: PATHS.forgotPassword, words: 'condition.signup.way' },
};

const DISABLED: Condition = { title: 'condition.disabled.title', lead: 'condition.disabled.lead' };

const CONDITIONS: Readonly<Partial<Record<LoginStatus, Condition>>> = {
  [LoginStatus.IsDisabled]: DISABLED,
  [LoginStatus.IsPendingEmailConfirmation]: {
    title: 'condition.email.title',
    lead: 'condition.email.lead',
    next: { path: PATHS.verifyEmail, words: 'condition.email.way' },
  },
  [LoginStatus.IsPendingNewAccountSignup]: COMPLETE,
  [LoginStatus.IsPendingAccountMigrationSignup]: COMPLETE,
  [LoginStatus.IsPendingNewPassword]: {
    title: 'condition.password.title',
    lead: 'condition.password.lead',
    next: { path: PATHS.forgotPassword, words: 'condition.password.way' },
  },
  [LoginStatus.IsExpired]: { title: 'condition.expired.title', lead: 'condition.expired.lead' },
  [LoginStatus.IsPendingInvitation]: {
    title: 'condition.invitation.title',
    lead: 'condition.invitation.lead',
  },
};

export function SessionExistsStep({ step: { exists }, login }: StepProps<'session-exists'>) {
  const { takeOver = (TakeOverToken: string) => login.send({ TakeOverToken }) } = login.signOn;
  return (
    <SessionExistsPage
      exists={exists}
      onTakeOver={() => takeOver(exists.token)}
      onAgain={() => login.go({ kind: 'credentials' })}
    />
  );
}

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
  const by = ending?.body['ReplacedBy'] as
    { DeviceName?: string; UserAgent?: string; At?: string } | null | undefined;
  const device = by && deviceName(by);
  const at = Date.parse(by?.At ?? '');
  if (!device || Number.isNaN(at)) return undefined;
  return { device, time: new Intl.DateTimeFormat(pageData.Locale, { timeStyle: 'short' }).format(at) };
}
