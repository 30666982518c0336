import { useLocation } from 'preact-iso';
import styles from './tabs.module.css';

interface TabsProps {
  label: string;
  tabs: readonly { href: string; words: string }[];
}

/** The parts of a screen, each with its own address. */
export function Tabs({ label, tabs }: TabsProps) {
  const { path } = useLocation();
  return (
    <nav class={styles['tabs']} aria-label={label}>
      {tabs.map(({ href, words }) => (
        <a key={href} href={href} class={styles['tab']} aria-current={path === href ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </nav>
  );
}
