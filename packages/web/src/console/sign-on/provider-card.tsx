import type { Answer } from '../api/call-api.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';
import { Copy } from '../ui/copy.tsx';
import { Card, Facts } from '../ui/layout/screen-page.tsx';
import { Time } from '../ui/time.tsx';
import styles from './provider-card.module.css';

type Provider = Answer<'GET /admin/sso-provider'>['Items'][number];

/** One identity provider: whether it is reachable, how it is configured, and links to test it. */
export function ProviderCard({ provider }: { provider: Provider }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const yesNo = (isSo: boolean): string => words(isSo ? 'yes' : 'no');
  const { Id, Name, Issuer, CallbackUrl, ReturnUrls, Provisioning, AllowedDomains } = provider;
  return (
    <Card title={Name} action={<Reach provider={provider} />}>
      <Facts
        rows={[
          [words('signOn.id'), <code key="id">{Id}</code>],
          [words('signOn.issuer'), <Copy key="issuer" value={Issuer} label={words('signOn.issuer')} whole />],
          [
            words('signOn.callback'),
            <Copy key="callback" value={CallbackUrl} label={words('signOn.callback')} whole />,
          ],
          [words('signOn.provisioning'), wordsFor('signOn.provisioning', Provisioning)],
          [words('signOn.domains'), AllowedDomains.join(', ') || words('signOn.domains.all')],
          [words('signOn.trustEmail'), yesNo(provider.TrustEmail)],
          [words('signOn.trustSecondFactor'), yesNo(provider.TrustSecondFactor)],
          [words('signOn.leftOut'), provider.LeftOutGroups.join(' · ') || null],
          [words('signOn.identities'), provider.Identities],
          [words('signOn.lastDiscovery'), <Time key="discovery" at={provider.LastDiscoveryAt} />],
        ]}
      />
      <p>
        <a href={signInsOf(Id)}>{words('signOn.signIns')}</a>
        {' · '}
        <a href={signInsOf(Id, 'Refused')}>{words('signOn.refused')}</a>
      </p>
      <h3 class={styles['head']}>{words('signOn.returnUrls')}</h3>
      <ul class={styles['list']}>
        {ReturnUrls.map((url) => (
          <li key={url}>
            <Copy value={url} label={words('signOn.returnUrl')} whole />
            <a href={tryOut(CallbackUrl, url)} target="_blank" rel="noopener noreferrer">
              {words('signOn.test')}
              <span class="only-read"> {words('signOn.test.where', { url })}</span>
            </a>
          </li>
        ))}
      </ul>
      <p class="quiet">{words('signOn.test.lead')}</p>
    </Card>
  );
}

/** The list of the sign-ons with this provider. */
function signInsOf(provider: string, result?: 'Refused'): string {
  return `/console/sign-ins?${new URLSearchParams({ provider, ...(result && { result }) }).toString()}`;
}

function Reach({ provider: { IsReachable } }: { provider: Provider }) {
  const words = useWords();
  const meaning: Meaning = IsReachable === null ? 'neutral' : IsReachable ? 'success' : 'danger';
  const state = IsReachable === null ? 'unknown' : IsReachable ? 'reachable' : 'away';
  return <Badge meaning={meaning}>{words(`signOn.${state}`)}</Badge>;
}

/**
 * The URL that starts a sign-on which ends at `returnUrl`. It has the host of the callback, because the start sets a
 * cookie that the callback reads.
 */
function tryOut(callbackUrl: string, returnUrl: string): string {
  return `${callbackUrl.replace(/callback$/, 'login')}?${new URLSearchParams({ returnUrl }).toString()}`;
}
