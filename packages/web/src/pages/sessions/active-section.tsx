import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { problemText } from '../../ui/api/problem-text.ts';
import { Section } from '../../ui/layout/section.tsx';
import { Loaded } from '../account/loaded.tsx';
import { useOwn, useSignedOut } from '../account/own-account.ts';
import { SessionItem, type OwnSession } from './session-item.tsx';
import styles from './sessions.module.css';

/** How many sessions were ended, and the error if some could not be ended. */
interface Outcome {
  count: number;
  problem?: Problem;
}

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
    let count = 0;
    for (const { Id } of sessions) {
      const result = await call('DELETE', `/account/session/${Id}`);
      // A session that has ended in the meantime counts as ended.
      if (result.ok || result.problem.status === 404) count += 1;
      else {
        if (!leave(result.problem)) setOutcome({ count, problem: result.problem });
        return setBusy(false);
      }
    }
    setOutcome({ count });
    await own.reload();
    setBusy(false);
  };
  return (
    <Section title={text('sessions.active.title')} lead={text('sessions.active.lead')}>
      {outcome && <EndedNotice {...outcome} />}
      <Loaded own={own}>
        {({ Items }) => {
          const others = Items.filter(({ IsCurrent }) => !IsCurrent);
          return (
            <>
              <ul class={styles['list']}>
                {Items.map((session) => (
                  <SessionItem
                    key={session.Id}
                    session={session}
                    busy={isBusy}
                    onEnd={() => void end([session])}
                  />
                ))}
              </ul>
              {others.length > 1 && (
                <div>
                  <Button kind="danger" busy={isBusy} onClick={() => void end(others)}>
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

function EndedNotice({ count, problem }: Outcome) {
  const text = useText();
  return (
    <Notice meaning={problem ? 'danger' : 'success'}>
      <p>{problem ? problemText(problem, text) : text('sessions.ended.count', { count })}</p>
    </Notice>
  );
}
