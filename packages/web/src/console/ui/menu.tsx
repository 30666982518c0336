import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';
import styles from './menu.module.css';

interface MenuProps {
  label: string;
  icon?: IconName;
  labelled?: boolean;
  /** The side of the button at which the menu is; the end by default. */
  align?: 'start' | 'end';
  children: ComponentChildren;
}

/** Between the button and the menu, and the menu and the edge of the window, in pixels. */
const GAP = 4;
/** With less space below the button, the menu opens above it if there is more. */
const ENOUGH_BELOW = 300;

/** As wide as a menu that begins at its button may become. */
const WIDTH_MAX = 280;

/** A button that opens a menu with less frequent actions. Escape or a click elsewhere closes the menu. */
export function Menu({ label, icon = 'more', labelled = false, align = 'end', children }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const place = (): void => {
    const from = button.current?.getBoundingClientRect();
    if (!from || !list.current) return;
    const { style } = list.current;
    const [above, below] = [from.top, window.innerHeight - from.bottom];
    const isAbove = below < ENOUGH_BELOW && above > below;
    style.setProperty('top', isAbove ? 'auto' : `${from.bottom + GAP}px`);
    style.setProperty('bottom', isAbove ? `${window.innerHeight - from.top + GAP}px` : 'auto');
    style.setProperty('max-height', `${(isAbove ? above : below) - 2 * GAP}px`);
    const { clientWidth } = document.documentElement;
    if (align === 'end') style.setProperty('right', `${Math.max(8, clientWidth - from.right)}px`);
    else style.setProperty('left', `${Math.max(8, Math.min(from.left, clientWidth - WIDTH_MAX))}px`);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={styles['button']}
        popovertarget={id}
        aria-label={labelled ? undefined : label}
        onClick={place}
      >
        <Icon name={icon} />
        {labelled && <span>{label}</span>}
        {labelled && align === 'end' && <Icon name="down" />}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        class={styles['list']}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}

interface MenuItemProps {
  danger?: boolean;
  /** Whether the choice is the current one; absent if the item is not a choice. */
  pressed?: boolean;
  onClick: () => void;
  children: ComponentChildren;
}

export function MenuItem({ danger = false, pressed, onClick, children }: MenuItemProps) {
  return (
    <button
      type="button"
      class={[styles['item'], danger && styles['danger']].filter(Boolean).join(' ')}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {children}
      {pressed && <Icon name="check" />}
    </button>
  );
}

export function MenuLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a class={styles['item']} href={href}>
      {children}
    </a>
  );
}
