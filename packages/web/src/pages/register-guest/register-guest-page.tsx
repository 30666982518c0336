import { useEffect } from 'preact/hooks';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Loaded } from '../account/loaded.tsx';
import { useFragment, usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';
import { AcceptStep } from './accept-step.tsx';
import { RequestLinkStep } from './request-link-step.tsx';
import { useInvitation } from './use-invitation.ts';

/** Shows who invites to what, and lets an invited guest accept. If the link no longer works, says what to do instead. */
export function RegisterGuestPage() {
  const text = useText();
  const { InvitationToken: token } = useFragment();
  const { setEmail } = usePageState();
  const invitation = useInvitation(token);
  const { value, problem } = invitation;
  useEffect(() => {
    if (value !== undefined) setEmail(value.Email);
  }, [value]);
  if (token === undefined) return <RequestLinkStep lead={text('guest.link')} />;
  if (problem?.code === 'invalid_invitation') return <RequestLinkStep lead={text('guest.invalid')} />;
  if (value?.State === 'Expired') return <RequestLinkStep lead={text('guest.expired')} />;
  if (value === undefined)
    return (
      <Page title={text('guest.title')}>
        <Loaded own={invitation}>{() => null}</Loaded>
      </Page>
    );
  if (value.State === 'Open')
    return (
      <AcceptStep key={token} token={token} invitation={value} onRefused={() => void invitation.reload()} />
    );
  const isUsed = value.State === 'Used';
  return (
    <Page
      title={text(isUsed ? 'guest.used.title' : 'guest.revoked.title')}
      lead={text(isUsed ? 'guest.used.lead' : 'guest.revoked.lead', { email: value.Email })}
    >
      <ButtonLink href={PATHS.login} kind={isUsed ? 'primary' : 'quiet'} wide>
        {text('login.title')}
      </ButtonLink>
    </Page>
  );
}
