import { call } from '../../../ui/api/api.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { Page } from '../../../ui/layout/page.tsx';
import { SecondaryActions } from '../../../ui/layout/secondary-actions.tsx';
import { continueLogin, type LoginAnswer, type Step } from '../login-answer.ts';
import { forgetRequest, type KeptRequest } from './kept-request.ts';

interface MailCodeStepProps {
  request: KeptRequest;
  /** The code of the mail's link, if the link was opened. */
  code: string | undefined;
  onStep: (step: Step) => void;
  keep: boolean;
  onKeep: (keep: boolean) => void;
  /** The slot that the session takes. */
  sessionTag: string | undefined;
}

/** Signs in with the code of the mail: with one press if its link was opened in the browser that asked. */
export function MailCodeStep({ request, code, onStep, keep, onKeep, sessionTag }: MailCodeStepProps) {
  const text = useText();
  const { Email, RequestToken } = request;
  const [title, lead] =
    code === undefined
      ? (['login.mailCode.title', 'login.mailCode.lead'] as const)
      : (['login.title', 'login.mailCode.linked'] as const);
  return (
    <Page title={text(title)} lead={text(lead, { email: Email })}>
      <Form
        key={code}
        submit={text('login.submit')}
        explanations={{ authentication_failed: 'login.mailCode.failed' }}
        onSubmit={async ({ MailCode = code }) => {
          const shown = { Username: Email, MailCode, RequestToken, SessionTag: sessionTag };
          const body = { ...shown, Delivery: 'Cookie', KeepSignedIn: keep };
          const result = await call<LoginAnswer>('POST', '/account/login', body);
          if (result.ok) forgetRequest(() => localStorage);
          return continueLogin(result, onStep);
        }}
      >
        {code === undefined && (
          <Field name="MailCode" label={text('field.mailCode')} code autocomplete="one-time-code" required />
        )}
        <Checkbox name="KeepSignedIn" onChange={onKeep}>
          {text('login.keep')}
        </Checkbox>
      </Form>
      <SecondaryActions>
        <Button kind="text" onClick={() => onStep({ kind: 'email' })}>
          {text('login.mailCode.again')}
        </Button>
        <Button kind="text" onClick={() => onStep({ kind: 'credentials' })}>
          {text('login.email.others')}
        </Button>
      </SecondaryActions>
    </Page>
  );
}
