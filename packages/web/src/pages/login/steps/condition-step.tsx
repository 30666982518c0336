import { LoginStatus } from 'gatehouse-client';
import { Button, ButtonLink } from '../../../ui/form/button.tsx';
import { useText, type MessageKey } from '../../../ui/locale/locale.ts';
import { Notice } from '../../../ui/layout/notice.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Ban } from '../login-answer.ts';
import { Page } from '../../../ui/layout/page.tsx';
import { usePageData } from '../../../ui/api/page-data.ts';
import { SecondaryActions } from '../../../ui/layout/secondary-actions.tsx';
import { usePageState } from '../../page-state.ts';
import { RESEND_INVITATION } from '../../resend-invitation.ts';
import { PATHS } from '../../paths.ts';
import { SendAgain } from '../../send-again.tsx';

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
