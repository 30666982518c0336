import { useState } from 'preact/hooks';
import type { Problem } from './api.ts';
import { Button } from './button.tsx';
import { usePageData, useText } from './locale.ts';
import { Fault } from './notice.tsx';
import { Page, SecondaryActions } from './page.tsx';
import type { SessionExists } from './session-exists.ts';

interface SessionExistsPageProps {
  exists: SessionExists;
  /** The device of the session that would end. */
  device: string | undefined;
  /** Ends that session and signs in. Returns the error if that fails. */
  onTakeOver: () => Promise<Problem | undefined>;
  onAgain: () => void;
}

/** Asks whether to end another session, where an account may only have a few. */
export function SessionExistsPage({ exists, device, onTakeOver, onAgain }: SessionExistsPageProps) {
  const text = useText();
  const { Locale } = usePageData();
  const [problem, setProblem] = useState<Problem>();
  const { active } = exists;
  const takeOver = async (): Promise<void> => {
    setProblem(await onTakeOver());
  };
  const facts = {
    device: device ?? text('sessionExists.unknown'),
    time: agoIn(Locale, active[0]?.LastSeenAt, Date.now()) || text('sessionExists.now'),
    count: String(active.length),
  };
  return (
    <Page
      title={text('sessionExists.title')}
      lead={text(active.length > 1 ? 'sessionExists.several' : 'sessionExists.lead', facts)}
    >
      <Fault problem={problem} explanations={EXPLANATIONS} />
      <Button kind="primary" wide busyWords={text('login.busy')} onClick={takeOver}>
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

/** How long ago that was, in words: `2 minutes ago`. Empty if it is no time, or less than a minute. */
function agoIn(locale: string, at: string | undefined, now: number): string {
  const seconds = (now - Date.parse(at ?? '')) / 1000;
  const words = new Intl.RelativeTimeFormat(locale);
  if (!(seconds >= 60)) return '';
  if (seconds < HOUR_SECONDS) return words.format(-Math.floor(seconds / 60), 'minute');
  if (seconds < DAY_SECONDS) return words.format(-Math.floor(seconds / HOUR_SECONDS), 'hour');
  return words.format(-Math.floor(seconds / DAY_SECONDS), 'day');
}

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

const EXPLANATIONS = {
  authentication_failed: 'sessionExists.failed',
  invalid_code: 'sessionExists.failed',
} as const;
