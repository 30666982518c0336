import { useLocation } from 'preact-iso';
import { call } from '../../ui/api/api.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { isEmailLoginOffered, useAccountOptions } from '../account-options.ts';
import { signInAnew } from '../login/sign-in-anew.ts';
import { PATHS } from '../paths.ts';
import type { Invitation } from './use-invitation.ts';

interface AcceptStepProps {
  token: string;
  invitation: Invitation;
  /** Called if the link no longer works. */
  onRefused: () => void;
}

/**
 * Lets a guest choose a password and a name, signs them in, and opens the content. Where mailed codes open the account,
 * neither is required.
 */
export function AcceptStep({ token, invitation, onRefused }: AcceptStepProps) {
  const text = useText();
  const { route } = useLocation();
  const { Locale } = usePageData();
  const isOptional = isEmailLoginOffered(useAccountOptions(undefined));
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
        onSubmit={async ({ DisplayName = '', Password = '' }) => {
          const name = DisplayName.trim();
          const body = {
            InvitationToken: token,
            Locale,
            ...(Password !== '' && { Password }),
            ...(name !== '' && { DisplayName: name }),
          };
          const result = await call<Accepted>('POST', '/account/register-guest', body);
          if (!result.ok) {
            if (result.problem.code === 'invalid_invitation') onRefused();
            return result.problem;
          }
          const { ContentUrl, HandoverCode } = result.value;
          const isOpen =
            HandoverCode === undefined
              ? Password !== '' && (await signInAnew(Email, Password))
              : (await call('POST', '/account/handover/exchange', { HandoverCode, InPlaceOfOthers: true }))
                  .ok;
          if (!isOpen) route(PATHS.login, true);
          else if (ContentUrl === undefined) route(PATHS.profile, true);
          else location.assign(ContentUrl);
          return undefined;
        }}
      >
        <input hidden type="email" name="Email" autocomplete="username" value={Email} readOnly />
        <Field
          name="DisplayName"
          label={text(isOptional ? 'guest.name.optional' : 'field.name')}
          hint={text('register.name.hint')}
          autocomplete="name"
        />
        <PasswordField
          name="Password"
          label={text(isOptional ? 'guest.password.optional' : 'field.password')}
          purpose="new"
          required={!isOptional}
        />
      </Form>
      <SecondaryActions>
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SecondaryActions>
    </Page>
  );
}

interface Accepted {
  ContentUrl?: string;
  /** Opens the session of a guest without a password. */
  HandoverCode?: string;
}
