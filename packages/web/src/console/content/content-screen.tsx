import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { AccountLink } from '../accounts/account-link.tsx';
import { useEmails } from '../accounts/use-emails.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Card, Facts, ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import type { Content } from './content.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { InviteDialog } from './members/invite-dialog.tsx';
import { Members } from './members/members.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { useMemberCounts } from './members/use-member-counts.ts';
import { Watching } from './watching/watching.tsx';

/** One piece of content: its owner, who has access, and who is watching. */
export function ContentScreen() {
  const words = useWords();
  const { id = '' } = useRoute().params;
  const [open, setOpen] = useState<'invite' | 'edit' | 'delete'>();
  const result = useQuery('GET /admin/content-definition/{id}', { path: { id } });
  const { data } = result;
  const emails = useEmails([data?.OwnerId ?? null]);
  const close = (): void => setOpen(undefined);
  return (
    <ScreenPage
      title={data?.Name ?? words('content.one')}
      wide
      actions={
        data && (
          <>
            <Button kind="primary" onClick={() => setOpen('invite')}>
              {words('content.invite')}
            </Button>
            <Menu label={words('content.actions')} labelled>
              <MenuItem onClick={() => setOpen('edit')}>{words('content.edit')}</MenuItem>
              <MenuItem danger onClick={() => setOpen('delete')}>
                {words('content.delete')}
              </MenuItem>
            </Menu>
          </>
        )
      }
    >
      <Loaded result={result}>
        {(content) => (
          <>
            <ContentFacts content={content} emails={emails} />
            {content.Kind === 'LiveChannel' && <Watching id={id} />}
            <Members content={content} />
            {open === 'invite' && <InviteDialog content={content} onClose={close} />}
            {open === 'edit' && (
              <SaveDialog content={content} ownerEmail={emails.get(content.OwnerId ?? '')} onClose={close} />
            )}
            {open === 'delete' && <DeleteDialog content={content} onClose={close} />}
          </>
        )}
      </Loaded>
    </ScreenPage>
  );
}

function ContentFacts({ content, emails }: { content: Content; emails: ReadonlyMap<string, string> }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { access, pending } = useMemberCounts(content.Id);
  const { Id, Kind, OwnerId } = content;
  return (
    <Card title={words('content.facts')}>
      <Facts
        rows={[
          [words('content.kind'), wordsFor('content.kind', Kind)],
          [words('content.owner'), <AccountLink key="owner" id={OwnerId} emails={emails} />],
          [words('content.access'), access],
          [
            words('content.pending'),
            <a key="pending" href={`/console/invitations?contentDefinitionId=${Id}`}>
              {pending}
            </a>,
          ],
          [words('content.id'), <Copy key="id" value={Id} label={words('content.id')} />],
          [
            words('c.audit.title'),
            <a key="audit" href={`/console/audit?targetId=${Id}`}>
              {words('content.changes')}
            </a>,
          ],
        ]}
      />
    </Card>
  );
}
