import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { keepLanguage, pageData, text } from './locale.ts';
import styles from './page.module.css';
import stepStyles from './step.module.css';

export interface PageProps {
  title: string;
  lead?: ComponentChildren;
  /** Stands at the end of the header: who is signed in. */
  aside?: ComponentChildren;
  /** The links to pages of the same kind, below the header: these pages are wide, any other asks one question. */
  menu?: ComponentChildren;
  children?: ComponentChildren;
  /** The less common actions, at the end: links, and buttons that look like links. */
  ways?: ComponentChildren;
}

/**
 * The layout of a page. When it opens or its title changes, the field that is to be filled in first receives the focus, or
 * else the title, so that screen readers announce it. A page that the browser has just loaded is announced anyway, and
 * somebody may be in one of its fields by now.
 */
export function Page({ title, lead, aside, menu, children, ways }: PageProps) {
  const { Name } = pageData;
  const heading = useRef<HTMLHeadingElement>(null);
  const main = useRef<HTMLElement>(null);
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    document.title = text('page.title', { title, Name });
    const first = main.current?.querySelector<HTMLElement>('[autofocus]');
    const isNext = document.documentElement.dataset['shown'] !== undefined;
    const isFree = isNext || (first && document.activeElement === document.body);
    if (shown.current !== title && isFree) (first ?? heading.current)?.focus();
    document.documentElement.dataset['shown'] = '';
    shown.current = title;
  }, [title]);
  return (
    <div class={[styles['page'], menu === undefined ? styles['card'] : styles['wide']].join(' ')}>
      <header class={styles['header']}>
        <a class={styles['home']} href="/">
          <Logo />
          <span class={styles['name']}>{Name}</span>
        </a>
        {aside}
      </header>
      {menu}
      <main class={styles['main']} ref={main}>
        <h1 class={styles['title']} ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && (
          <p class={styles['lead']}>{typeof lead === 'string' ? breakable(lead) : lead}</p>
        )}
        <div class={styles['content']}>
          {children}
          {ways && <SecondaryActions>{ways}</SecondaryActions>}
        </div>
      </main>
      <Footer />
    </div>
  );
}

/** A text whose email addresses break before the @ and dots, where there is no room for them. */
export function breakable(words: string): ComponentChildren {
  return words
    .split(/(\s)/)
    .flatMap((word) =>
      word.includes('@') ? word.split(/(?=[@.])/).flatMap((part) => [<wbr key={part} />, part]) : [word],
    );
}

function Footer() {
  const { SupportUrl, PrivacyUrl, TermsUrl } = pageData;
  return (
    <footer class={styles['footer']}>
      {SupportUrl && <a href={SupportUrl}>{text('footer.support')}</a>}
      {PrivacyUrl && <a href={PrivacyUrl}>{text('footer.privacy')}</a>}
      {TermsUrl && <a href={TermsUrl}>{text('footer.terms')}</a>}
      <LanguageMenu />
    </footer>
  );
}

/** Values that were typed are lost, as on any page change. */
function LanguageMenu() {
  const { Locale, Locales } = pageData;
  const { url } = useLocation();
  if (Locales.length < 2) return null;
  return (
    <nav class={styles['languages']} aria-label={text('footer.language')}>
      {Locales.map((locale) =>
        locale === Locale ? (
          <span key={locale} class={styles['language']} lang={locale} aria-current="true">
            {nameOfLanguage(locale)}
          </span>
        ) : (
          <a
            key={locale}
            class={styles['language']}
            href={inLanguage(url, locale)}
            lang={locale}
            hreflang={locale}
            target="_top"
            onClick={() => keepLanguage(locale)}
          >
            {nameOfLanguage(locale)}
          </a>
        ),
      )}
    </nav>
  );
}

/** The same page in another language. The rest of its query stays as it is, for example the request of an app. */
function inLanguage(url: string, locale: string): string {
  const query = new URLSearchParams(url.split('?')[1]);
  query.set('locale', locale);
  return `?${query.toString()}`;
}

/** The name of a language in that language. */
export function nameOfLanguage(locale: string): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

/** A gate's arch with its door ajar, in a 24 by 24 viewBox. Mails show it as PNG (packages/mails/src/logo). */
export const ARCH = 'M4 22V10a8 8 0 0 1 16 0v12h-3V10a5 5 0 0 0-10 0v12zm5.5-1.5v-10a2.5 2.5 0 0 1 5 0v12z';

export function Logo() {
  const { Logo: light, LogoDark: dark = light } = pageData;
  return light === undefined ? (
    <svg class={styles['arch']} width="32" height="32" viewBox="0 0 24 24" aria-hidden="true">
      <path fill="currentColor" d={ARCH} />
    </svg>
  ) : (
    <picture class={styles['logo']}>
      <source srcset={dark} media="(prefers-color-scheme: dark)" />
      <img src={light} alt="" height={32} />
    </picture>
  );
}

/** One of several steps of a section. It receives the focus when it appears, so that screen readers announce it. */
export function Step({ title, lead, children }: Pick<PageProps, 'title' | 'lead' | 'children'>) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class={stepStyles['step']}>
      <h3 class={stepStyles['title']} ref={heading} tabIndex={-1}>
        {title}
      </h3>
      {lead !== undefined && <p>{lead}</p>}
      {children}
    </div>
  );
}

export function SecondaryActions({ children }: Pick<PageProps, 'children'>) {
  return <div class={styles['actions']}>{children}</div>;
}

/** Stands between two ways to do the same: “or”, unless it says more. */
export function Or({ children }: Pick<PageProps, 'children'>) {
  return <p class={styles['or']}>{children ?? text('ways.or')}</p>;
}
