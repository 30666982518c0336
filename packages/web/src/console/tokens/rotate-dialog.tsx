import { useState } from 'preact/hooks';
import { Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { OVERLAPS, STANDARD_OVERLAP_SECONDS } from './overlaps.ts';
import type { ApiToken } from './token-state.tsx';

/** Replaces an API token by a new one, and shows the new one once. */
export function RotateDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const words = useWords();
  const { callApi } = useConsole();
  const refresh = useRefresh();
  const [fresh, setFresh] = useState<string>();
  if (fresh !== undefined) return <NewTokenDialog token={fresh} onClose={onClose} />;
  return (
    <Dialog title={words('tokens.rotate.title', { name: token.Name })} onClose={onClose}>
      <p>{words('tokens.rotate.lead')}</p>
      <Form
        submit={words('tokens.rotate')}
        onSubmit={async ({ OverlapSeconds }) => {
          const result = await callApi('POST /admin/api-token/{id}/rotate', {
            path: { id: token.Id },
            body: { OverlapSeconds: Number(OverlapSeconds) },
          });
          if (!result.ok) return result.problem;
          setFresh(result.value.Token);
          await refresh('GET /admin/api-token', 'GET /admin/api-token/{id}');
          return undefined;
        }}
      >
        <Select
          name="OverlapSeconds"
          label={words('tokens.overlap')}
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
