import { useState } from 'preact/hooks';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Rows } from '../../ui/layout/row.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Time } from '../../ui/time.tsx';
import { AccountPage } from '../account/account-page.tsx';
import { PATHS } from '../paths.ts';
import { ErasureRow } from './erasure-row.tsx';
import { ExportRow } from './export-row.tsx';

/** Exports the data of the account, or erases the account. */
export function DataPage() {
  const text = useText();
  const [erasedAt, setErasedAt] = useState<string>();
  if (erasedAt !== undefined) return <Closed erasedAt={erasedAt} />;
  return (
    <AccountPage title={text('data.title')} lead={text('data.lead')}>
      {({ profile }) => (
        <Rows>
          <ExportRow profile={profile} />
          <ErasureRow profile={profile} onClosed={setErasedAt} />
        </Rows>
      )}
    </AccountPage>
  );
}

/** Shown after the account was closed and its session ended: only the link in the mail can restore it. */
function Closed({ erasedAt }: { erasedAt: string }) {
  const text = useText();
  const isLater = Date.parse(erasedAt) > Date.now();
  return (
    <Page title={text(isLater ? 'data.closed.title' : 'data.erased.title')}>
      {isLater ? (
        <>
          <p>
            {text('data.closed.on')} <Time at={erasedAt} />
          </p>
          <p>{text('data.closed.back')}</p>
        </>
      ) : (
        <p>{text('data.erased.lead')}</p>
      )}
      <ButtonLink href={PATHS.login} wide>
        {text('ways.login')}
      </ButtonLink>
    </Page>
  );
}
