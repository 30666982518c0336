import type { ComponentChildren } from 'preact';
import styles from './checkbox.module.css';

interface CheckboxProps {
  name: string;
  children: ComponentChildren;
  /** Whether it is ticked at first. */
  checked?: boolean;
  onChange?: (isChecked: boolean) => void;
}

/** A checkbox. Its label is clickable, too. */
export function Checkbox({ name, children, checked = false, onChange }: CheckboxProps) {
  return (
    <label class={styles['label']}>
      <input
        class={styles['box']}
        type="checkbox"
        name={name}
        value="on"
        defaultChecked={checked}
        {...(onChange && { onChange: (event) => onChange(event.currentTarget.checked) })}
      />
      <span>{children}</span>
    </label>
  );
}
