import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useCountdown } from '../../ui/form.tsx';
import { pageData } from '../../ui/locale.ts';
import type { QueryResult } from '../api/call-api.ts';
import { type TextKey, words } from '../text.ts';
import { Icon } from './icon.tsx';
import styles from './screen-page.module.css';
import stateStyles from './state.module.css';
import tabsStyles from './tabs.module.css';
import { Copy, type Fact } from './values.tsx';

interface ScreenPageProps {
  title: string;
  /** The state of the shown object, next to the title. */
  badge?: ComponentChildren;
  /** Shown to the right of the title. */
  actions?: ComponentChildren;
  /** A picture of the shown object, before the title, and a line about it below. */
  avatar?: ComponentChildren;
  lead?: ComponentChildren;
  /** Uses the full width, for tables; by default the width is limited, because long lines are hard to read. */
  wide?: boolean | undefined;
  children: ComponentChildren;
}

/** The layout of a screen. A new title takes the focus, so that screen readers announce it. */
export function ScreenPage(props: ScreenPageProps) {
  const { title, badge, actions, avatar, lead, wide = false, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${title} – ${pageData.Name}`;
    // The first title takes the focus only if no element has it; a changed title always does.
    if (!isFirst.current || document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [title]);
  return (
    <main class={[styles['screen'], wide && styles['wide']].filter(Boolean).join(' ')} id="screen">
      <header class={styles['head']}>
        {avatar}
        <div class={styles['about']}>
          <h1 class={styles['title']} ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {badge}
          {lead}
        </div>
        <div class={styles['actions']}>{actions}</div>
      </header>
      {children}
    </main>
  );
}

interface CardProps {
  title: string;
  action?: ComponentChildren;
  children: ComponentChildren;
}

export function Card({ title, action, children }: CardProps) {
  return (
    <section class={styles['card']} aria-label={title}>
      <header class={styles['cardHead']}>
        <h2>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  );
}

/** The properties of an object as names and values, in two columns if there is enough space. */
export function Facts({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class={styles['facts']}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

type Tab = readonly [href: string, words: string, isCurrent: boolean];

/** The parts of a screen, each with its own address. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class={tabsStyles['tabs']} aria-label={label}>
      {tabs.map(([href, said, isCurrent]) => (
        <a key={href} href={href} class={tabsStyles['tab']} aria-current={isCurrent ? 'page' : undefined}>
          {said}
        </a>
      ))}
    </nav>
  );
}

interface LoadedProps<T> {
  result: QueryResult<T>;
  lines?: number | undefined;
  shape?: 'lines' | 'table';
  children: (data: T) => ComponentChildren;
}

/** Shows an answer; before it arrives, a skeleton or the error. */
export function Loaded<T>({ result, lines = 6, shape = 'lines', children }: LoadedProps<T>) {
  const { data, problem, refetch } = result;
  if (data === undefined && problem === undefined) return <Skeleton lines={lines} shape={shape} />;
  return (
    <>
      {problem && <ProblemBox problem={problem} retry={() => void refetch()} />}
      {data !== undefined && children(data)}
    </>
  );
}

/** A placeholder for an answer. Invisible for the first 200 ms, because most answers arrive sooner. */
export function Skeleton({ lines, shape = 'lines' }: { lines: number; shape?: 'lines' | 'table' }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={stateStyles[isLate && shape === 'table' ? 'table' : 'skeleton']} role="status">
      {isLate && <span class="only-read">{words('state.loading')}</span>}
      {isLate &&
        Array.from({ length: lines }, (_, line) => (
          <div key={line} class={stateStyles[shape === 'table' ? 'row' : 'bone']}>
            {shape === 'table' && Array.from({ length: 3 }, (_part, at) => <span key={at} />)}
          </div>
        ))}
    </div>
  );
}

/** An error, with the trace id that support needs, and a button to try again. */
export function ProblemBox({ problem, retry }: { problem: Problem; retry?: () => void }) {
  const [left, start] = useCountdown();
  useEffect(() => start(problem.retryAfterSeconds ?? 0), [problem]);
  const { title, detail } = problem.body;
  return (
    <div class={stateStyles['problem']} role="alert">
      <Icon name="alert" size={20} />
      <div>
        <p class={stateStyles['title']}>{titleOf(problem, typeof title === 'string' ? title : undefined)}</p>
        {typeof detail === 'string' && problem.status < 500 && <p>{detail}</p>}
        {problem.traceId !== undefined && (
          <p>
            {words('state.trace')} <Copy value={problem.traceId} label={words('state.trace')} />
          </p>
        )}
      </div>
      {retry && (
        <Button waits={left > 0} onClick={retry}>
          {left > 0 ? words('state.again.in', { seconds: left }) : words('own.again')}
        </Button>
      )}
    </div>
  );
}

function titleOf(problem: Problem, title: string | undefined): string {
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
  return (
    <div class={stateStyles['empty']}>
      <p class={stateStyles['title']}>{next === undefined ? title : words('state.none.yet')}</p>
      {next === undefined && children}
    </div>
  );
}

/** A link that looks like a button: what else there is to look at. */
export function Way({ href, label }: { href: string; label: TextKey }) {
  return <ButtonLink href={href}>{words(label)}</ButtonLink>;
}

/** The link at the end of a screen to that of all of its kind, if there is a text `<texts>.all`. */
export function All({ texts }: { texts: string }) {
  const all = pageData.Messages[`${texts}.all`];
  if (all === undefined) return null;
  return (
    <p>
      <a href={`/console/${texts.replace('.', '/')}`}>{all}</a>
    </p>
  );
}

interface FactListProps<R> {
  facts: readonly (Fact<R> | false)[];
  row: R;
}

export function FactsCard<R>({ title, ...list }: FactListProps<R> & { title: TextKey }) {
  return (
    <Card title={words(title)}>
      <FactList {...list} />
    </Card>
  );
}

export function FactList<R>({ facts, row }: FactListProps<R>) {
  const shown = facts.filter((fact) => fact !== false);
  return <Facts rows={shown.map(([label, show]) => [words(label), show(row)])} />;
}
