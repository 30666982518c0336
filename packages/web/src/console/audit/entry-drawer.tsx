import type { ComponentChildren } from 'preact';
import { ButtonLink } from '../../ui/form/button.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { Copy, shortened } from '../ui/copy.tsx';
import { Drawer } from '../ui/dialog.tsx';
import { Facts } from '../ui/layout/screen-page.tsx';
import { localTime } from '../ui/moment.ts';
import { Time } from '../ui/time.tsx';
import styles from './entry-drawer.module.css';
import { detailsOf, type Detail } from './details.ts';
import { ActorName, placeOf, TargetName, type Entry } from './names.tsx';

/** All known details of one change, with links to other changes around it. */
export function EntryDrawer({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { Action, ActorId, ActorKind, TargetId, TargetKind, At, IpAddress, TraceId } = entry;
  const list = (filter: Record<string, string>): string =>
    `/console/audit?${new URLSearchParams(filter).toString()}`;
  return (
    <Drawer title={wordsFor('audit.action', Action)} onClose={onClose}>
      <div class={styles['entry']}>
        <Facts
          rows={[
            [words('audit.when'), <Time at={At} exact />],
            [
              words('audit.who'),
              <Linked to={placeOf(ActorKind, ActorId)} id={ActorId}>
                <ActorName entry={entry} />
              </Linked>,
            ],
            [
              words('audit.whom'),
              <Linked to={placeOf(TargetKind, TargetId)} id={TargetId}>
                <TargetName entry={entry} />
              </Linked>,
            ],
            [words('audit.ip'), IpAddress && <a href={list({ ipAddress: IpAddress })}>{IpAddress}</a>],
            [words('audit.trace'), TraceId && <Copy value={TraceId} label={words('audit.trace')} />],
            [words('audit.action'), <code>{Action}</code>],
          ]}
        />
        <h3>{words('audit.details')}</h3>
        <Details details={detailsOf(entry.Details)} />
        <div class={styles['ways']}>
          {TraceId !== null && (
            <ButtonLink href={list({ traceId: TraceId })}>{words('audit.sameTrace')}</ButtonLink>
          )}
          <ButtonLink href={list(around(At))}>{words('audit.around')}</ButtonLink>
          {TargetId !== null && (
            <ButtonLink href={list({ targetId: TargetId })}>{words('audit.ofTarget')}</ButtonLink>
          )}
          {TargetId !== null && Action.startsWith('account.eras') && (
            <ButtonLink href={`/console/erasures?${new URLSearchParams({ userId: TargetId }).toString()}`}>
              {words('erasure.ofAccount')}
            </ButtonLink>
          )}
        </div>
      </div>
    </Drawer>
  );
}

function Details({ details }: { details: readonly Detail[] }) {
  const words = useWords();
  if (details.length === 0) return <p class="quiet">{words('audit.details.none')}</p>;
  return (
    <Facts
      rows={details.map(({ name, value, before, kind }) => [
        name,
        <Linked to={kind && placeOf(kind, value)} id={kind && value}>
          {before !== undefined && (
            <>
              <del>{before}</del> →{' '}
            </>
          )}
          {kind === undefined ? value : shortened(value)}
        </Linked>,
      ])}
    />
  );
}

interface LinkedProps {
  to: string | undefined;
  id: string | null | undefined;
  children: ComponentChildren;
}

/** A name that links to its screen, followed by its id. */
function Linked({ to, id, children }: LinkedProps) {
  const words = useWords();
  return (
    <>
      {to === undefined ? children : <a href={to}>{children}</a>}
      {id && <Copy value={id} label={words('audit.id')} />}
    </>
  );
}

const AROUND_MS = 5 * 60_000;

/** The range from five minutes before a moment to five minutes after it, as values of `datetime-local` fields. */
function around(at: string): { from: string; to: string } {
  const moment = Date.parse(at);
  return { from: localTime(moment - AROUND_MS), to: localTime(moment + AROUND_MS) };
}
