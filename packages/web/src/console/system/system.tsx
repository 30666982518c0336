import { useState } from 'preact/hooks';
import { saveFile } from '../../ui/browser.ts';
import { Button } from '../../ui/button.tsx';
import { pageData, type Values } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { type Answer, useConsole, useQuery } from '../api/call-api.ts';
import { FactList, FactsCard } from '../kit/act.tsx';
import { type TextKey, words, wordsFor } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import { Card, Loaded, ScreenPage } from '../ui/screen-page.tsx';
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
        {(system) => (
          <>
            <Findings system={system} receivedAt={receivedAt} />
            <FactsCard
              title={words('system.installation')}
              facts={INSTALLATION}
              row={{ system, receivedAt }}
            />
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

interface Received {
  system: System;
  receivedAt: number;
}

function Findings({ system, receivedAt }: Received) {
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

function Servers({ system }: { system: System }) {
  return (
    <Card title={words('system.servers')}>
      <DataTable
        caption={words('system.servers.each')}
        rows={system.Dependencies}
        keyOf={({ Name }) => Name}
        columns={[
          ['system.server', ({ Name }) => wordsFor('system.server', Name)],
          badge('system.state', 'IsReachable', ['success', 'system.reachable'], ['danger', 'system.away']),
          ['system.version', ({ Version }) => Version],
        ]}
      />
      <FactList facts={SERVER_FACTS} row={system} />
    </Card>
  );
}

const BACKLOGS: readonly Fact<System>[] = [
  ['system.outbox', ({ Outbox }) => <Backlog of={Outbox} />],
  ['system.mails', ({ Mails }) => <Backlog of={Mails} />],
];

function Backlog({ of: { Waiting: count, OldestSeconds } }: { of: System['Outbox'] }) {
  if (count === 0) return <>{words('system.nothing')}</>;
  return <>{words('system.backlog', { count, age: ageOf(OldestSeconds, pageData.Locale) })}</>;
}

/** The backlogs: events to publish, mails to send, and messages in queues. */
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

/** The keys that sign tokens, and older ones that still verify them. */
function SigningKeys({ keys }: { keys: System['SigningKeys'] }) {
  return (
    <Card title={words('system.keys')}>
      <DataTable
        caption={words('system.keys.each')}
        rows={keys}
        keyOf={({ Kid }) => Kid}
        columns={[
          ['system.kid', ({ Kid }) => <Copy value={Kid} label="kid" />],
          badge('system.use', 'Signs', ['success', 'system.signs'], ['neutral', 'system.verifies']),
          ago('system.created', 'CreatedAt'),
          ago('system.signsFrom', 'SignsFrom'),
        ]}
      />
    </Card>
  );
}

/** The effective settings; a secret is only shown as set. */
function Settings({ settings }: { settings: System['Settings'] }) {
  return (
    <Card title={words('system.settings')}>
      <p class="quiet">{words('system.settings.lead')}</p>
      <DataTable
        caption={words('system.settings.each')}
        rows={settings}
        keyOf={({ Name }) => Name}
        columns={[
          ['system.setting', ({ Name }) => <code>{Name}</code>],
          ['system.value', ({ Value }) => <Shown value={Value} />],
        ]}
      />
    </Card>
  );
}

function Shown({ value }: { value: System['Settings'][number]['Value'] }) {
  if (value === null) return <span class="quiet">–</span>;
  if (value === 'set') return <Badge meaning="information">{words('system.set')}</Badge>;
  return <code>{String(value)}</code>;
}

export type System = Answer<'GET /admin/system'>;

/** How many seconds the server's clock was ahead of the browser's when the answer arrived. */
function clockDifference({ Time: at }: System, receivedAt: number): number {
  return Math.round((Date.parse(at) - receivedAt) / 1000);
}

/** Smaller differences are normal: creating and transferring the answer takes time. */
const CLOCK_SECONDS_MAX = 5;

/** A problem that an operator should solve. */
interface Finding {
  key: TextKey;
  values?: Values;
}

function findingsOf(system: System, receivedAt: number): Finding[] {
  const { Dependencies, Migrations, RedisMemory, Queues, LastMailError } = system;
  const seconds = clockDifference(system, receivedAt);
  const found: (Finding | false)[] = [
    ...Dependencies.filter(({ IsReachable }) => !IsReachable).map(({ Name }): Finding => ({
      key: 'system.finding.away',
      values: { name: Name },
    })),
    Migrations.Missing.length > 0 && {
      key: 'system.finding.migrations',
      values: { count: Migrations.Missing.length },
    },
    RedisMemory !== null &&
      RedisMemory.EvictedKeys > 0 && {
        key: 'system.finding.evicted',
        values: { count: RedisMemory.EvictedKeys },
      },
    RedisMemory !== null &&
      RedisMemory.Policies.some((policy) => policy !== 'noeviction') && { key: 'system.finding.policy' },
    ...(Queues ?? []).flatMap(({ Name, Messages, Consumers }): Finding[] => {
      const values = { name: Name, count: Messages };
      if (Name.endsWith('.dead')) return Messages > 0 ? [{ key: 'system.finding.dead', values }] : [];
      if (Name.includes('.retry.')) return [];
      return Consumers === 0 ? [{ key: 'system.finding.noConsumer', values }] : [];
    }),
    LastMailError !== null && { key: 'system.finding.mail', values: { error: LastMailError } },
    Math.abs(seconds) > CLOCK_SECONDS_MAX && {
      key: 'system.finding.clock',
      values: { count: Math.abs(seconds) },
    },
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
