import { useRoute } from 'preact-iso';
import { Button } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { useQuery } from '../api/use-query.ts';
import { useDialog } from '../list/use-dialog.ts';
import { useWords } from '../text.ts';
import { Card, ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { ApplicationFacts } from './application-facts.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { SettingsBlock } from './settings-block.tsx';
import { SignedInList } from './signed-in-list.tsx';

/** One application: what it may do, its settings, and who is signed in to it. */
export function ApplicationScreen() {
  const words = useWords();
  const { id = '' } = useRoute().params;
  const result = useQuery('GET /admin/oauth-client/{id}', { path: { id } });
  const [dialog, open] = useDialog();
  const { data } = result;
  return (
    <ScreenPage
      title={data?.Name ?? words('applications.one')}
      actions={
        data?.IsDeclared === false && (
          <>
            <Button onClick={() => open((close) => <EditDialog application={data} onClose={close} />)}>
              {words('applications.edit')}
            </Button>
            {!data.IsPublic && (
              <Button onClick={() => open((close) => <RotateDialog application={data} onClose={close} />)}>
                {words('applications.rotate')}
              </Button>
            )}
            <Button
              kind="danger"
              onClick={() => open((close) => <DeleteDialog application={data} onClose={close} />)}
            >
              {words('applications.delete')}
            </Button>
          </>
        )
      }
    >
      <Loaded result={result}>
        {(application) => (
          <>
            {application.IsDeclared && (
              <Notice meaning="information">{words('applications.declared.lead')}</Notice>
            )}
            <ApplicationFacts application={application} />
            <Card title={words('applications.settings')}>
              <SettingsBlock key={application.Id} application={application} />
            </Card>
            <h2>{words('applications.signedIn')}</h2>
            <SignedInList application={application} />
          </>
        )}
      </Loaded>
      <p>
        <a href="/console/applications">{words('applications.all')}</a>
      </p>
      {dialog}
    </ScreenPage>
  );
}
