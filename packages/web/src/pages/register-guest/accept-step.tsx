import { useLocation } from 'preact-iso';
import { call } from '../../ui/api/api.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { signInAnew } from '../login/sign-in-anew.ts';
import { PATHS } from '../paths.ts';
import type { Invitation } from './use-invitation.ts';

interface AcceptStepProps {
  token: string;
  invitation: Invitation;
  /** Called if the link no longer works. */
  onRefused: () => void;
}

/** Lets a guest choose a password and a name, signs them in, and opens the content. */
export function AcceptStep({ token, invitation, onRefused }: AcceptStepProps) {
  const text = useText();
  const { route } = useLocation();
  const { Locale } = usePageData();
  const { Email, Inviter, Content } = invitation;
  const words = { email: Email, inviter: Inviter ?? '', content: Content?.Name ?? '' };
  return (
    <Page
      title={text('guest.title')}
      lead={text(Inviter === undefined ? 'guest.lead.somebody' : 'guest.lead.inviter', words)}
    >
      <Form
        submit={text('guest.submit')}
        onSubmit={async ({ DisplayName = '', Password = '' }) => {
          const name = DisplayName.trim();
          const body = {
            InvitationToken: token,
            Password,
            Locale,
            ...(name !== '' && { DisplayName: name }),
          };
          const result = await call<{ ContentUrl?: string }>('POST', '/account/register-guest', body);
          if (!result.ok) {
            if (result.problem.code === 'invalid_invitation') onRefused();
            return result.problem;
          }
          const { ContentUrl } = result.value;
          if (!(await signInAnew(Email, Password))) route(PATHS.login, true);
          else if (ContentUrl === undefined) route(PATHS.profile, true);
          else location.assign(ContentUrl);
          return undefined;
        }}
      >
        <input hidden type="email" name="Email" autocomplete="username" value={Email} readOnly />
        <Field
          name="DisplayName"
          label={text('field.name')}
          hint={text('register.name.hint')}
          autocomplete="name"
        />
        <PasswordField name="Password" label={text('field.password')} purpose="new" />
      </Form>
      <SecondaryActions>
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SecondaryActions>
    </Page>
  );
}
