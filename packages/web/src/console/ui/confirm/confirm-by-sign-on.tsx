import { useEffect, useState } from 'preact/hooks';
import { call } from '../../../ui/api/api.ts';
import type { Answer } from '../../api/call-api.ts';
import { ProviderButtons } from '../../sign-in/provider-buttons.tsx';
import { useWords } from '../../text.ts';

type Options = Answer<'GET /console/options'>;

/** For administrators without a password: a provider asks who they are, and they come back to this screen. */
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
