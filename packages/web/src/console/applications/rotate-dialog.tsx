import { useState } from 'preact/hooks';
import { Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { OVERLAPS, STANDARD_OVERLAP_SECONDS } from '../tokens/overlaps.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SHOWING_APPLICATIONS, type Application } from './application.ts';
import { SecretOnce } from './secret-once.tsx';

/** Replaces the secret of an application, and shows the new one once. */
export function RotateDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const words = useWords();
  const { callApi } = useConsole();
  const refresh = useRefresh();
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) return <SecretOnce application={application} secret={secret} onClose={onClose} />;
  return (
    <Dialog title={words('applications.rotate.title', { name: application.Name })} onClose={onClose}>
      <p>{words('applications.rotate.lead')}</p>
      <Form
        submit={words('applications.rotate')}
        onSubmit={async ({ OverlapSeconds }) => {
          const result = await callApi('POST /admin/oauth-client/{id}/rotate', {
            path: { id: application.Id },
            body: { OverlapSeconds: Number(OverlapSeconds) },
          });
          if (!result.ok) return result.problem;
          setSecret(result.value.Secret);
          await refresh(...SHOWING_APPLICATIONS);
          return undefined;
        }}
      >
        <Select
          name="OverlapSeconds"
          label={words('applications.overlap')}
          defaultValue={String(STANDARD_OVERLAP_SECONDS)}
          options={OVERLAPS.map(([name, seconds]) => ({
            value: String(seconds),
            words: words(`tokens.overlap.${name}`),
          }))}
        />
      </Form>
    </Dialog>
  );
}
