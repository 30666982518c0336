import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { useFragment } from '../page-state.ts';
import { PATHS } from '../paths.ts';

/** Gives an account its former email again, by the link in the mail that reported the change. */
export function TakeBackEmailPage() {
  const text = useText();
  const { Code } = useFragment();
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <Page title={text('takeBack.done.title')} lead={text('takeBack.done.lead')}>
        <ButtonLink href={PATHS.forgotPassword} kind="primary" wide>
          {text('takeBack.done.password')}
        </ButtonLink>
      </Page>
    );
  }
  return (
    <Page
      title={text('takeBack.title')}
      lead={text(Code === undefined ? 'takeBack.noLink' : 'takeBack.lead')}
    >
      {Code !== undefined && (
        <Form
          key={Code}
          submit={text('takeBack.submit')}
          explanations={{ invalid_code: 'takeBack.invalid', email_taken: 'takeBack.taken' }}
          onSubmit={async () => {
            const result = await call('POST', '/account/take-back-email', { Code });
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
