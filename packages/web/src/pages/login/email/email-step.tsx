import { call } from '../../../ui/api/api.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { Page } from '../../../ui/layout/page.tsx';
import { SecondaryActions } from '../../../ui/layout/secondary-actions.tsx';
import { EmailField } from '../../email-field.tsx';
import { usePageState } from '../../page-state.ts';
import type { Step } from '../login-answer.ts';
import { keepRequest } from './kept-request.ts';

/** Has a login code mailed. The result looks the same whether or not the address has an account. */
export function EmailStep({ onStep }: { onStep: (step: Step) => void }) {
  const text = useText();
  const { setEmail } = usePageState();
  return (
    <Page title={text('login.email.title')} lead={text('login.email.lead')}>
      <Form
        submit={text('login.email')}
        onSubmit={async ({ Email = '' }) => {
          setEmail(Email);
          const result = await call<{ RequestToken: string }>('POST', '/account/login/email', { Email });
          if (!result.ok) return result.problem;
          const request = { Email, ...result.value, search: location.search };
          keepRequest(request, () => localStorage);
          onStep({ kind: 'mail-code', request });
          return undefined;
        }}
      >
        <EmailField name="Email" />
      </Form>
      <SecondaryActions>
        <Button kind="text" onClick={() => onStep({ kind: 'credentials' })}>
          {text('login.email.others')}
        </Button>
      </SecondaryActions>
    </Page>
  );
}
