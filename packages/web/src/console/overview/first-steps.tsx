import { useWords } from '../text.ts';
import { Card } from '../ui/layout/screen-page.tsx';

const STEPS = [
  ['accounts', '/console/accounts'],
  ['import', '/console/import'],
  ['mail', '/console/mails'],
  ['token', '/console/tokens'],
  ['signOn', '/console/sign-on'],
] as const;

/** What to do in an installation that has only administrators. */
export function FirstSteps() {
  const words = useWords();
  return (
    <Card title={words('overview.first')}>
      <ol>
        {STEPS.map(([name, href]) => (
          <li key={name}>
            <a href={href}>{words(`overview.first.${name}`)}</a>
          </li>
        ))}
      </ol>
    </Card>
  );
}
