import { call } from '../../ui/api/api.ts';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Step } from '../../ui/layout/step.tsx';
import { atField, useSignedOut } from '../account/own-account.ts';
import { OwnCodeField } from './own-code-field.tsx';

interface OwnCodeStepProps {
  /** Why the code is required: to get new recovery codes, or to remove the second factor. */
  purpose: 'renewal' | 'removal';
  onDone: (codes: string[]) => void;
}

/** Asks for a code before the second factor is changed. */
export function OwnCodeStep({ purpose, onDone }: OwnCodeStepProps) {
  const text = useText();
  const leave = useSignedOut();
  const isRemoval = purpose === 'removal';
  return (
    <Step
      title={text(isRemoval ? 'twoFactor.removal.title' : 'twoFactor.renewal.title')}
      lead={text(isRemoval ? 'twoFactor.removal.lead' : 'twoFactor.renewal.lead')}
    >
      <Form
        submit={text(isRemoval ? 'twoFactor.removal.submit' : 'twoFactor.renewal.submit')}
        kind={isRemoval ? 'danger' : 'primary'}
        explanations={{ forbidden: 'twoFactor.required' }}
        onSubmit={async ({ TwoFactorCode }) => {
          const [method, path] = isRemoval
            ? (['DELETE', '/account/two-factor'] as const)
            : (['POST', '/account/recovery-codes'] as const);
          const result = await call<{ RecoveryCodes?: string[] }>(method, path, { TwoFactorCode });
          if (result.ok) onDone(result.value.RecoveryCodes ?? []);
          else if (!leave(result.problem)) return atField(result.problem, { wrong_code: 'TwoFactorCode' });
          return undefined;
        }}
      >
        <OwnCodeField takesRecovery />
      </Form>
    </Step>
  );
}
