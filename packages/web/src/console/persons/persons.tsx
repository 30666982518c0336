import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { refresh, useConsole } from '../api/call-api.ts';
import { actsOn, calls, creates, defineScreen } from '../kit/act.tsx';
import { bodyOf, Fields, text } from '../kit/fields.tsx';
import { defineList } from '../kit/list.tsx';
import { words, wordsFor } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useFilters } from '../ui/filters.ts';
import { Tabs } from '../ui/screen-page.tsx';
import { ago, at, changesOf, copied, type Fact } from '../ui/values.tsx';
import { FACE_TYPES, type Person, readFaceType } from './decisions.ts';
import { FaceReview, NextToReview } from './face-review.tsx';

const FIELDS = [
  text('Name', 'persons.name'),
  text('ExternalId', 'persons.externalId', { spellcheck: false, empty: null }),
  text('Notes', 'persons.notes', { empty: null }),
] as const;

const CREATE = creates({
  label: 'persons.create',
  fields: FIELDS,
  run: (callApi, _, body) => callApi('POST /person', { body }),
  next: ({ Id }) => `/console/persons/${Id}`,
});

/** Changes the newest version of a person, which may differ from the one shown. */
function Edit({ row: { Id: id }, onClose }: { row: Person; onClose: () => void }) {
  const { callApi, toast } = useConsole();
  const [read, setRead] = useState<{ person: Person; etag: string | undefined }>();
  const [isOutdated, setOutdated] = useState(false);
  useEffect(() => {
    void callApi('GET /person/{id}', { path: { id } }).then((result) => {
      if (result.ok) return setRead({ person: result.value, etag: result.etag });
      toast(words('persons.gone'));
      onClose();
    });
  }, []);
  if (read === undefined) return null;
  const { person, etag } = read;
  const save = async (typed: FieldValues): Promise<Problem | undefined> => {
    const body = bodyOf(FIELDS, typed, person);
    const result = await callApi('PUT /person/{id}', { path: { id }, body, ifMatch: etag });
    // Others' changes in the meantime are not overwritten.
    setOutdated(!result.ok && result.problem.status === 412);
    if (!result.ok) return result.problem.status === 412 ? undefined : result.problem;
    onClose();
    toast(words('persons.saved'));
    await refresh();
    return undefined;
  };
  return (
    <Dialog title={words('persons.edit')} onClose={onClose}>
      {isOutdated && <Notice meaning="warning">{words('persons.outdated')}</Notice>}
      <Form submit={words('persons.save')} onSubmit={save}>
        <Fields of={FIELDS} row={person} />
      </Form>
    </Dialog>
  );
}

const DELETE = actsOn<Person>()({
  label: 'persons.delete',
  kind: 'danger',
  values: ({ FaceMatchCounts }) => ({
    count: Object.values({ ...FaceMatchCounts }).reduce((sum, count) => sum + count, 0),
  }),
  run: calls('DELETE /person/{id}'),
  next: () => '/console/persons',
});

export const PersonScreen = defineScreen({
  operation: 'GET /person/{id}',
  texts: 'persons',
  wide: true,
  acts: [{ label: 'persons.edit', button: 'button', Part: Edit }, DELETE],
  menu: 'persons.more',
  notice: (person) => <Faces person={person} />,
  facts: () => [
    ['persons.externalId', ({ ExternalId }) => ExternalId],
    ['persons.notes', ({ Notes }) => Notes],
    at('accounts.created', 'CreatedAt'),
    at('persons.updated', 'UpdatedAt'),
    copied('persons.id', 'Id'),
    changesOf('persons.changes'),
  ],
});

function Faces({ person }: { person: Person }) {
  const type = readFaceType(useFilters().values['type']);
  return (
    <>
      <Tabs
        label={words('persons.types')}
        tabs={FACE_TYPES.map(([name, value]) => [
          `/console/persons/${person.Id}?type=${value}`,
          `${wordsFor('faceType', value)} ${person.FaceMatchCounts[name]}`,
          value === type,
        ])}
      />
      <FaceReview key={person.Id} personId={person.Id} type={type} />
    </>
  );
}

export const PersonsScreen = defineList({
  operation: 'GET /person',
  caption: 'c.persons.title',
  none: 'persons.none',
  hrefOf: ({ Id }) => `/console/persons/${Id}`,
  filters: [{ name: 'search', label: 'field.name', type: 'search' }],
  columns: [
    ['persons.name', ({ Name }) => Name],
    ...FACE_TYPES.map(([name, type]): Fact<Person> => [
      `faceType.${type}`,
      ({ FaceMatchCounts: { [name]: count } }) => (count === 0 ? <span class="quiet">0</span> : count),
      'end',
    ]),
    ['persons.externalId', ({ ExternalId }) => ExternalId],
    ago('accounts.created', 'CreatedAt'),
  ],
  actions: () => <NextToReview />,
  acts: [CREATE],
});
