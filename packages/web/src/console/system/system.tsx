import { useState } from 'preact/hooks';
import { saveFile } from '../../ui/browser.ts';
import { Button } from '../../ui/button.tsx';
import { pageData, type Values } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { type Answer, useConsole, useQuery } from '../api/call-api.ts';
import { type TextKey, words, wordsFor } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import { Card, FactList, FactsCard, Loaded, ScreenPage } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';
import { ageOf } from '../ui/typed.ts';
import { ago, badge, Badge, Copy, type Fact, Time } from '../ui/values.tsx';

export function SystemScreen() {
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
        {(system) => <Parts system={system} receivedAt={receivedAt} />}
      </Loaded>
    </ScreenPage>
  );
}

interface Received {
  system: System;
  receivedAt: number;
}

function Parts({ system, receivedAt }: Received) {
  return (
    <>
      <Findings system={system} receivedAt={receivedAt} />
      <FactsCard title="system.installation" facts={INSTALLATION} row={{ system, receivedAt }} />
      <Card title={words('system.servers')}>
        <DataTable
          caption={words('system.servers.each')}
          rows={system.Dependencies}
          keyOf={({ Name }) => Name}
          columns={SERVERS}
        />
        <FactList facts={SERVER_FACTS} row={system} />
      </Card>
      <Waiting system={system} />
      <Card title={words('system.keys')}>
        <DataTable
          caption={words('system.keys.each')}
          rows={system.SigningKeys}
          keyOf={({ Kid }) => Kid}
          columns={KEYS}
        />
      </Card>
      <Card title={words('system.settings')}>
        <p class="quiet">{words('system.settings.lead')}</p>
        <DataTable
          caption={words('system.settings.each')}
          rows={system.Settings}
          keyOf={({ Name }) => Name}
          columns={SETTINGS}
        />
      </Card>
    </>
  );
}

function Findings({ system, receivedAt }: Received) {
  const findings = findingsOf(system, receivedAt);
  if (findings.length === 0) return <Notice meaning="success">{words('system.fine')}</Notice>;
  return (
    <Notice meaning="warning">
      <ul>
        {findings.map(([key, values]) => (
          <li key={`${key} ${values?.['name'] ?? ''}`}>{words(key, values)}</li>
        ))}
      </ul>
    </Notice>
  );
}

const INSTALLATION: readonly Fact<Received>[] = [
  ['system.version', ({ system }) => system.Version],
  ['system.node', ({ system }) => system.NodeVersion],
  ['system.migration', ({ system }) => <code>{system.Migrations.Applied.at(-1) ?? '–'}</code>],
  ['system.missing', ({ system }) => system.Migrations.Missing.join(', ') || words('system.none')],
  ['system.time', ({ system }) => <Time at={system.Time} exact />],
  [
    'system.clock',
    ({ system, receivedAt }) => {
      const seconds = clockDifference(system, receivedAt);
      const clock = Math.abs(seconds) <= CLOCK_SECONDS_MAX ? 'same' : seconds > 0 ? 'ahead' : 'behind';
      return words(`system.clock.${clock}`, { count: Math.abs(seconds) });
    },
  ],
];

/** What Redis has lost, and the mail server's state as last reported by the mail worker. */
const SERVER_FACTS: readonly Fact<System>[] = [
  ['system.evicted', ({ RedisMemory: memory }) => memory?.EvictedKeys ?? words('system.unknown')],
  ['system.policy', ({ RedisMemory: memory }) => memory?.Policies.join(', ') ?? words('system.unknown')],
  ago('system.lastMail', 'LastMailSentAt'),
  ['system.mailError', ({ LastMailError }) => LastMailError ?? words('system.none')],
];

const SERVERS: readonly Fact<System['Dependencies'][number]>[] = [
  ['system.server', ({ Name }) => wordsFor('system.server', Name)],
  badge('fact.state', 'IsReachable', ['success', 'system.reachable'], ['danger', 'system.away']),
  ['system.version', ({ Version }) => Version],
];

const KEYS: readonly Fact<System['SigningKeys'][number]>[] = [
  ['system.kid', ({ Kid }) => <Copy value={Kid} label="kid" />],
  badge('system.use', 'Signs', ['success', 'system.signs'], ['neutral', 'system.verifies']),
  ago('fact.created', 'CreatedAt'),
  ago('system.signsFrom', 'SignsFrom'),
];

const SETTINGS: readonly Fact<System['Settings'][number]>[] = [
  ['system.setting', ({ Name }) => <code>{Name}</code>],
  [
    'system.value',
    ({ Value: value }) => {
      if (value === null) return <span class="quiet">–</span>;
      if (value === 'set') return <Badge meaning="information">{words('system.set')}</Badge>;
      return <code>{String(value)}</code>;
    },
  ],
];

