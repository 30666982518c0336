import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { EmailField } from '../email-field.tsx';
import { RESEND_INVITATION } from '../resend-invitation.ts';
import { PATHS } from '../paths.ts';

/** Requests a new invitation link by mail. `lead` says why. */
export function RequestLinkStep({ lead }: { lead: string }) {
  const text = useText();
  const [sentTo, setSentTo] = useState<string>();
  const { path, words } = RESEND_INVITATION;
  return (
    <Page title={text('guest.title')} lead={lead}>
      {sentTo !== undefined && <Notice meaning="success">{text(words.sent, { email: sentTo })}</Notice>}
      <Form
        submit={text(words.send)}
        onSubmit={async ({ Email = '' }) => {
          const result = await call('POST', path, { Email });
          if (!result.ok) return result.problem;
          setSentTo(Email);
          return undefined;
        }}
      >
        <EmailField name="Email" />
      </Form>
      <SecondaryActions>
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SecondaryActions>
    </Page>
  );
}
