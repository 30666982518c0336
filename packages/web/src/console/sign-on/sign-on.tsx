import { useState } from 'preact/hooks';
import { Select } from '../../ui/fields.tsx';
import { CopyButton } from '../../ui/two-factor.tsx';
import { type Answer, useQuery } from '../api/call-api.ts';
import { type TextKey, words, wordsFor } from '../text.ts';
import { listAt } from '../ui/filters.ts';
import { Card, Empty, FactList, Loaded, ScreenPage } from '../ui/screen-page.tsx';
import { ago, Copy, type Fact, Preformatted, type State, StateBadge, whether } from '../ui/values.tsx';
import styles from './sign-on.module.css';

type Provider = Answer<'GET /admin/sso-provider'>['Items'][number];
type Preset = Answer<'GET /admin/sso-provider'>['Presets'][number];

function stateOf({ IsReachable }: Provider): State {
  if (IsReachable === null) return ['neutral', 'signOn.unknown'];
  return IsReachable ? ['success', 'system.reachable'] : ['danger', 'system.away'];
}

function address(label: TextKey, name: 'Issuer' | 'CallbackUrl'): Fact<Provider> {
  return [label, (provider) => <Copy value={provider[name]} label={words(label)} whole />];
}

const FACTS: readonly Fact<Provider>[] = [
  ['signOn.id', ({ Id }) => <code>{Id}</code>],
  address('signOn.issuer', 'Issuer'),
  address('signOn.callback', 'CallbackUrl'),
  ['signOn.provisioning', ({ Provisioning }) => wordsFor('signOn.provisioning', Provisioning)],
  ['signOn.domains', ({ AllowedDomains: domains }) => domains.join(', ') || words('signOn.domains.all')],
  whether('signOn.trustEmail', 'TrustEmail'),
  whether('signOn.trustSecondFactor', 'TrustSecondFactor'),
  ['signOn.leftOut', ({ LeftOutGroups }) => LeftOutGroups.join(' · ') || null],
  ['signOn.identities', ({ Identities }) => Identities],
  ago('signOn.lastDiscovery', 'LastDiscoveryAt'),
];

export function SignOnScreen() {
  const result = useQuery('GET /admin/sso-provider');
  return (
    <ScreenPage title={words('c.signOn.title')}>
      <Loaded result={result}>
        {({ Items, Presets }) => (
          <>
            {Items.length === 0 ? (
              <Empty title={words('signOn.none')}>
                <p>{words('signOn.none.lead')}</p>
              </Empty>
            ) : (
              Items.map((provider) => <ProviderCard key={provider.Id} provider={provider} />)
            )}
            <PresetCard presets={Presets} />
          </>
        )}
      </Loaded>
    </ScreenPage>
  );
}

function ProviderCard({ provider }: { provider: Provider }) {
  const { Id, Name, CallbackUrl, ReturnUrls } = provider;
  return (
    <Card title={Name} action={<StateBadge state={stateOf(provider)} />}>
      <FactList facts={FACTS} row={provider} />
      <p>
        <a href={listAt('sign-ins', { provider: Id })}>{words('signOn.signIns')}</a>
        {' · '}
        <a href={listAt('sign-ins', { provider: Id, result: 'Refused' })}>{words('signOn.refused')}</a>
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

/** The settings with which a well-known provider is added: the console cannot change SSO_PROVIDERS. */
function PresetCard({ presets }: { presets: readonly Preset[] }) {
  const [id, setId] = useState(presets[0]?.Id);
  const chosen = presets.find(({ Id }) => Id === id);
  if (chosen === undefined) return null;
  const { CallbackUrl, Settings } = chosen;
  return (
    <Card title={words('signOn.add')}>
      <Select
        name="Preset"
        label={words('methods.provider')}
        defaultValue={chosen.Id}
        options={presets.map(({ Id, Name }) => ({ value: Id, words: Name }))}
        onChange={setId}
      />
      <p>{words('signOn.add.lead')}</p>
      <Preformatted look="settings" label={words('applications.settings.text')} text={Settings} />
      <p>
        <CopyButton value={Settings}>{words('applications.settings.copy')}</CopyButton>
      </p>
      <p>
        {words('signOn.register')} <Copy value={CallbackUrl} label={words('signOn.callback')} whole />
      </p>
    </Card>
  );
}

/**
 * The URL that starts a sign-on which ends at `returnUrl`. It has the host of the callback, because the start sets a
 * cookie that the callback reads.
 */
function tryOut(callbackUrl: string, returnUrl: string): string {
  return `${callbackUrl.replace(/callback$/, 'login')}?${new URLSearchParams({ returnUrl }).toString()}`;
}
