import { Button } from '../../../ui/form/button.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { Page } from '../../../ui/layout/page.tsx';
import { SecondaryActions } from '../../../ui/layout/secondary-actions.tsx';
import type { Step } from '../login-answer.ts';
import styles from './elsewhere-step.module.css';

interface ElsewhereStepProps {
  code: string;
  onStep: (step: Step) => void;
}

/** Shows the code of a link that was opened in another browser than the one that asked, to be typed there. */
export function ElsewhereStep({ code, onStep }: ElsewhereStepProps) {
  const text = useText();
  return (
    <Page title={text('login.elsewhere.title')} lead={text('login.elsewhere.lead')}>
      <p class={styles['code']}>{code}</p>
      <SecondaryActions>
        <Button kind="text" onClick={() => onStep({ kind: 'credentials' })}>
          {text('login.elsewhere.here')}
        </Button>
      </SecondaryActions>
    </Page>
  );
}
