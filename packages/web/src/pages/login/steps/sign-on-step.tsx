import { useText } from '../../../ui/locale/locale.ts';
import { Page } from '../../../ui/layout/page.tsx';

/** Shown while the code of a sign-on is exchanged. */
export function SignOnStep() {
  const text = useText();
  return (
    <Page title={text('login.title')} lead={text('login.lead')}>
      <p role="status">{text('own.loading')}</p>
    </Page>
  );
}
