import { call } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Step } from '../../ui/layout/step.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { atField, useSignedOut } from '../account/own-account.ts';
import { usePageState } from '../page-state.ts';

interface ErasureCodeStepProps {
  email: string;
  /** Sends another code. */
  onAgain: () => Promise<void>;
  onClosed: (erasedAt: string) => void;
}

/** Asks for the code from the mail and for the final confirmation. */
export function ErasureCodeStep({ email, onAgain, onClosed }: ErasureCodeStepProps) {
  const text = useText();
  const leave = useSignedOut();
  const { setLeaving } = usePageState();
  return (
    <Step title={text('data.code.title')} lead={text('data.code.lead', { email })}>
      <Form
        submit={text('data.code.submit')}
        kind="danger"
        explanations={{ conflict: 'data.erasure.conflict' }}
        onSubmit={async ({ Code }) => {
          setLeaving(true);
          const result = await call<{ ErasedAt: string }>('POST', '/account/erase', { Code });
          if (!result.ok) setLeaving(false);
          if (result.ok) onClosed(result.value.ErasedAt);
          else if (!leave(result.problem)) return atField(result.problem, { invalid_code: 'Code' });
          return undefined;
        }}
      >
        <Field name="Code" label={text('field.mailCode')} code autocomplete="one-time-code" required />
      </Form>
      <div>
        <Button kind="text" onClick={onAgain}>
          {text('data.code.again')}
        </Button>
      </div>
    </Step>
  );
}
