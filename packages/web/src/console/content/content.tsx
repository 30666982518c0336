import { formatted } from '../../ui/locale.ts';
import { type Answer, useQuery } from '../api/call-api.ts';
import { type Act, Acts, actsOn, calls, creates, defineScreen, sends } from '../kit/act.tsx';
import { choice, text } from '../kit/fields.tsx';
import { defineList } from '../kit/list.tsx';
import { AccountLink, EmailsContext, useEmails } from '../objects.tsx';
import { choicesOf, words, wordsFor } from '../text.ts';
import { changesOf, copied, None } from '../ui/values.tsx';
import { findOwner, shownOwner } from './find-owner.ts';
import { InviteDialog, Members, Watching } from './people.tsx';

type Content = Answer<'GET /admin/content-definition/{id}'>;

const KINDS: readonly Content['Kind'][] = ['LiveChannel', 'Recording', 'Document'];

type Owned = Content & { OwnerEmail: string | undefined };

function ownerOf(content: Owned | undefined) {
  return content?.OwnerId ? { id: content.OwnerId, email: content.OwnerEmail } : undefined;
}

const FIELDS = [
  text('Name', 'field.name'),
  choice('Kind', 'fact.kind', {
    options: () => choicesOf('content.kind', KINDS),
    as: (kind) => kind as Content['Kind'], // one of the options
  }),
  text('OwnerId', 'content.owner', {
    spellcheck: false,
    empty: '',
    initial: (content?: Owned) => shownOwner(ownerOf(content)),
  }),
] as const;

const CREATE = creates({
  label: 'content.create',
  fields: FIELDS,
  run: async (callApi, _, body) => {
    const owner = await findOwner(callApi, body.OwnerId, undefined);
    if (!owner.ok) return owner;
    return callApi('POST /admin/content-definition', { body: { ...body, OwnerId: owner.value } });
  },
  next: ({ Id }) => `/console/content/${Id}`,
});

const EDIT = actsOn<Owned>()({
  label: 'content.edit',
  fields: FIELDS,
  run: async (callApi, content, body) => {
    const owner = await findOwner(callApi, body.OwnerId, ownerOf(content));
    if (!owner.ok) return owner;
    return sends('PUT /admin/content-definition/{id}')(callApi, content, { ...body, OwnerId: owner.value });
  },
});

const INVITE: Act<Owned> = {
  label: 'content.invite',
  button: 'button',
  kind: 'primary',
  Part: ({ row, onClose }) => <InviteDialog content={row} onClose={onClose} />,
};

const DELETE = actsOn<Owned>()({
  label: 'content.delete',
  kind: 'danger',
  more: ({ Id }) => <DeleteEffect id={Id} />,
  typed: ({ Name }) => Name,
  run: calls('DELETE /admin/content-definition/{id}'),
  next: () => '/console/content',
});

function DeleteEffect({ id }: { id: string }) {
  const access = useCount(id, 'Access') ?? '…';
  const pending = useCount(id, 'Pending') ?? '…';
  return (
    <>
      <p>{words('content.delete.effect', { access, pending })}</p>
      <p>{words('content.delete.guests')}</p>
    </>
  );
}

function useCount(id: string, relation: 'Access' | 'Pending'): string | undefined {
  const { data } = useQuery('GET /admin/content-definition/{id}/member', {
    path: { id },
    query: { relation, limit: 1, count: true },
  });
  if (data === undefined) return undefined;
  // The API omits the count if counting takes too long.
  if (data.Count === undefined) return words('content.many');
  const number = formatted(data.Count);
  return data.CountIsExact === false ? words('content.moreThan', { count: number }) : number;
}

function Owner({ id }: { id: string | null }) {
  return (
    <EmailsContext.Provider value={useEmails([id])}>
      <AccountLink id={id} />
    </EmailsContext.Provider>
  );
}

function Count({ id, relation }: { id: string; relation: 'Access' | 'Pending' }) {
  return <>{useCount(id, relation) ?? '–'}</>;
}

/** The dialogs show the owner's email. */
function ContentActs({ content }: { content: Content }) {
  const OwnerEmail = useEmails([content.OwnerId]).get(content.OwnerId ?? '');
  return <Acts acts={[INVITE, EDIT, DELETE]} row={{ ...content, OwnerEmail }} name={content.Name} labelled />;
}

export const ContentScreen = defineScreen({
  operation: 'GET /admin/content-definition/{id}',
  texts: 'content',
  wide: true,
  actions: (content) => <ContentActs content={content} />,
  facts: () => [
    ['fact.kind', ({ Kind }) => wordsFor('content.kind', Kind)],
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
  ],
  more: (content) => (
    <>
      {content.Kind === 'LiveChannel' && <Watching id={content.Id} />}
      <Members content={content} />
    </>
  ),
});

export const ContentsScreen = defineList({
  operation: 'GET /admin/content-definition',
  query: { count: true, members: true },
  caption: 'c.content.title',
  none: 'content.none',
  hrefOf: ({ Id }) => `/console/content/${Id}`,
  accountOf: ({ OwnerId }) => OwnerId,
  filters: [
    { name: 'search', label: 'content.search', type: 'search' },
    { name: 'kind', label: 'fact.kind', options: KINDS, texts: 'content.kind' },
    { name: 'ownerId', label: 'content.ownerId' },
  ],
  columns: [
    ['field.name', ({ Name }) => Name],
    ['fact.kind', ({ Kind }) => wordsFor('content.kind', Kind)],
    ['content.owner', ({ OwnerId }) => <AccountLink id={OwnerId} />],
    ['content.access', ({ AccessCount }) => <MemberCount count={AccessCount} />, 'end'],
    ['content.pending', ({ PendingCount }) => <MemberCount count={PendingCount} />, 'end'],
    copied('content.id', 'Id'),
  ],
  acts: [CREATE],
});

/** The API counts up to this number; a larger count means "more than this". */
const COUNTED_MAX = 1000;

function MemberCount({ count }: { count: number | undefined }) {
  if (count === undefined) return <None />;
  if (count <= COUNTED_MAX) return <>{formatted(count)}</>;
  return <>{words('content.moreThan', { count: formatted(COUNTED_MAX) })}</>;
}
