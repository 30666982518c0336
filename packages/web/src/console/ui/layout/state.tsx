import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../../ui/api/api.ts';
import { Button } from '../../../ui/form/button.tsx';
import { useCountdown } from '../../../ui/countdown.ts';
import type { QueryResult } from '../../api/use-query.ts';
import { useWords } from '../../text.ts';
import { Copy } from '../copy.tsx';
import { Icon } from '../icon.tsx';
import styles from './state.module.css';

interface LoadedProps<T> {
  result: QueryResult<T>;
  /** How many lines of what is to come. */
  lines?: number;
  children: (data: T) => ComponentChildren;
}

/** Shows an answer once it has arrived: a skeleton before that, or the error. */
export function Loaded<T>({ result, lines = 6, children }: LoadedProps<T>) {
  const { data, problem, refetch } = result;
  if (data !== undefined) {
    return (
      <>
        {problem && <ProblemBox problem={problem} retry={refetch} />}
        {children(data)}
      </>
    );
  }
  return problem === undefined ? (
    <Skeleton lines={lines} />
  ) : (
    <ProblemBox problem={problem} retry={refetch} />
  );
}

/** The place of what is on its way; nothing at first, as most comes at once. */
export function Skeleton({ lines }: { lines: number }) {
  const words = useWords();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={styles['skeleton']} role="status">
      {isLate && <span class="only-read">{words('state.loading')}</span>}
      {isLate && Array.from({ length: lines }, (_, line) => <div key={line} class={styles['bone']} />)}
    </div>
  );
}

/** An error, with what support needs to find it, and a button to try again. */
export function ProblemBox({ problem, retry }: { problem: Problem; retry?: () => void }) {
  const words = useWords();
  const [left, start] = useCountdown();
  useEffect(() => start(problem.retryAfterSeconds ?? 0), [problem]);
  const { title, detail } = problem.body;
  return (
    <div class={styles['problem']} role="alert">
      <Icon name="alert" size={20} />
      <div>
        <p class={styles['title']}>
          {titleOf(problem, typeof title === 'string' ? title : undefined, words)}
        </p>
        {typeof detail === 'string' && problem.status < 500 && <p>{detail}</p>}
        {problem.traceId !== undefined && (
          <p>
            {words('state.trace')} <Copy value={problem.traceId} label={words('state.trace')} />
          </p>
        )}
      </div>
      {retry && (
        <Button busy={left > 0} onClick={retry}>
          {left > 0 ? words('state.again.in', { seconds: left }) : words('state.again')}
        </Button>
      )}
    </div>
  );
}

function titleOf(problem: Problem, title: string | undefined, words: ReturnType<typeof useWords>): string {
  if (problem.code === 'offline') return words('problem.offline');
  if (problem.status === 503) return words('problem.unavailable');
  return title ?? words('problem.unexpected');
}

interface EmptyProps {
  title: string;
  /** Where the list goes on behind what was looked through, if not at its end. */
  next?: string | undefined;
  children?: ComponentChildren;
}

/** What would stand here, and the first step to it; where only a part was looked through, that and no more. */
export function Empty({ title, next, children }: EmptyProps) {
  const words = useWords();
  return (
    <div class={styles['empty']}>
      <p class={styles['title']}>{next === undefined ? title : words('state.none.yet')}</p>
      {next === undefined && children}
    </div>
  );
}
