import { useState } from 'preact/hooks';
import type { Problem } from '../ui/api.ts';
import { Button } from '../ui/button.tsx';
import { deviceName } from '../ui/device-name.ts';
import { text } from '../ui/locale.ts';
import { Fault } from '../ui/notice.tsx';
import { Page, SecondaryActions } from '../ui/page.tsx';
import type { SessionExists } from './session-exists.ts';
import { agoIn } from '../ui/time.tsx';

interface SessionExistsPageProps {
  exists: SessionExists;
  /** Ends that session and signs in. Returns the error if that fails. */
  onTakeOver: () => Promise<Problem | undefined>;
  onAgain: () => void;
}

/** Asks whether to end another session, where an account may only have a few. */
export function SessionExistsPage({ exists, onTakeOver, onAgain }: SessionExistsPageProps) {
  const [problem, setProblem] = useState<Problem>();
  const { active } = exists;
  const [first] = active;
  const facts = {
    device: (first && deviceName(first)) ?? text('sessionExists.unknown'),
    time: agoIn(first?.LastSeenAt) || text('sessionExists.now'),
    count: String(active.length),
  };
  return (
    <Page
      title={text('sessionExists.title')}
      lead={text(active.length > 1 ? 'sessionExists.several' : 'sessionExists.lead', facts)}
    >
      <Fault problem={problem} explanations={EXPLANATIONS} />
      <Button
        kind="primary"
        wide
        busyWords={text('login.busy')}
        onClick={async () => setProblem(await onTakeOver())}
      >
        {text('sessionExists.submit')}
      </Button>
      <SecondaryActions>
        <Button kind="text" onClick={onAgain}>
          {text('login.again')}
        </Button>
      </SecondaryActions>
    </Page>
  );
}

const EXPLANATIONS = {
  authentication_failed: 'sessionExists.failed',
  invalid_code: 'sessionExists.failed',
} as const;
