import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Items } from '../../ui/layout/items.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Loaded } from '../account/loaded.tsx';
import { useOwn, useSignedOut } from '../account/own-account.ts';
import { endSessions, type Outcome } from './end-sessions.ts';
import { EndedNotice } from './ended-notice.tsx';
import { SessionItem, type OwnSession } from './session-item.tsx';
import styles from './sessions.module.css';

/** The active sessions. Each can be ended. */
export function ActiveSection() {
  const text = useText();
  const leave = useSignedOut();
  const own = useOwn<{ Items: OwnSession[] }>('/account/session');
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const end = async (sessions: readonly OwnSession[]): Promise<void> => {
    setBusy(true);
    setOutcome(undefined);
    const ended = await endSessions(sessions);
    if (ended.problem === undefined || !leave(ended.problem)) setOutcome(ended);
    if (ended.problem !== undefined) return setBusy(false);
    await own.reload();
    setBusy(false);
  };
  return (
    <Section title={text('sessions.active.title')} lead={text('sessions.active.lead')}>
      {outcome && <EndedNotice {...outcome} />}
      <Loaded own={own}>
        {({ Items: all }) => {
          const others = all.filter(({ IsCurrent }) => !IsCurrent);
          return (
            <>
              {groupsOf(all).map(({ tag, sessions }) => (
                <div key={tag} class={styles['group']}>
                  {tag !== undefined && (
                    <h3 class={styles['tag']}>{tag === '' ? text('sessions.otherTag') : tag}</h3>
                  )}
                  <Items>
                    {sessions.map((session) => (
                      <SessionItem
                        key={session.Id}
                        session={session}
                        busy={isBusy}
                        onEnd={() => end([session])}
                      />
                    ))}
                  </Items>
                </div>
              ))}
              {others.length > 1 && (
                <div>
                  <Button kind="danger" waits={isBusy} onClick={() => end(others)}>
                    {text('sessions.endOthers')}
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

/** The sessions by tag, in the order of the list; in one group without a tag if they all have the same one. */
function groupsOf(sessions: readonly OwnSession[]): { tag?: string; sessions: readonly OwnSession[] }[] {
  const tags = [...new Set(sessions.map(({ Tag }) => Tag ?? ''))];
  if (tags.length < 2) return [{ sessions }];
  return tags.map((tag) => ({ tag, sessions: sessions.filter(({ Tag }) => (Tag ?? '') === tag) }));
}
