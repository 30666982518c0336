import type { GetInvitationByLinkResponse, RegisterGuestResponse } from 'gatehouse-client';
import { useEffect, useState } from 'preact/hooks';
import { call, change, type Problem } from '../../ui/api.ts';
import { PasswordField } from '../../ui/fields.tsx';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { pageData, text } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { hasEmailLogin, useAccountOptions } from '../account-options.ts';
import { Loaded, useOwn } from '../account/own-account.tsx';
import { DonePage } from '../link-page.tsx';
import { PATHS, usePage } from '../page.ts';
import { EmailField, KnownEmail, LoginLink, NameField, RESEND_INVITATION, typedName } from '../parts.tsx';
import { useSignInAnew } from './registered.ts';

/** Shows who invites to what, and lets an invited guest accept. If the link no longer works, says what to do instead. */
export function RegisterGuestPage() {
  const { InvitationToken: token } = usePage().said;
  if (token === undefined) return <RequestLinkStep lead={text('guest.link')} />;
  return <Invitation key={token} token={token} />;
}

/** Finds out what the link with this token is about, which uses nothing up. */
function Invitation({ token }: { token: string }) {
  const { set } = usePage();
  const own = useOwn('/account/invitation', () =>
    call<GetInvitationByLinkResponse>('POST /account/invitation', { InvitationToken: token }),
  );
  const { value, problem } = own;
  useEffect(() => {
    if (value !== undefined) set({ email: value.Email });
  }, [value]);
  if (problem?.code === 'invalid_invitation') return <RequestLinkStep lead={text('guest.invalid')} />;
  if (value?.State === 'Expired') return <RequestLinkStep lead={text('guest.expired')} />;
  if (value === undefined)
    return (
      <Page title={text('guest.title')}>
        <Loaded own={own}>{() => null}</Loaded>
      </Page>
    );
  if (value.State === 'Open') return <AcceptStep token={token} invitation={value} onRefused={own.reload} />;
  const isUsed = value.State === 'Used';
  return (
    <DonePage
      words={isUsed ? 'guest.used' : 'guest.revoked'}
      values={{ email: value.Email }}
      href={PATHS.login}
      next={text('login.title')}
      kind={isUsed ? 'primary' : 'quiet'}
    />
  );
}

interface AcceptStepProps {
  token: string;
  invitation: GetInvitationByLinkResponse;
  onRefused: () => Promise<void>;
}

/** Lets a guest choose a password and a name, neither of which mailed codes require, and opens the content. */
function AcceptStep({ token, invitation: { Email, Inviter, Content }, onRefused }: AcceptStepProps) {
  const { route } = usePage();
  const isOptional = hasEmailLogin(useAccountOptions());
  const signInAnew = useSignInAnew();
  const accept = async ({ DisplayName, Password = '' }: FieldValues): Promise<Problem | undefined> => {
    const body = {
      InvitationToken: token,
      Locale: pageData.Locale,
      ...(Password !== '' && { Password }),
      ...typedName(DisplayName),
    };
    const open = async ({ ContentUrl, HandoverCode }: RegisterGuestResponse): Promise<void> => {
      const exchange = { HandoverCode, InPlaceOfOthers: true };
      const isOpen =
        HandoverCode === undefined
          ? Password !== '' && (await signInAnew(Email, Password))
          : (await call('POST /account/handover/exchange', exchange)).ok;
      if (!isOpen) route(PATHS.login, true);
      else if (ContentUrl === undefined) route(PATHS.profile, true);
      else location.assign(ContentUrl);
    };
    const refusal = await change('POST /account/register-guest', body, open);
    if (refusal?.code === 'invalid_invitation') void onRefused();
    return refusal;
  };
  const words = { email: Email, inviter: Inviter ?? '', content: Content?.Name ?? '' };
  return (
    <Page
      title={text('guest.title')}
      lead={text(Inviter === undefined ? 'guest.lead.somebody' : 'guest.lead.inviter', words)}
      ways={<LoginLink />}
    >
      {isOptional && <p>{text('guest.optional')}</p>}
      <Form submit={text(isOptional ? 'guest.open' : 'guest.submit')} onSubmit={accept}>
        <KnownEmail email={Email} />
        <NameField label={text(isOptional ? 'guest.name.optional' : 'field.name')} />
        <PasswordField
          label={text(isOptional ? 'guest.password.optional' : 'field.password')}
          purpose="new"
          required={!isOptional}
        />
      </Form>
    </Page>
  );
}

function RequestLinkStep({ lead }: { lead: string }) {
  const [sentTo, setSentTo] = useState<string>();
  const { operation, words } = RESEND_INVITATION;
  return (
    <Page title={text('guest.title')} lead={lead} ways={<LoginLink />}>
      {sentTo !== undefined && <Notice meaning="success">{text(words.sent, { email: sentTo })}</Notice>}
      <Form
        submit={text(words.send)}
        onSubmit={({ Email = '' }) => change(operation, { Email }, () => setSentTo(Email))}
      >
        <EmailField />
      </Form>
    </Page>
  );
}
