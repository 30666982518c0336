import { useEffect, useState } from 'preact/hooks';
import { call } from '../../../ui/api/api.ts';
import type { Answer } from '../../api/call-api.ts';
import { ProviderButtons } from '../../sign-in/provider-buttons.tsx';
import { useWords } from '../../text.ts';

type Options = Answer<'GET /console/options'>;

/** Confirms the identity of administrators without a password: they sign on at a provider, and return here. */
export function ConfirmBySignOn() {
  const words = useWords();
  const [options, setOptions] = useState<Options>();
  useEffect(() => {
    void call<Options>('GET', '/console/options').then((result) =>
      setOptions(result.ok ? result.value : undefined),
    );
  }, []);
  return (
    <>
      <p>{words('confirm.signOn.lead')}</p>
      {options && <ProviderButtons options={options} confirms />}
    </>
  );
}
