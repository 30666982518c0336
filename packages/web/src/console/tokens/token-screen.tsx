import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { TokenFacts } from './token-facts.tsx';
import { isReplaceable, TokenState, type ApiToken } from './token-state.tsx';

/** One API token: its rights, who created it, and when it was last used. */
export function TokenScreen() {
  const words = useWords();
  const { id = '' } = useRoute().params;
  const result = useQuery('GET /admin/api-token/{id}', { path: { id } });
  const [open, setOpen] = useState<{ kind: 'rotate' | 'revoke'; token: ApiToken }>();
  const { data } = result;
  const close = (): void => setOpen(undefined);
  return (
    <ScreenPage
      title={data?.Name ?? words('tokens.one')}
      badge={data && <TokenState token={data} />}
      actions={
        data?.RevokedAt === null && (
          <>
            {isReplaceable(data) && (
              <Button onClick={() => setOpen({ kind: 'rotate', token: data })}>
                {words('tokens.rotate')}
              </Button>
            )}
            <Button kind="danger" onClick={() => setOpen({ kind: 'revoke', token: data })}>
              {words('tokens.revoke')}
            </Button>
          </>
        )
      }
    >
      <Loaded result={result}>{(token) => <TokenFacts token={token} />}</Loaded>
      <p>
        <a href="/console/tokens">{words('tokens.all')}</a>
      </p>
      {open?.kind === 'rotate' && <RotateDialog token={open.token} onClose={close} />}
      {open?.kind === 'revoke' && <RevokeDialog token={open.token} onClose={close} />}
    </ScreenPage>
  );
}
