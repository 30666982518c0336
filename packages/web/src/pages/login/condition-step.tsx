import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { useText, type MessageKey } from '../../ui/locale/locale.ts';
import { Page } from '../../ui/layout/page.tsx';
import { usePageData } from '../../ui/api/page-data.ts';
import { QuietWays } from '../../ui/quiet-ways.tsx';
import { useCarried } from '../carried.ts';
import { INVITATION_AGAIN } from '../invitation-again.ts';
import { PATHS } from '../paths.ts';
import { SendAgain } from '../send-again.tsx';

interface ConditionStepProps {
  status: number;
  onAgain: () => void;
}

/** Why a login cannot go on, and what can be done about it. */
export function ConditionStep({ status, onAgain }: ConditionStepProps) {
  const text = useText();
  const { SupportUrl } = usePageData();
  const { email } = useCarried();
  const { title, lead, way } = CONDITIONS[status] ?? UNKNOWN;
  const again = (
    <Button kind="text" onClick={onAgain}>
      {text('login.again')}
    </Button>
  );
  if (status === INVITED) {
    return (
      <Page title={text(title)} lead={text(lead)}>
        <SendAgain {...INVITATION_AGAIN} email={email} primary>
          {again}
        </SendAgain>
      </Page>
    );
  }
  return (
    <Page title={text(title)} lead={text(lead)}>
      {way !== undefined && (
        <ButtonLink href={way.path} kind="primary" wide>
          {text(way.words)}
        </ButtonLink>
      )}
      {way === undefined && SupportUrl !== undefined && (
        <ButtonLink href={SupportUrl} kind="primary" wide>
          {text('condition.support')}
        </ButtonLink>
      )}
      <QuietWays>{again}</QuietWays>
    </Page>
  );
}

interface Condition {
  title: MessageKey;
  lead: MessageKey;
  way?: { path: string; words: MessageKey };
}

const COMPLETE: Condition = {
  title: 'condition.signup.title',
  lead: 'condition.signup.lead',
  way: { path: PATHS.register, words: 'condition.signup.way' },
};

const INVITED = 9;

const UNKNOWN: Condition = { title: 'condition.disabled.title', lead: 'condition.disabled.lead' };

/** By the numbers of `LoginStatus` (docs/accounts.md). */
const CONDITIONS: Readonly<Record<number, Condition>> = {
  3: UNKNOWN,
  4: {
    title: 'condition.email.title',
    lead: 'condition.email.lead',
    way: { path: PATHS.verifyEmail, words: 'condition.email.way' },
  },
  5: COMPLETE,
  6: COMPLETE,
  7: {
    title: 'condition.password.title',
    lead: 'condition.password.lead',
    way: { path: PATHS.forgotPassword, words: 'condition.password.way' },
  },
  8: { title: 'condition.expired.title', lead: 'condition.expired.lead' },
  [INVITED]: { title: 'condition.invitation.title', lead: 'condition.invitation.lead' },
};
