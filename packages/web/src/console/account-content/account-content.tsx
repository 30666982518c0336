import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Field } from '../../ui/fields.tsx';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { type Answer, useConsole } from '../api/call-api.ts';
import { useQuery, useRefresh } from '../api/use-query.ts';
import { RelationBadge } from '../content/people.tsx';
import { type Act, ActButton, Acts, actsOn } from '../kit/act.tsx';
import { List } from '../kit/list.tsx';
import { AccountLink } from '../objects.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ago, Word } from '../ui/fact.tsx';
import { Loaded } from '../ui/screen-page.tsx';
import { momentOf } from '../ui/typed.ts';
import styles from './account-content.module.css';

type Account = Answer<'GET /admin/account/{id}'>;

/** A piece of content, and its relation to the account: owner, access or pending invitation. */
type Item = Answer<'GET /admin/account/{id}/content'>['Items'][number];

interface Relation {
  account: Account;
  item: Item;
}

const REMOVE = actsOn<Relation>(
  'GET /admin/account/{id}/content',
  'GET /admin/account/{id}',
  'GET /admin/account/{id}/standing',
  'GET /admin/content-definition/{id}/member',
  'GET /admin/user-session',
  'GET /admin/invitation',
)({
  label: labelOf,
  kind: 'danger',
  effect: (row) => <RemoveEffect {...row} />,
  values: ({ item }) => ({ content: item.Name }),
  run: (callApi, { account, item: { ContentDefinitionId: id } }) =>
    callApi('POST /admin/content-definition/{id}/remove', { path: { id }, body: { UserId: account.Id } }),
  done: 'accountContent.taken',
});

function labelOf({ item }: Relation) {
  return item.Relation === 'Pending' ? 'accountContent.take.Pending' : 'accountContent.take.Access';
}

function RemoveEffect({ account, item }: Relation) {
  const words = useWords();
  const effect = `${labelOf({ account, item })}.effect` as const;
  return (
    <>
      <p>{words(effect, { email: account.Email, content: item.Name })}</p>
      {account.Role === 'Guest' && <p>{words('accountContent.take.guest')}</p>}
    </>
  );
}

const GIVE: Act<Account> = {
  label: 'accountContent.give',
  button: 'create',
  Part: ({ row, onClose }) => <GiveDialog account={row} onClose={onClose} />,
};

export function AccountContent({ account }: { account: Account }) {
  return (
    <>
      <div class={styles['head']}>
        <Acts acts={[GIVE]} row={account} />
      </div>
      <List
        operation="GET /admin/account/{id}/content"
        path={{ id: account.Id }}
        caption="c.content.title"
        none="accountContent.none"
        keyOf={({ ContentDefinitionId, Relation }) => `${ContentDefinitionId} ${Relation}`}
        hrefOf={({ ContentDefinitionId }) => `/console/content/${ContentDefinitionId}`}
        accountOf={({ By }) => By}
        columns={[
          ['accountContent.name', ({ Name }) => Name],
          ['content.kind', ({ Kind }) => <Word of="content.kind" value={Kind} />],
          ['content.relation', ({ Relation }) => <RelationBadge relation={Relation} />],
          ago('accountContent.since', 'Since'),
          ['accountContent.by', ({ By }) => <AccountLink id={By} />],
          ago('accountContent.until', 'ExpiresAt'),
          [
            'accountContent.do',
            (item) => item.Relation !== 'Owner' && <ActButton act={REMOVE} row={{ account, item }} />,
            'end',
          ],
        ]}
      />
    </>
  );
}

function GiveDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const give = async ({ ContentDefinitionId: id, ExpiresAt = '' }: FieldValues) => {
    if (!id) return NOTHING_CHOSEN;
    const until = momentOf(ExpiresAt);
    const result = await callApi('POST /admin/content-definition/{id}/invite', {
      path: { id },
      body: { Emails: [account.Email], ...(until !== undefined && { ExpiresAt: until }) },
    });
    if (!result.ok) return result.problem;
    toast(wordsFor('accountContent.result', result.value.Items[0]?.Result ?? 'AccessGranted'));
    onClose();
    await refresh(
      'GET /admin/account/{id}/content',
      'GET /admin/content-definition/{id}/member',
      'GET /admin/invitation',
    );
    return undefined;
  };
  return (
    <Dialog title={words('accountContent.give')} onClose={onClose}>
      <p>{words('accountContent.give.lead', { email: account.Email })}</p>
      <Form submit={words('accountContent.give')} onSubmit={give}>
        <ContentChoice />
        <Field
          name="ExpiresAt"
          type="datetime-local"
          label={words('accountContent.until')}
          hint={words('accountContent.until.hint')}
        />
      </Form>
    </Dialog>
  );
}

/** Has the same form as an error of the API. */
const NOTHING_CHOSEN: Problem = {
  status: 400,
  code: 'invalid_request',
  errors: [{ pointer: '/search', message: 'is required', code: 'required' }],
  body: {},
};

/** The search starts this long after the last keystroke. */
const TYPING_MS = 300;
const SHOWN_MAX = 20;

function ContentChoice() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [search, setSearch] = useState('');
  useEffect(() => () => clearTimeout(timer.current), []);
  const result = useQuery('GET /admin/content-definition', {
    query: { limit: SHOWN_MAX, ...(search !== '' && { search }) },
  });
  return (
    <>
      <Field
        name="search"
        label={words('accountContent.search')}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => setSearch(value.trim()), TYPING_MS);
        }}
      />
      <Loaded result={result} lines={3}>
        {({ Items }) =>
          Items.length === 0 ? (
            <p class="quiet" role="status">
              {words('accountContent.search.none')}
            </p>
          ) : (
            <fieldset class={styles['choices']} aria-label={words('accountContent.choose')}>
              {Items.map(({ Id, Name, Kind }) => (
                <label key={Id} class={styles['choice']}>
                  <input type="radio" name="ContentDefinitionId" value={Id} />
                  <span>
                    {Name} <span class="quiet">{wordsFor('content.kind', Kind)}</span>
                  </span>
                </label>
              ))}
            </fieldset>
          )
        }
      </Loaded>
    </>
  );
}
