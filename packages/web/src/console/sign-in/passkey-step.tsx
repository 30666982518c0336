import type { ComponentChildren } from 'preact';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { AddressHint } from '../../ui/passkey/address-hint.tsx';
import { PasskeyButton } from '../../ui/passkey/passkey-button.tsx';
import { canUsePasskeys, isAtAddress, signWithPasskey } from '../../ui/passkey/passkey.ts';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { useWords } from '../text.ts';
import { takeStep, type PasskeyOptions, type Step } from './step.ts';

interface PasskeyStepProps {
  token: string;
  options: PasskeyOptions;
  onStep: (step: Step) => void;
  /** Buttons for the other second factors, and to start again. */
  children: ComponentChildren;
}

/** The second factor: one of the account's passkeys. */
export function PasskeyStep({ token, options, onStep, children }: PasskeyStepProps) {
  const words = useWords();
  return (
    <Page title={words('login.passkey.title')} lead={words('login.passkey.lead')}>
      {canUsePasskeys() ? (
        <PasskeyButton
          kind="primary"
          label={words('login.passkey.use')}
          failed={words('login.passkey.again')}
          onPress={async () => {
            const Credential = await signWithPasskey(options);
            return Credential && takeStep({ TwoFactorToken: token, Credential }, onStep);
          }}
        />
      ) : (
        <Notice meaning="warning">
          {isAtAddress() ? <AddressHint /> : <p>{words('signIn.passkey.unusable')}</p>}
        </Notice>
      )}
      <SecondaryActions>{children}</SecondaryActions>
    </Page>
  );
}
