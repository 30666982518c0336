import { useEffect } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { EmailField } from '../parts.tsx';
import { useFragment, usePageState } from '../page-state.ts';
import { forgetRequest, keepRequest, keptRequest, type KeptRequest, linkedCode } from './kept-request.ts';
import styles from './mail-code.module.css';
import { continueLogin, type LoginAnswer, type Step } from './steps.ts';

interface MailStepsProps {
  step: Extract<Step, { kind: 'email' | 'mail-code' | 'elsewhere' }>;
  onStep: (step: Step) => void;
  keep: boolean;
  onKeep: (keep: boolean) => void;
  sessionTag: string | undefined;
}

/** The steps of a login with a mailed code. */
export function MailSteps({ step, ...props }: MailStepsProps) {
  switch (step.kind) {
    case 'email':
      return <EmailStep onStep={props.onStep} />;
    case 'mail-code':
      return <MailCodeStep {...props} request={step.request} code={step.code} />;
    case 'elsewhere':
      return <ElsewhereStep code={step.code} onStep={props.onStep} />;
  }
}

/**
 * The step that the link of a mail with a code opens, if this page was opened by one. Opening it changes nothing, in any
 * browser. The link may also be opened in a tab that shows this page already, which then calls `onStep`.
 */
export function useLinkedStep(onStep: (step: Step) => void): Step | undefined {
  const { Code } = useFragment();
  useEffect(() => {
    const linked = stepOfLink(Code);
    if (linked !== undefined) onStep(linked);
  }, [Code]);
  return stepOfLink(Code);
}

function stepOfLink(text: string | undefined): Step | undefined {
  const code = linkedCode(text);
  if (code === undefined) return undefined;
  const request = keptRequest(() => localStorage);
  return request === undefined ? { kind: 'elsewhere', code } : { kind: 'mail-code', request, code };
}

/** Has a login code mailed. The result looks the same whether or not the address has an account. */
function EmailStep({ onStep }: { onStep: (step: Step) => void }) {
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
function MailCodeStep({ request, code, onStep, keep, onKeep, sessionTag }: MailCodeStepProps) {
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

interface ElsewhereStepProps {
  code: string;
  onStep: (step: Step) => void;
}

/** Shows the code of a link that was opened in another browser than the one that asked, to be typed there. */
function ElsewhereStep({ code, onStep }: ElsewhereStepProps) {
  const text = useText();
  return (
    <Page title={text('login.elsewhere.title')} lead={text('login.elsewhere.lead')}>
      <p class={styles['code']}>{code}</p>
      <SecondaryActions>
        <Button kind="text" onClick={() => onStep({ kind: 'credentials' })}>
          {text('login.elsewhere.here')}
        </Button>
      </SecondaryActions>
    </Page>
  );
}
