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
import { ago, at, badge, Badge, Copy, type Fact } from '../ui/values.tsx';

export function SystemScreen() {
  const { toast } = useConsole();
  const result = useQuery('GET /admin/system');
  const { data, receivedAt, refetch } = result;
  const copy = (system: Answered): void => {
    const report = reportOf(seenAt(receivedAt, system));
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
          <Button kind="primary" icon={<Icon name="refresh" />} onClick={refetch}>
            {words('system.again')}
          </Button>
        </>
      }
    >
      <Loaded result={result} lines={12}>
        {(system) => <Parts system={seenAt(receivedAt, system)} />}
      </Loaded>
    </ScreenPage>
  );
}

type Answered = Answer<'GET /admin/system'>;

/** `secondsAhead`: how far the server's clock was ahead of the browser's when the answer arrived. */
function seenAt(receivedAt: number, system: Answered) {
  return { ...system, secondsAhead: Math.round((Date.parse(system.Time) - receivedAt) / 1000) };
}

type System = ReturnType<typeof seenAt>;

function Parts({ system }: { system: System }) {
  return (
    <>
      <Findings system={system} />
      <FactsCard title="system.installation" facts={INSTALLATION} row={system} />
      <Card title={words('system.servers')}>
        <DataTable caption="system.servers.each" rows={system.Dependencies} columns={SERVERS} />
        <FactList facts={SERVER_FACTS} row={system} />
      </Card>
      <Waiting system={system} />
      <Card title={words('system.keys')}>
        <DataTable caption="system.keys.each" rows={system.SigningKeys} columns={KEYS} />
      </Card>
      <Card title={words('system.settings')}>
        <p class="quiet">{words('system.settings.lead')}</p>
        <DataTable caption="system.settings.each" rows={system.Settings} columns={SETTINGS} />
      </Card>
    </>
  );
}

function Findings({ system }: { system: System }) {
  const findings = findingsOf(system);
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

const INSTALLATION: readonly Fact<System>[] = [
  ['system.version', ({ Version }) => Version],
  ['system.node', ({ NodeVersion }) => NodeVersion],
  ['system.migration', ({ Migrations }) => <code>{Migrations.Applied.at(-1) ?? '–'}</code>],
  ['system.missing', ({ Migrations }) => Migrations.Missing.join(', ') || words('system.none')],
  at('system.time', 'Time'),
  [
    'system.clock',
    ({ secondsAhead: seconds }) => {
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
          caption="system.queues"
          rows={system.Queues}
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

/** Smaller differences are normal: creating and transferring the answer takes time. */
const CLOCK_SECONDS_MAX = 5;

type Finding = readonly [key: TextKey, values?: Values];

function findingsOf(system: System): Finding[] {
  const { Dependencies, Migrations, RedisMemory, Queues, LastMailError } = system;
  const seconds = Math.abs(system.secondsAhead);
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
function reportOf(system: System): string {
  const { Version, NodeVersion, Migrations, Dependencies, Queues, RedisMemory, Outbox, Mails } = system;
  const lines = [
    `Gatehouse ${Version}, Node ${NodeVersion}`,
    `Time ${system.Time}, browser ${system.secondsAhead} s behind`,
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