const BACKLOGS: readonly Fact<System>[] = [
  ['system.outbox', ({ Outbox }) => <Backlog of={Outbox} />],
  ['system.mails', ({ Mails }) => <Backlog of={Mails} />],
];

function Backlog({ of: { Waiting: count, OldestSeconds } }: { of: System['Outbox'] }) {
  if (count === 0) return <>{words('system.nothing')}</>;
  return <>{words('system.backlog', { count, age: ageOf(OldestSeconds, pageData.Locale) })}</>;
}

function Waiting({ system }: { system: System }) {
  return (
    <Card title={words('system.waiting')}>
      <FactList facts={BACKLOGS} row={system} />
      {system.Queues === null ? (
        <p class="quiet">{words('system.queues.unknown')}</p>
      ) : (
        <DataTable
          caption={words('system.queues')}
          rows={system.Queues}
          keyOf={({ Name }) => Name}
          columns={[
            ['system.queue', ({ Name }) => <code>{Name}</code>],
            ['system.messages', ({ Messages }) => Messages, 'end'],
            ['system.consumers', ({ Consumers }) => Consumers, 'end'],
          ]}
        />
      )}
    </Card>
  );
}

type System = Answer<'GET /admin/system'>;

/** How many seconds the server's clock was ahead of the browser's when the answer arrived. */
function clockDifference({ Time: at }: System, receivedAt: number): number {
  return Math.round((Date.parse(at) - receivedAt) / 1000);
}

/** Smaller differences are normal: creating and transferring the answer takes time. */
const CLOCK_SECONDS_MAX = 5;

type Finding = readonly [key: TextKey, values?: Values];

function findingsOf(system: System, receivedAt: number): Finding[] {
  const { Dependencies, Migrations, RedisMemory, Queues, LastMailError } = system;
  const seconds = Math.abs(clockDifference(system, receivedAt));
  const found: (Finding | false)[] = [
    ...Dependencies.map(
      ({ IsReachable, Name }): Finding | false => !IsReachable && ['system.finding.away', { name: Name }],
    ),
    Migrations.Missing.length > 0 && ['system.finding.migrations', { count: Migrations.Missing.length }],
    RedisMemory !== null &&
      RedisMemory.EvictedKeys > 0 && ['system.finding.evicted', { count: RedisMemory.EvictedKeys }],
    RedisMemory !== null &&
      RedisMemory.Policies.some((policy) => policy !== 'noeviction') && ['system.finding.policy'],
    ...(Queues ?? []).map(({ Name, Messages, Consumers }): Finding | false => {
      const values = { name: Name, count: Messages };
      if (Name.endsWith('.dead')) return Messages > 0 && ['system.finding.dead', values];
      return !Name.includes('.retry.') && Consumers === 0 && ['system.finding.noConsumer', values];
    }),
    LastMailError !== null && ['system.finding.mail', { error: LastMailError }],
    seconds > CLOCK_SECONDS_MAX && ['system.finding.clock', { count: seconds }],
  ];
  return found.filter((one) => one !== false);
}

/** A text to attach to a bug report. It contains no secrets, because the API returns none. */
function reportOf(system: System, receivedAt: number): string {
  const { Version, NodeVersion, Migrations, Dependencies, Queues, RedisMemory, Outbox, Mails } = system;
  const lines = [
    `Gatehouse ${Version}, Node ${NodeVersion}`,
    `Time ${system.Time}, browser ${clockDifference(system, receivedAt)} s behind`,
    `Browser ${navigator.userAgent}`,
    `Migrations ${Migrations.Applied.at(-1) ?? 'none'}, missing: ${Migrations.Missing.join(', ') || 'none'}`,
    ...Dependencies.map(
      ({ Name, IsReachable, Version: version }) =>
        `${Name} ${version ?? ''} ${IsReachable ? 'reachable' : 'NOT REACHABLE'}`,
    ),
    `Outbox ${Outbox.Waiting} waiting, oldest ${Outbox.OldestSeconds} s`,
    `Mails ${Mails.Waiting} waiting, oldest ${Mails.OldestSeconds} s`,
    ...(Queues ?? []).map(
      ({ Name, Messages, Consumers }) => `Queue ${Name}: ${Messages} messages, ${Consumers} consumers`,
    ),
    `Redis evicted ${RedisMemory?.EvictedKeys ?? '?'}, policy ${RedisMemory?.Policies.join(', ') ?? '?'}`,
    '',
    ...system.Settings.flatMap(({ Name, Value }) => (Value === null ? [] : [`${Name}=${Value}`])),
  ];
  return `${lines.join('\n')}\n`;
}
