import { useRoute } from 'preact-iso';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { useConsole } from '../api/console-context.ts';
import { useQuery, useRefresh } from '../api/use-query.ts';
import { List } from '../list/list.tsx';
import { useDialog } from '../list/use-dialog.ts';
import { useWords } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { Card, Facts, ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded, ProblemBox } from '../ui/layout/state.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Time } from '../ui/time.tsx';
import { DeleteDialog, SwitchDialog } from './change-dialogs.tsx';
import { DELIVERY_LIST } from './delivery-list.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { useAction } from '../api/use-action.ts';
import { WebhookState } from './webhook-state.tsx';
import { SHOWING_WEBHOOKS, type Webhook } from './webhook.ts';

/** One webhook, and its deliveries. */
export function WebhookScreen() {
  const words = useWords();
  const { id = '' } = useRoute().params;
  const result = useQuery('GET /admin/webhook/{id}', { path: { id } });
  const { data } = result;
  return (
    <ScreenPage
      title={data?.Name ?? words('webhooks.one')}
      badge={data && <WebhookState webhook={data} />}
      actions={data && <Actions webhook={data} />}
      wide
    >
      <Loaded result={result}>
        {(webhook) => (
          <>
            {webhook.DisabledReason !== null && (
              <Notice meaning="danger">
                {words(
                  webhook.DisabledReason === 'Gone' ? 'webhooks.disabled.gone' : 'webhooks.disabled.failing',
                )}
              </Notice>
            )}
            <WebhookFacts webhook={webhook} />
          </>
        )}
      </Loaded>
      <h2>{words('webhooks.deliveries')}</h2>
      <List {...DELIVERY_LIST} query={{ webhookId: id, count: true }} />
      <p>
        <a href="/console/webhooks">{words('webhooks.all')}</a>
      </p>
    </ScreenPage>
  );
}

function Actions({ webhook }: { webhook: Webhook }) {
  const words = useWords();
  const { toast } = useConsole();
  const refresh = useRefresh();
  const [dialog, open] = useDialog();
  const test = useAction('POST /admin/webhook/{id}/test', { path: { id: webhook.Id } }, async (isDone) => {
    if (isDone) toast(words('webhooks.tested'));
    await refresh(...SHOWING_WEBHOOKS);
  });
  return (
    <>
      {test.problem && <ProblemBox problem={test.problem} />}
      {webhook.IsEnabled && (
        <Button busy={test.isBusy} onClick={test.run}>
          {words('webhooks.test')}
        </Button>
      )}
      <Menu label={words('webhooks.actions')}>
        <MenuItem onClick={() => open((close) => <EditDialog webhook={webhook} onClose={close} />)}>
          {words('webhooks.edit')}
        </MenuItem>
        <MenuItem onClick={() => open((close) => <RotateDialog webhook={webhook} onClose={close} />)}>
          {words('webhooks.rotate')}
        </MenuItem>
        <MenuItem onClick={() => open((close) => <SwitchDialog webhook={webhook} onClose={close} />)}>
          {words(webhook.IsEnabled ? 'webhooks.disable' : 'webhooks.enable')}
        </MenuItem>
        <MenuItem danger onClick={() => open((close) => <DeleteDialog webhook={webhook} onClose={close} />)}>
          {words('webhooks.delete')}
        </MenuItem>
      </Menu>
      {dialog}
    </>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const words = useWords();
  const { Id, Url, Types, FailingSince, DisabledAt, FormerSecretUntil, CreatedAt } = webhook;
  const overlap = FormerSecretUntil !== null && Date.parse(FormerSecretUntil) > Date.now();
  return (
    <Card title={words('webhooks.facts')}>
      <Facts
        rows={[
          [words('webhooks.id'), <Copy key="id" value={Id} label={words('webhooks.id')} />],
          [words('webhooks.url'), Url],
          [words('webhooks.types'), Types.join(', ')],
          [words('webhooks.failingSince'), <Time key="failing" at={FailingSince} exact />],
          [words('webhooks.disabledAt'), <Time key="disabled" at={DisabledAt} exact />],
          ...(overlap
            ? [[words('webhooks.overlap'), <Time key="overlap" at={FormerSecretUntil} exact />] as const]
            : []),
          [words('webhooks.created'), <Time key="created" at={CreatedAt} exact />],
          [
            words('c.audit.title'),
            <a key="audit" href={`/console/audit?${new URLSearchParams({ targetId: Id }).toString()}`}>
              {words('webhooks.changes')}
            </a>,
          ],
        ]}
      />
    </Card>
  );
}
