import { ButtonLink } from '../../../ui/form/button.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { Page } from '../../../ui/layout/page.tsx';

/** Shown until the next page has loaded. The link is for browsers that do not go there automatically. */
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
