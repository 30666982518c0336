import { Button } from '../../ui/form/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Loaded } from '../account/loaded.tsx';
import { useOwn, type Profile } from '../account/own-account.ts';
import { ProofStep } from '../account/proof-step.tsx';
import type { ProofAction } from '../security/passkeys/use-passkeys.ts';

interface ProveAgainStepProps {
  onProof: ProofAction;
  onCancel: () => void;
}

/** Has the owner of the session prove their identity again, because the app wants to be sure. The session stays the same. */
export function ProveAgainStep({ onProof, onCancel }: ProveAgainStepProps) {
  const text = useText();
  const own = useOwn<Profile>('/account/profile');
  return (
    <Page title={text('authorize.title')} lead={text('authorize.prove', { email: own.value?.Email ?? '…' })}>
      <Loaded own={own}>
        {(profile) => <ProofStep profile={profile} lead={text('authorize.prove.lead')} onProof={onProof} />}
      </Loaded>
      <SecondaryActions>
        <Button kind="text" onClick={onCancel}>
          {text('row.cancel')}
        </Button>
      </SecondaryActions>
    </Page>
  );
}
