import { useLocation, useRoute } from 'preact-iso';
import { usePageData } from '../../ui/api/page-data.ts';
import type { Problem } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { AccountLink } from '../accounts/account-link.tsx';
import { useEmails } from '../accounts/use-emails.ts';
import type { Answer } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useQuery, useRefresh } from '../api/use-query.ts';
import { Acts, actsOn, type Act } from '../kit/act.tsx';
import { changesOf, copied, FactsCard, Word, type Fact } from '../kit/define-screen.tsx';
import { defineList } from '../list/define-list.tsx';
import type { Screen } from '../screen.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { findOwner, shownOwner } from './find-owner.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { Members, Watching } from './people.tsx';

type Content = Answer<'GET /admin/content-definition/{id}'>;

const KINDS: readonly Content['Kind'][] = ['LiveChannel', 'Recording', 'Document'];

interface SaveDialogProps {
  /** The content to change; without it, new content is created, and its screen is opened. */
  row: Content | undefined;
  onClose: () => void;
}

/** Creates content, or changes its name, kind and owner. */
function SaveDialog({ row: content, onClose }: SaveDialogProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { callApi, toast } = useConsole();
  const { route } = useLocation();
  const refresh = useRefresh();
  const ownerId = content?.OwnerId ?? null;
  const email = useEmails([ownerId]).get(ownerId ?? '');
  const present = ownerId === null ? undefined : { id: ownerId, email };
  const save = async ({ Name = '', Kind = '', OwnerId = '' }: FieldValues): Promise<Problem | undefined> => {
    const owner = await findOwner(callApi, OwnerId, present);
    if (!owner.ok) return owner.problem;
    // The value is one of the options of the field.
    const body = { Name, Kind: Kind as Content['Kind'], OwnerId: owner.value };
    const result = content
      ? await callApi('PUT /admin/content-definition/{id}', { path: { id: content.Id }, body })
      : await callApi('POST /admin/content-definition', { body });
    if (!result.ok) return result.problem;
    toast(words(content ? 'content.changed' : 'content.created'));
    onClose();
    if (!content) route(`/console/content/${result.value.Id}`);
    await refresh(
      'GET /admin/content-definition',
      'GET /admin/content-definition/{id}',
      'GET /admin/content-definition/{id}/member',
    );
    return undefined;
  };
  return (
    <Dialog title={words(content ? 'content.edit' : 'content.create')} onClose={onClose}>
      <Form submit={words(content ? 'content.save' : 'content.create')} onSubmit={save}>
        <Field
          name="Name"
          label={words('content.name')}
          autocomplete="off"
          defaultValue={content?.Name ?? ''}
          required
        />
        <Select
          name="Kind"
          label={words('content.kind')}
          defaultValue={content?.Kind ?? 'LiveChannel'}
          options={KINDS.map((value) => ({ value, words: wordsFor('content.kind', value) }))}
        />
        <Field
          name="OwnerId"
          label={words('content.owner')}
          hint={words('content.owner.hint')}
          autocomplete="off"
          spellcheck={false}
          defaultValue={present ? shownOwner(present) : ''}
        />
      </Form>
    </Dialog>
  );
}

const CREATE: Act<undefined> = {
  label: 'content.create',
  button: 'create',
  kind: 'primary',
  Part: SaveDialog,
};

const INVITE: Act<Content> = {
  label: 'content.invite',
  button: 'button',
  kind: 'primary',
  Part: ({ row, onClose }) => <InviteDialog content={row} onClose={onClose} />,
};

const EDIT: Act<Content> = { label: 'content.edit', Part: SaveDialog };

const DELETE = actsOn<Content>(
  'GET /admin/content-definition',
  'GET /admin/invitation',
)({
  label: 'content.delete',
  kind: 'danger',
  title: 'content.delete.title',
  effect: ({ Id }) => <DeleteEffect id={Id} />,
  typed: ({ Name }) => Name,
  run: (callApi, { Id }) => callApi('DELETE /admin/content-definition/{id}', { path: { id: Id } }),
  done: 'content.deleted',
  next: () => '/console/content',
});

/** How many accounts and invitations lose the content. */
function DeleteEffect({ id }: { id: string }) {
  const words = useWords();
  const access = useCount(id, 'Access') ?? '…';
  const pending = useCount(id, 'Pending') ?? '…';
  return (
    <>
      <p>{words('content.delete.effect', { access, pending })}</p>
      <p>{words('content.delete.guests')}</p>
    </>
  );
}

