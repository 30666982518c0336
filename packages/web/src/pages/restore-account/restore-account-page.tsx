import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { useFragment } from '../page-state.ts';
import { PATHS } from '../paths.ts';

/** Cancels the erasure of an account, by the link in the mail that announced it. */
export function RestoreAccountPage() {
  const text = useText();
  const { Code } = useFragment();
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <Page title={text('restore.done.title')} lead={text('restore.done.lead')}>
        <ButtonLink href={PATHS.login} kind="primary" wide>
          {text('restore.done.login')}
        </ButtonLink>
        <SecondaryActions>
          <a href={PATHS.forgotPassword}>{text('restore.done.password')}</a>
        </SecondaryActions>
      </Page>
    );
  }
  return (
    <Page title={text('restore.title')} lead={text(Code === undefined ? 'restore.noLink' : 'restore.lead')}>
      {Code !== undefined && (
        <Form
          key={Code}
          submit={text('restore.submit')}
          explanations={{ invalid_code: 'restore.invalid' }}
          onSubmit={async () => {
            const result = await call('POST', '/account/restore', { Code });
            if (!result.ok) return result.problem;
            setDone(true);
            return undefined;
          }}
        >
          {null}
        </Form>
      )}
      <SecondaryActions>
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SecondaryActions>
    </Page>
  );
}
