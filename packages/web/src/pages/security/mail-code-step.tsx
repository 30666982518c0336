import type { Problem } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Step } from '../../ui/layout/step.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { atField } from '../account/own-account.ts';

interface MailCodeStepProps {
  email: string;
  onCode: (shown: { MailCode: string }) => Promise<Problem | undefined>;
}

/** Asks for the code that was mailed to the present address, before a change of what opens the account. */
export function MailCodeStep({ email, onCode }: MailCodeStepProps) {
  const text = useText();
  return (
    <Step title={text('proof.title')} lead={text('proof.mailCode', { email })}>
      <Form
        submit={text('proof.mailCode.submit')}
        onSubmit={async ({ MailCode = '' }) => {
          const problem = await onCode({ MailCode });
          return problem && atField(problem, { invalid_code: 'MailCode' });
        }}
      >
        <Field name="MailCode" label={text('field.mailCode')} code autocomplete="one-time-code" required />
      </Form>
    </Step>
  );
}