/** The number of accounts with access or of pending invitations, as text; `undefined` while it is loading. */
function useCount(id: string, relation: 'Access' | 'Pending'): string | undefined {
  const words = useWords();
  const { Locale } = usePageData();
  const { data } = useQuery('GET /admin/content-definition/{id}/member', {
    path: { id },
    query: { relation, limit: 1, count: true },
  });
  if (data === undefined) return undefined;
  // The API omits the count if counting takes too long.
  if (data.Count === undefined) return words('content.many');
  const number = new Intl.NumberFormat(Locale).format(data.Count);
  return data.CountIsExact === false ? words('content.moreThan', { count: number }) : number;
}

const FACTS: readonly Fact<Content>[] = [
  ['content.kind', ({ Kind }) => <Word of="content.kind" value={Kind} />],
  ['content.owner', ({ OwnerId }) => <Owner id={OwnerId} />],
  ['content.access', ({ Id }) => <Count id={Id} relation="Access" />],
  [
    'content.pending',
    ({ Id }) => (
      <a href={`/console/invitations?contentDefinitionId=${Id}`}>
        <Count id={Id} relation="Pending" />
      </a>
    ),
  ],
  copied('content.id', 'Id'),
  changesOf('content.changes'),
];

function Owner({ id }: { id: string | null }) {
  return <AccountLink id={id} emails={useEmails([id])} />;
}

function Count({ id, relation }: { id: string; relation: 'Access' | 'Pending' }) {
  return <>{useCount(id, relation) ?? '–'}</>;
}

/** One piece of content: its owner, who has access, and who is watching. */
function ContentScreen() {
  const words = useWords();
  const { id = '' } = useRoute().params;
  const result = useQuery('GET /admin/content-definition/{id}', { path: { id } });
  const { data } = result;
  return (
    <ScreenPage
      title={data?.Name ?? words('content.one')}
      wide
      actions={
        data && (
          <Acts
            acts={[INVITE, EDIT, DELETE]}
            row={data}
            name={data.Name}
            menu={words('content.actions')}
            labelled
          />
        )
      }
    >
      <Loaded result={result}>
        {(content) => (
          <>
            <FactsCard title={words('content.facts')} facts={FACTS} row={content} />
            {content.Kind === 'LiveChannel' && <Watching id={id} />}
            <Members content={content} />
          </>
        )}
      </Loaded>
    </ScreenPage>
  );
}

/** The list of all content. */
const ContentsScreen = defineList({
  operation: 'GET /admin/content-definition',
  query: { count: true, members: true },
  caption: 'c.content.title',
  none: 'content.none',
  noMatch: 'content.noMatch',
  first: (words) => <p>{words('content.none.lead')}</p>,
  hrefOf: ({ Id }) => `/console/content/${Id}`,
  accountOf: ({ OwnerId }) => OwnerId,
  filters: [
    { name: 'search', label: 'content.search', type: 'search' },
    { name: 'kind', label: 'content.kind', options: KINDS, texts: 'content.kind' },
    { name: 'ownerId', label: 'content.ownerId' },
  ],
  columns: ({ words, wordsFor, emails }) => [
    { head: words('content.name'), cell: ({ Name }) => Name },
    { head: words('content.kind'), cell: ({ Kind }) => wordsFor('content.kind', Kind) },
    { head: words('content.owner'), cell: ({ OwnerId }) => <AccountLink id={OwnerId} emails={emails} /> },
    {
      head: words('content.access'),
      align: 'end',
      cell: ({ AccessCount }) => <MemberCount count={AccessCount} />,
    },
    {
      head: words('content.pending'),
      align: 'end',
      cell: ({ PendingCount }) => <MemberCount count={PendingCount} />,
    },
    { head: words('content.id'), cell: ({ Id }) => <Copy value={Id} label={words('content.id')} /> },
  ],
  actions: () => <Acts acts={[CREATE]} row={undefined} />,
});

/** The API counts up to this number; a larger count means "more than this" (docs/openapi/admin.json). */
const COUNTED_MAX = 1000;

/** A number of members as counted in the list. */
function MemberCount({ count }: { count: number | undefined }) {
  const words = useWords();
  const { Locale } = usePageData();
  const number = new Intl.NumberFormat(Locale);
  if (count === undefined) return <>–</>;
  if (count <= COUNTED_MAX) return <>{number.format(count)}</>;
  return <>{words('content.moreThan', { count: number.format(COUNTED_MAX) })}</>;
}

export const contentScreens: readonly Screen[] = [
  {
    path: '/content',
    component: ContentsScreen,
    nav: { label: 'c.content.title', icon: 'content', key: 'c' },
  },
  { path: '/content/:id', component: ContentScreen },
];
