import { ButtonLink } from '../../../ui/form/button.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { Page } from '../../../ui/layout/page.tsx';

/** For the moment until the next page has come, and for browsers that do not go there by themselves. */
export function SignedInStep({ destination }: { destination: string }) {
  const text = useText();
  return (
    <Page title={text('signedIn.title')} lead={text('signedIn.lead')}>
      <ButtonLink href={destination} kind="primary" wide>
        {text('signedIn.continue')}
      </ButtonLink>
    </Page>
  );
}
