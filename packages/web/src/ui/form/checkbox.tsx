import type { ComponentChildren } from 'preact';
import styles from './checkbox.module.css';

interface CheckboxProps {
  name: string;
  children: ComponentChildren;
  onChange?: (isChecked: boolean) => void;
}

/** A checkbox. Its label is clickable, too. */
export function Checkbox({ name, children, onChange }: CheckboxProps) {
  return (
    <label class={styles['label']}>
      <input
        class={styles['box']}
        type="checkbox"
        name={name}
        value="on"
        {...(onChange && { onChange: (event) => onChange(event.currentTarget.checked) })}
      />
      <span>{children}</span>
    </label>
  );
}
