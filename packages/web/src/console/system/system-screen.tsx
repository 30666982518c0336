import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { useConsole } from '../api/console-context.ts';
import { useQuery } from '../api/use-query.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useWords } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import { Card, Facts, ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { findingsOf } from './findings.ts';
import { reportOf } from './report.ts';
import { Servers } from './servers.tsx';
import { Settings } from './settings.tsx';
import { SigningKeys } from './signing-keys.tsx';
import { CLOCK_SECONDS_MAX, clockDifference, type System } from './system.ts';
import { Waiting } from './waiting.tsx';
import { Time } from '../ui/time.tsx';

/** The state of the installation, as Admin sees it. */
export function SystemScreen() {
  const words = useWords();
  const { toast } = useConsole();
  const result = useQuery('GET /admin/system');
  const [checkedAt, setCheckedAt] = useState(0);
  const { data, receivedAt, problem } = result;
  const isChecking = checkedAt > receivedAt && problem === undefined;
  const copy = (system: System): void => {
    const report = reportOf(system, receivedAt);
    // Browsers offer a clipboard only with HTTPS or on localhost.
    if (navigator.clipboard === undefined) return saveFile('gatehouse-report.txt', 'text/plain', report);
    void navigator.clipboard.writeText(report).then(() => toast(words('system.copied')));
  };
  return (
    <ScreenPage
      title={words('c.system.title')}
      actions={
        <>
          {data && (
            <Button icon={<Icon name="copy" />} onClick={() => copy(data)}>
              {words('system.copy')}
            </Button>
          )}
          <Button
            kind="primary"
            icon={<Icon name="refresh" />}
            busy={isChecking}
            onClick={() => {
              setCheckedAt(Date.now());
              result.refetch();
            }}
          >
            {words('system.again')}
          </Button>
        </>
      }
    >
      <Loaded result={result} lines={12}>
        {(system) => (
          <>
            <Findings system={system} receivedAt={receivedAt} />
            <Installation system={system} receivedAt={receivedAt} />
            <Servers system={system} />
            <Waiting system={system} />
            <SigningKeys keys={system.SigningKeys} />
            <Settings settings={system.Settings} />
          </>
        )}
      </Loaded>
    </ScreenPage>
  );
}

/** The problems that an operator should solve, or a notice that there are none. */
function Findings({ system, receivedAt }: { system: System; receivedAt: number }) {
  const words = useWords();
  const findings = findingsOf(system, receivedAt);
  if (findings.length === 0) return <Notice meaning="success">{words('system.fine')}</Notice>;
  return (
    <Notice meaning="warning">
      <ul>
        {findings.map(({ key, values }) => (
          <li key={`${key} ${values?.['name'] ?? ''}`}>{words(key, values)}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** The version and migrations of the server, and how far its clock differs from the browser's. */
function Installation({ system, receivedAt }: { system: System; receivedAt: number }) {
  const words = useWords();
  const { Version, NodeVersion, Time: at, Migrations } = system;
  const seconds = clockDifference(system, receivedAt);
  const clock = Math.abs(seconds) <= CLOCK_SECONDS_MAX ? 'same' : seconds > 0 ? 'ahead' : 'behind';
  return (
    <Card title={words('system.installation')}>
      <Facts
        rows={[
          [words('system.version'), Version],
          [words('system.node'), NodeVersion],
          [words('system.migration'), <code key="applied">{Migrations.Applied.at(-1) ?? '–'}</code>],
          [
            words('system.missing'),
            Migrations.Missing.length === 0 ? words('system.none') : Migrations.Missing.join(', '),
          ],
          [words('system.time'), <Time key="time" at={at} exact />],
          [words('system.clock'), words(`system.clock.${clock}`, { count: Math.abs(seconds) })],
        ]}
      />
    </Card>
  );
}
