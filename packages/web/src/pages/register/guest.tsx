import type { GetInvitationByLinkResponse, RegisterGuestResponse } from 'gatehouse-client';
import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { call, post, type Problem } from '../../ui/api.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { pageData, text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page, SecondaryActions } from '../../ui/page.tsx';
import { isEmailLoginOffered, useAccountOptions } from '../account-options.ts';
import { Loaded } from '../account/own-account.tsx';
import { useSignInAnew } from '../login/sign-in-anew.ts';
import { useFragment, usePageState } from '../page-state.ts';
import { EmailField, KnownEmail, LoginLink, NameField, RESEND_INVITATION, typedName } from '../parts.tsx';
import { PATHS } from '../paths.ts';

/** Shows who invites to what, and lets an invited guest accept. If the link no longer works, says what to do instead. */
export function RegisterGuestPage() {
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

/** Finds out what the link with this token is about, which uses nothing up. */
function useInvitation(token: string | undefined) {
  const [found, setFound] = useState<{
    token?: string;
    value?: GetInvitationByLinkResponse;
    problem?: Problem;
  }>({});
  const reload = async (): Promise<void> => {
    if (token === undefined) return;
    const result = await call<GetInvitationByLinkResponse>('POST', '/account/invitation', {
      InvitationToken: token,
    });
    setFound(result.ok ? { token, value: result.value } : { token, problem: result.problem });
  };
  useEffect(() => void reload(), [token]);
  // What was found for an earlier link on this page is not shown for a newer one.
  const { value, problem } = found.token === token ? found : {};
  return { value, problem, reload };
}

interface AcceptStepProps {
  token: string;
  invitation: GetInvitationByLinkResponse;
  /** Called if the link no longer works. */
  onRefused: () => void;
}

/**
 * Lets a guest choose a password and a name, signs them in, and opens the content. Where mailed codes open the account,
 * neither is required.
 */
function AcceptStep({ token, invitation, onRefused }: AcceptStepProps) {
  const { route } = useLocation();
  const isOptional = isEmailLoginOffered(useAccountOptions(undefined));
  const signInAnew = useSignInAnew();
  const { Email, Inviter, Content } = invitation;
  const words = { email: Email, inviter: Inviter ?? '', content: Content?.Name ?? '' };
  return (
    <Page
      title={text('guest.title')}
      lead={text(Inviter === undefined ? 'guest.lead.somebody' : 'guest.lead.inviter', words)}
    >
      {isOptional && <p>{text('guest.optional')}</p>}
      <Form
        submit={text(isOptional ? 'guest.open' : 'guest.submit')}
        onSubmit={async ({ DisplayName, Password = '' }) => {
          const body = {
            InvitationToken: token,
            Locale: pageData.Locale,
            ...(Password !== '' && { Password }),
            ...typedName(DisplayName),
          };
          const refusal = await post(
            '/account/register-guest',
            body,
            async (accepted: RegisterGuestResponse) => {
              const { ContentUrl, HandoverCode } = accepted;
              const isOpen =
                HandoverCode === undefined
                  ? Password !== '' && (await signInAnew(Email, Password))
                  : (
                      await call('POST', '/account/handover/exchange', {
                        HandoverCode,
                        InPlaceOfOthers: true,
                      })
                    ).ok;
              if (!isOpen) route(PATHS.login, true);
              else if (ContentUrl === undefined) route(PATHS.profile, true);
              else location.assign(ContentUrl);
            },
          );
          if (refusal?.code === 'invalid_invitation') onRefused();
          return refusal;
        }}
      >
        <KnownEmail email={Email} />
        <NameField label={isOptional ? 'guest.name.optional' : 'field.name'} />
        <PasswordField
          name="Password"
          label={text(isOptional ? 'guest.password.optional' : 'field.password')}
          purpose="new"
          required={!isOptional}
        />
      </Form>
      <SecondaryActions>
        <LoginLink />
      </SecondaryActions>
    </Page>
  );
}

/** Requests a new invitation link by mail. `lead` says why. */
function RequestLinkStep({ lead }: { lead: string }) {
  const [sentTo, setSentTo] = useState<string>();
  const { path, words } = RESEND_INVITATION;
  return (
    <Page title={text('guest.title')} lead={lead}>
      {sentTo !== undefined && <Notice meaning="success">{text(words.sent, { email: sentTo })}</Notice>}
      <Form
        submit={text(words.send)}
        onSubmit={({ Email = '' }) => post(path, { Email }, () => setSentTo(Email))}
      >
        <EmailField />
      </Form>
      <SecondaryActions>
        <LoginLink />
      </SecondaryActions>
    </Page>
  );
}
