import { ActorLink } from '../account/actor-link.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { Card, Facts } from '../ui/layout/screen-page.tsx';
import { Time } from '../ui/time.tsx';
import { TokenLink } from './token-link.tsx';
import type { ApiToken } from './token-state.tsx';

/** All stored data about an API token. */
export function TokenFacts({ token }: { token: ApiToken }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { Id, Prefix, Role, CreatedAt, CreatedBy, LastUsedAt, LastUsedIp } = token;
  const { ExpiresAt, Networks, ReplacedBy, RevokedAt } = token;
  const auditOf = (side: 'actorId' | 'targetId'): string =>
    `/console/audit?${new URLSearchParams({ [side]: Id }).toString()}`;
  return (
    <Card title={words('tokens.facts')}>
      <Facts
        rows={[
          ['ID', <Copy key="id" value={Id} label={words('tokens.id')} />],
          [words('tokens.prefix'), <code key="prefix">{Prefix}…</code>],
          [words('tokens.role'), `${wordsFor('role', Role)}: ${words(`tokens.role.${Role}`)}`],
          [words('tokens.created'), <Time key="created" at={CreatedAt} exact />],
          [
            words('tokens.createdBy'),
            CreatedBy === null ? words('tokens.installation') : <ActorLink key="by" id={CreatedBy} />,
          ],
          [
            words('tokens.used'),
            LastUsedAt === null ? words('tokens.unused') : <Time key="used" at={LastUsedAt} exact />,
          ],
          [words('tokens.usedFrom'), LastUsedIp],
          [words('tokens.networks'), Networks?.join(', ') ?? words('tokens.anywhere')],
          [
            words('tokens.expires'),
            ExpiresAt === null ? words('tokens.never') : <Time key="end" at={ExpiresAt} exact />,
          ],
          [
            words('tokens.replacedBy'),
            ReplacedBy && <TokenLink key="next" id={ReplacedBy} label={words('tokens.id')} />,
          ],
          [words('tokens.revokedAt'), <Time key="revoked" at={RevokedAt} exact />],
          [
            words('c.audit.title'),
            <>
              <a href={auditOf('targetId')}>{words('tokens.changes')}</a>,{' '}
              <a href={auditOf('actorId')}>{words('tokens.did')}</a>
            </>,
          ],
        ]}
      />
    </Card>
  );
}
