import { useText } from '../locale/locale.ts';
import { usePageData } from '../api/page-data.ts';
import styles from './footer.module.css';
import { LanguageMenu } from '../locale/language-menu.tsx';

/** Links to support, privacy policy and terms, and the language menu. */
export function Footer() {
  const text = useText();
  const { SupportUrl, PrivacyUrl, TermsUrl } = usePageData();
  const links = [
    { href: SupportUrl, words: text('footer.support') },
    { href: PrivacyUrl, words: text('footer.privacy') },
    { href: TermsUrl, words: text('footer.terms') },
  ];
  return (
    <footer class={styles['footer']}>
      {links.map(({ href, words }) => href && <a href={href}>{words}</a>)}
      <LanguageMenu />
    </footer>
  );
}
