import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { SCREEN_GROUPS } from '../screens.ts';
import { useWords } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './bar.module.css';

interface BarProps {
  /** Whether the bar is shown over the screen. Only narrow windows need this: wide ones always show the bar. */
  isOpen: boolean;
  onGone: () => void;
}

/** The navigation bar, on the left. */
export function Bar({ isOpen, onGone }: BarProps) {
  const words = useWords();
  const { path } = useLocation();
  useEffect(() => onGone(), [path]);
  return (
    <nav
      class={[styles['bar'], isOpen && styles['open']].filter(Boolean).join(' ')}
      aria-label={words('shell.bar')}
    >
      {SCREEN_GROUPS.map(({ title, screens }) => (
        <div
          key={title}
          class={styles['group']}
          {...(title && { role: 'group', 'aria-label': words(title) })}
        >
          {title && (
            <p class={styles['title']} aria-hidden="true">
              {words(title)}
            </p>
          )}
          {screens.map(({ path: below, nav }) => {
            if (nav === undefined) return null;
            const href = `/console${below === '/' ? '' : below}`;
            return (
              <a
                key={href}
                href={href}
                class={styles['item']}
                aria-current={isWithin(path, href) ? 'page' : undefined}
              >
                <Icon name={nav.icon} size={20} />
                <span>{words(nav.label)}</span>
              </a>
            );
          })}
        </div>
      ))}
    </nav>
  );
}

function isWithin(path: string, href: string): boolean {
  return path === href || (href !== '/console' && path.startsWith(`${href}/`));
}
