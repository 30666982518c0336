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
  /** The number of lines of the skeleton. */
  lines?: number;
  children: (data: T) => ComponentChildren;
}

/** Shows an answer; before it arrives, a skeleton or the error. */
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

/** A placeholder for an answer. Invisible for the first 200 ms, because most answers arrive sooner. */
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

/** An error, with the trace id that support needs, and a button to try again. */
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
        <Button waits={left > 0} onClick={retry}>
          {left > 0 ? words('state.again.in', { seconds: left }) : words('state.again')}
        </Button>
      )}
    </div>
  );
}

function titleOf(problem: Problem, title: string | undefined, words: ReturnType<typeof useWords>): string {
  if (problem.code === 'offline') return words('own.offline');
  if (problem.status === 503) return words('own.unavailable');
  return title ?? words('problem.unexpected');
}

interface EmptyProps {
  title: string;
  /** The cursor at which the list continues, if only a part of it was searched. */
  next?: string | undefined;
  children?: ComponentChildren;
}

/** Shown instead of an empty list, with a possible first step. If only a part was searched, it says only that. */
export function Empty({ title, next, children }: EmptyProps) {
  const words = useWords();
  return (
    <div class={styles['empty']}>
      <p class={styles['title']}>{next === undefined ? title : words('state.none.yet')}</p>
      {next === undefined && children}
    </div>
  );
}
