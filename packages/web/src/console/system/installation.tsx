import { useWords } from '../text.ts';
import { Card, Facts } from '../ui/layout/screen-page.tsx';
import { Time } from '../ui/time.tsx';
import { CLOCK_SECONDS_MAX, clockDifference, type System } from './system.ts';

/** The version and migrations of the server, and how far its clock differs from the browser's. */
export function Installation({ system, receivedAt }: { system: System; receivedAt: number }) {
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
