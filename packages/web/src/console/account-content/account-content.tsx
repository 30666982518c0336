import { wrongField } from '../../ui/api.ts';
import type { Account, Answer } from '../api/call-api.ts';
import { RelationBadge } from '../content/people.tsx';
import { ActButton, Acts, actsOn } from '../kit/act.tsx';
import { type FormField, moment } from '../kit/fields.tsx';
import { List } from '../kit/list.tsx';
import { SearchChoice } from '../kit/search-choice.tsx';
import { AccountLink } from '../objects.tsx';
import { words, wordsFor } from '../text.ts';
import { ago } from '../ui/values.tsx';
import styles from './account-content.module.css';

type Item = Answer<'GET /admin/account/{id}/content'>['Items'][number];

const REMOVE = actsOn<{ account: Account; item: Item }>()({
  label: ({ item }) =>
    item.Relation === 'Pending' ? 'accountContent.take.Pending' : 'accountContent.take.Access',
  kind: 'danger',
  values: ({ account, item }) => ({ email: account.Email, content: item.Name }),
  more: ({ account }) => account.Role === 'Guest' && <p>{words('accountContent.take.guest')}</p>,
  run: (callApi, { account, item: { ContentDefinitionId: id } }) =>
    callApi('POST /admin/content-definition/{id}/remove', { path: { id }, body: { UserId: account.Id } }),
  done: 'accountContent.taken',
});

const CONTENT: FormField<Account, 'ContentDefinitionId', string | undefined> = {
  name: 'ContentDefinitionId',
  initial: () => '',
  Show: () => (
    <SearchChoice
      operation="GET /admin/content-definition"
      most={20}
      search={{ name: 'search', label: 'accountContent.search' }}
      name="ContentDefinitionId"
      label="content.one"
      none="accountContent.search.none"
      choiceOf={({ Id, Name, Kind }) => [Id, Name, wordsFor('content.kind', Kind)]}
    />
  ),
  read: (id) => id,
};

const GIVE = actsOn<Account>()({
  label: 'accountContent.give',
  button: 'create',
  fields: [
    CONTENT,
    // That of the account is another one.
    moment('ExpiresAt', 'accountContent.until', { initial: () => '' }),
  ],
  run: async (callApi, { Email }, { ContentDefinitionId: id, ...until }) => {
    if (id === undefined) return { ok: false, problem: wrongField('search', 'required') };
    const body = { Emails: [Email], ...until };
    return callApi('POST /admin/content-definition/{id}/invite', { path: { id }, body });
  },
  done: (_, __, { Items: [given] }) => words(`accountContent.result.${given?.Result ?? 'AccessGranted'}`),
});

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
          ['field.name', ({ Name }) => Name],
          ['fact.kind', ({ Kind }) => wordsFor('content.kind', Kind)],
          ['content.relation', ({ Relation }) => <RelationBadge of={Relation} />],
          ago('fact.since', 'Since'),
          ['fact.by', ({ By }) => <AccountLink id={By} />],
          ago('accountContent.until', 'ExpiresAt'),
          [
            'acts.menu',
            (item) => item.Relation !== 'Owner' && <ActButton act={REMOVE} row={{ account, item }} />,
            'end',
          ],
        ]}
      />
    </>
  );
}
