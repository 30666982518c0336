import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { canUsePasskeys } from '../../ui/passkey/passkey.ts';
import { useWords } from '../text.ts';
import { CodeStep } from './code-step.tsx';
import { PasskeyStep } from './passkey-step.tsx';
import type { SecondFactor, Step } from './step.ts';

interface SecondFactorStepProps {
  step: Extract<Step, { kind: 'second-factor' }>;
  onStep: (step: Step) => void;
}

/** The second factor: one of those that the account has, the easiest one first. */
export function SecondFactorStep({ step, onStep }: SecondFactorStepProps) {
  const words = useWords();
  const { token, setup, factors, passkey } = step;
  const [selected, setSelected] = useState(() => firstOf(factors));
  const alternatives = (
    <>
      {factors
        .filter((factor) => factor !== selected)
        .map((factor) => (
          <Button key={factor} kind="text" onClick={() => setSelected(factor)}>
            {words(USE[factor])}
          </Button>
        ))}
      <Button kind="text" onClick={() => onStep({ kind: 'credentials' })}>
        {words('login.again')}
      </Button>
    </>
  );
  if (selected === 'Passkey' && passkey)
    return (
      <PasskeyStep token={token} options={passkey} onStep={onStep}>
        {alternatives}
      </PasskeyStep>
    );
  return (
    <CodeStep
      key={selected}
      token={token}
      setup={setup}
      isRecovery={selected === 'RecoveryCode'}
      onStep={onStep}
    >
      {alternatives}
    </CodeStep>
  );
}

const USE = {
  Passkey: 'login.passkey.use',
  Totp: 'login.code.use',
  RecoveryCode: 'login.recovery.use',
} as const;

/** A passkey if this browser supports it, else the authenticator app, else a recovery code. */
function firstOf(factors: readonly SecondFactor[]): SecondFactor | undefined {
  const usable = factors.filter((factor) => factor !== 'Passkey' || canUsePasskeys());
  const order = ['Passkey', 'Totp', 'RecoveryCode'] as const;
  return order.find((factor) => usable.includes(factor)) ?? factors[0];
}
