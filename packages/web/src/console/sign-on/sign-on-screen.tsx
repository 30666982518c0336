import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Empty, Loaded } from '../ui/layout/state.tsx';
import { ProviderCard } from './provider-card.tsx';

/** The configured identity providers. */
export function SignOnScreen() {
  const words = useWords();
  const result = useQuery('GET /admin/sso-provider');
  return (
    <ScreenPage title={words('c.signOn.title')}>
      <Loaded result={result}>
        {({ Items }) =>
          Items.length === 0 ? (
            <Empty title={words('signOn.none')}>
              <p>{words('signOn.none.lead')}</p>
            </Empty>
          ) : (
            <>
              {Items.map((provider) => (
                <ProviderCard key={provider.Id} provider={provider} />
              ))}
            </>
          )
        }
      </Loaded>
    </ScreenPage>
  );
}
