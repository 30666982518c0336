import { SCREENS } from '../screens.ts';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import styles from './keys-help.module.css';

/** The help with all keys. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const rows: [string, string][] = [
    ['/', words('keys.search')],
    ['?', words('keys.help')],
    ...SCREENS.flatMap(({ nav }): [string, string][] => (nav ? [[`g ${nav.key}`, words(nav.label)]] : [])),
  ];
  return (
    <Dialog title={words('shell.keys')} onClose={onClose}>
      <dl class={styles['keys']}>
        {rows.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
