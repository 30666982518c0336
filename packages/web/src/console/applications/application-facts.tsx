import { useWords, useWordsFor } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { Card, Facts } from '../ui/layout/screen-page.tsx';
import { Time } from '../ui/time.tsx';
import type { Application } from './application.ts';
import styles from './applications.module.css';

/** Everything about an application but its secret. */
export function ApplicationFacts({ application }: { application: Application }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const yesNo = (isSo: boolean): string => words(isSo ? 'yes' : 'no');
  const { Id, IsPublic, Roles, Groups, SessionTag, PreviousSecretExpiresAt: overlap } = application;
  const changes = `/console/audit?${new URLSearchParams({ targetId: Id }).toString()}`;
  return (
    <Card title={words('applications.facts')}>
      <Facts
        rows={[
          ['client_id', <Copy key="id" value={Id} label="client_id" whole />],
          [
            words('applications.kind'),
            words(IsPublic ? 'applications.kind.public' : 'applications.kind.secret'),
          ],
          [words('applications.roles'), Roles.map((role) => wordsFor('role', role)).join(', ')],
          [words('applications.groups'), Groups.join(', ') || words('applications.groups.all')],
          [words('applications.trusted'), yesNo(application.IsTrusted)],
          [words('applications.redirectUris'), <Uris key="uris" uris={application.RedirectUris} />],
          [words('applications.logoutUris'), <Uris key="logout" uris={application.PostLogoutRedirectUris} />],
          [words('applications.backchannel'), <Logouts key="backchannel" application={application} />],
          [words('applications.scopes'), application.Scopes.join(', ')],
          [words('applications.grants'), application.GrantTypes.join(', ') || null],
          [words('applications.resources'), application.Resources.join(', ') || null],
          [words('applications.pkce'), yesNo(application.RequiresPkce)],
          [words('applications.nonce'), yesNo(application.RequiresNonce)],
          [words('applications.alg'), application.IdTokenAlg],
          [words('sessions.tag'), SessionTag],
          ...(overlap === null
            ? []
            : [[words('applications.overlap'), <Time key="overlap" at={overlap} exact />] as const]),
          [words('applications.created'), <Time key="created" at={application.CreatedAt} exact />],
          [
            words('c.audit.title'),
            <a key="audit" href={changes}>
              {words('applications.changes')}
            </a>,
          ],
        ]}
      />
    </Card>
  );
}

function Logouts({ application: { Id, BackchannelLogoutUri: uri } }: { application: Application }) {
  const words = useWords();
  if (uri === null) return <>–</>;
  return (
    <>
      {uri}
      <br />
      <a href={`/console/webhooks/deliveries?${new URLSearchParams({ clientId: Id }).toString()}`}>
        {words('applications.logouts')}
      </a>
    </>
  );
}

function Uris({ uris }: { uris: readonly string[] }) {
  if (uris.length === 0) return <>–</>;
  return (
    <ul class={styles['uris']}>
      {uris.map((uri) => (
        <li key={uri}>{uri}</li>
      ))}
    </ul>
  );
}
