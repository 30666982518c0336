import { LoginStatus } from 'gatehouse-client';
import { useLocation } from 'preact-iso';
import { call, type Problem } from '../../ui/api/api.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { type MessageKey, useText } from '../../ui/locale/locale.ts';
import { SessionExistsPage } from '../../ui/session-exists/session-exists-page.tsx';
import type { SessionExists } from '../../ui/session-exists/session-exists.ts';
import { Time } from '../../ui/time.tsx';
import { deviceName } from '../device.ts';
import { RESEND_INVITATION, SendAgain } from '../parts.tsx';
import { usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';
import { type Ban, continueLogin, type LoginAnswer, type Step } from './steps.ts';

interface ConditionStepProps {
  status: LoginStatus;
  ban: Ban;
  onAgain: () => void;
}

/** Says why a login cannot continue, and what the user can do. */
export function ConditionStep({ status, ban, onAgain }: ConditionStepProps) {
  const text = useText();
  const { SupportUrl } = usePageData();
  const { email } = usePageState();
  const { title, lead, next } = CONDITIONS[status] ?? DISABLED;
  const again = (
    <Button kind="text" onClick={onAgain}>
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
              {text('condition.disabled.until')} <Time at={ban.until} />
            </p>
          )}
        </Notice>
      )}
      {next !== undefined && (
        <ButtonLink href={next.path} kind="primary" wide>
          {text(next.words)}
        </ButtonLink>
      )}
      {next === undefined && SupportUrl !== undefined && (
        <ButtonLink href={SupportUrl} kind="primary" wide>
          {text('condition.support')}
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

interface ExistsStepProps {
  exists: SessionExists;
  keep: boolean;
  /** Takes the session over after a sign-on at an identity provider. */
  viaSignOn: ((token: string) => Promise<Problem | undefined>) | undefined;
  onStep: (step: Step) => void;
}

/** Asks whether to end the session that is in the way. */
export function ExistsStep({ exists, keep, viaSignOn, onStep }: ExistsStepProps) {
  const [first] = exists.active;
  const takeOver = async (TakeOverToken: string): Promise<Problem | undefined> => {
    const body = { TakeOverToken, Delivery: 'Cookie', KeepSignedIn: keep };
    return continueLogin(await call<LoginAnswer>('POST', '/account/login', body), onStep);
  };
  return (
    <SessionExistsPage
      exists={exists}
      device={first && deviceName(first)}
      onTakeOver={() => (viaSignOn ?? takeOver)(exists.token)}
      onAgain={() => onStep({ kind: 'credentials' })}
    />
  );
}

/** Says why the last session ended, if an app or a page has sent the visitor here because of that. */
export function EndingNotice() {
  const text = useText();
  const { query } = useLocation();
  const replacedBy = useReplacedBy();
  const reason = query['reason'] ?? '';
  const words = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  if (words === undefined) return null;
  return (
    <Notice meaning="warning">
      <p>
        {reason === 'session_replaced' && replacedBy ? text('login.replaced.by', replacedBy) : text(words)}
      </p>
      {reason !== 'session_expired' && (
        <p>
          {text('login.replaced.doubt')} <a href={PATHS.forgotPassword}>{text('login.replaced.link')}</a>
        </p>
      )}
    </Notice>
  );
}

const REASONS: Readonly<Record<string, MessageKey>> = {
  session_replaced: 'login.replaced',
  session_deactivated: 'login.deactivated',
  session_expired: 'login.expired',
};

/** The session that replaced the last one, according to the error. */
function useReplacedBy(): { device: string; time: string } | undefined {
  const { ending } = usePageState();
  const { Locale } = usePageData();
  // As documented in docs/sessions.md. Any other value is shown as text.
  const by = ending?.body['ReplacedBy'] as
    { DeviceName?: string; UserAgent?: string; At?: string } | null | undefined;
  const device = by && deviceName(by);
  const at = Date.parse(by?.At ?? '');
  if (!device || Number.isNaN(at)) return undefined;
  return { device, time: new Intl.DateTimeFormat(Locale, { timeStyle: 'short' }).format(at) };
}
