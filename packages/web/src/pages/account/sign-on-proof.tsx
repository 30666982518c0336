import { useText } from '../../ui/locale/locale.ts';
import { useAccountOptions } from '../account-options.ts';
import { ProviderButtons } from '../provider-buttons.tsx';

/** For accounts without a password: a sign-on for which the provider asks again is a proof, for five minutes. */
export function SignOnProof() {
  const text = useText();
  const options = useAccountOptions(undefined);
  return (
    <>
      <p>{text('proof.signIn')}</p>
      <ProviderButtons options={options} back={{ returnUrl: location.pathname }} isFresh />
    </>
  );
}
