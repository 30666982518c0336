import { type ComponentChildren, toChildArray } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button, ButtonLink, type ButtonProps } from './button.tsx';
import { type IconLike, iconOf } from './icon.tsx';
import itemsStyles from './items.module.css';
import { text } from './locale.ts';
import { breakable, type PageProps } from './page.tsx';
import styles from './row.module.css';
import sectionStyles from './section.module.css';

export function Section({ title, lead, children }: Pick<PageProps, 'title' | 'lead' | 'children'>) {
  const id = useId();
  return (
    <section class={sectionStyles['section']} aria-labelledby={id}>
      <div>
        <h2 class={sectionStyles['title']} id={id}>
          {title}
        </h2>
        {lead !== undefined && <p class={sectionStyles['lead']}>{lead}</p>}
      </div>
      <div class={sectionStyles['content']}>{children}</div>
    </section>
  );
}

export function Rows({ children }: { children: ComponentChildren }) {
  return <div class={styles['rows']}>{children}</div>;
}

export interface RowProps {
  icon: IconLike;
  title: string;
  state: ComponentChildren;
  /** Whether the state is a sentence. */
  isLong?: boolean;
  /** The button of the row, which usually opens it; a link if it has an address. */
  action?: RowAction | undefined;
  /** Closes the row. Without it, an open row must be finished. */
  onCancel?: (() => void) | undefined;
  /** Whether the open row is a list, in which nothing is unfinished. */
  isList?: boolean | undefined;
  /** What the last action has led to. It is shown whether or not the row is open. */
  notice?: ComponentChildren;
  lead?: ComponentChildren;
  /** The form of the open row; nothing if it is closed. */
  children?: ComponentChildren;
}

type RowAction =
  { words: string; kind?: 'quiet' | 'danger'; onPress: () => unknown } | { words: string; href: string };

/** A subject with its state and one quiet button, which opens the form below. An open row takes and returns the focus. */
export function Row(props: RowProps) {
  const { icon, title, state, isLong, action, onCancel, isList, notice, lead, children } = props;
  const id = useId();
  const isOpen = toChildArray(children).length > 0;
  const row = useFocus(isOpen);
  const close = onCancel && { words: text(isList ? 'row.close' : 'form.cancel'), onPress: onCancel };
  const shown = isOpen ? close : action;
  return (
    <section class={styles['row']} aria-labelledby={id} ref={row}>
      <div class={[styles['head'], isLong && styles['long']].filter(Boolean).join(' ')}>
        <span class={styles['icon']}>{iconOf(icon)}</span>
        <div class={styles['words']}>
          <h2 class={styles['title']} id={id}>
            {title}
          </h2>
          <div class={styles['state']}>{typeof state === 'string' ? breakable(state) : state}</div>
        </div>
        {shown && <RowButton titleId={id} action={shown} />}
      </div>
      {notice && <div class={styles['body']}>{notice}</div>}
      {isOpen && (
        <div class={styles['body']} data-body>
          {lead && <p class={styles['lead']}>{lead}</p>}
          {children}
        </div>
      )}
    </section>
  );
}

/** The button is named by its words and the subject, because several rows have a button with the same words. */
function RowButton({ titleId, action }: { titleId: string; action: RowAction }) {
  const id = useId();
  const named = { id, 'aria-labelledby': `${id} ${titleId}` };
  return 'href' in action ? (
    <ButtonLink {...named} href={action.href}>
      {action.words}
    </ButtonLink>
  ) : (
    <Button {...named} kind={action.kind} onClick={action.onPress}>
      {action.words}
    </Button>
  );
}

/** Moves the focus into a row that opens, and back to its button when it closes, unless it is elsewhere by then. */
function useFocus(isOpen: boolean) {
  const row = useRef<HTMLElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    const focused = document.activeElement;
    const body = row.current?.querySelector('[data-body]') ?? null;
    const isKept = isOpen ? body?.contains(focused) === true : focused !== null && focused !== document.body;
    const target = isOpen
      ? body?.querySelector<HTMLElement>(TAKES_FOCUS)
      : row.current?.querySelector('button');
    if (!isKept) target?.focus();
  }, [isOpen]);
  return row;
}

const TAKES_FOCUS = 'input:not([hidden]), select, button, a[href]';

export function Items({ children }: { children: ComponentChildren }) {
  return <ul class={itemsStyles['list']}>{children}</ul>;
}

interface ItemProps {
  icon?: IconLike;
  title: ComponentChildren;
  facts: readonly ComponentChildren[];
  isBad?: boolean;
  actions?: readonly ItemAction[];
}

interface ItemAction extends Pick<ButtonProps, 'kind' | 'busy' | 'waits'> {
  words: string;
  onPress: () => unknown;
}

export function Item({ icon, title, facts, isBad, actions = [] }: ItemProps) {
  const id = useId();
  return (
    <li class={[itemsStyles['item'], isBad && itemsStyles['bad']].filter(Boolean).join(' ')}>
      {icon && <span class={itemsStyles['icon']}>{iconOf(icon)}</span>}
      <div class={itemsStyles['facts']}>
        <p class={itemsStyles['title']} id={id}>
          {title}
        </p>
        {facts.map((fact) => fact && <div class={itemsStyles['quiet']}>{fact}</div>)}
      </div>
      {actions.length > 0 && (
        <div class={itemsStyles['actions']}>
          {actions.map(({ words, onPress, ...button }) => (
            <Button key={words} {...button} aria-describedby={id} onClick={onPress}>
              {words}
            </Button>
          ))}
        </div>
      )}
    </li>
  );
}

export function OpenItem({ children }: { children: ComponentChildren }) {
  return (
    <li class={itemsStyles['item']}>
      <div class={itemsStyles['facts']}>{children}</div>
    </li>
  );
}

/** A word about an item beside its name, for example that it is the present one. */
export function Mark({ children }: { children: ComponentChildren }) {
  return <span class={itemsStyles['mark']}>{children}</span>;
}
