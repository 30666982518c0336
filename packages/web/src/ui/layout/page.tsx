import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useText } from '../locale/locale.ts';
import { Footer } from './footer.tsx';
import { Logo } from './logo.tsx';
import { usePageData } from '../api/page-data.ts';
import styles from './page.module.css';

interface PageProps {
  /** The purpose of the page. */
  title: string;
  /** The purpose in one sentence. */
  lead?: ComponentChildren;
  /** `card` asks one question; `wide` has sections. */
  layout?: 'card' | 'wide';
  /** Stands at the end of the header: who is signed in. */
  aside?: ComponentChildren;
  /** The links to pages of the same kind, below the header. */
  menu?: ComponentChildren;
  children: ComponentChildren;
}

/** The layout of a page. When the title changes, it receives the focus, so that screen readers announce it. */
export function Page({ title, lead, layout = 'card', aside, menu, children }: PageProps) {
  const text = useText();
  const { Name } = usePageData();
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    document.title = text('page.title', { title });
    if (document.documentElement.dataset['shown'] !== undefined && shown.current !== title)
      heading.current?.focus();
    document.documentElement.dataset['shown'] = '';
    shown.current = title;
  }, [title]);
  return (
    <div class={[styles['page'], styles[layout]].join(' ')}>
      <header class={styles['header']}>
        <a class={styles['home']} href="/">
          <Logo />
          <span class={styles['name']}>{Name}</span>
        </a>
        {aside}
      </header>
      {menu}
      <main class={styles['main']}>
        <h1 class={styles['title']} ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p class={styles['lead']}>{lead}</p>}
        <div class={styles['content']}>{children}</div>
      </main>
      <Footer />
    </div>
  );
}
