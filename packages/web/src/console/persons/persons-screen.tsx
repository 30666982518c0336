import { Button } from '../../ui/form/button.tsx';
import { defineList } from '../list/define-list.tsx';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import { FACE_TYPES, type Person } from './face-types.ts';
import { NextToReview } from './next-to-review.tsx';
import { PersonDialog } from './person-dialog.tsx';

/** The list of all persons, with the number of their faces of each match type. */
export const PersonsScreen = defineList({
  operation: 'GET /person',
  caption: 'c.persons.title',
  none: 'persons.none',
  hrefOf: ({ Id }) => `/console/persons/${Id}`,
  filters: [{ name: 'search', label: 'persons.search', type: 'search' }],
  columns: ({ words, wordsFor }) => [
    { head: words('persons.name'), cell: ({ Name }) => Name },
    ...FACE_TYPES.map(([name, type]) => ({
      head: wordsFor('faceType', type),
      align: 'end' as const,
      cell: ({ FaceMatchCounts }: Person) =>
        FaceMatchCounts[name] === 0 ? <span class="quiet">0</span> : FaceMatchCounts[name],
    })),
    { head: words('persons.externalId'), cell: ({ ExternalId }) => ExternalId ?? '–' },
    { head: words('persons.created'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
  ],
  actions: ({ words, open }) => (
    <>
      <NextToReview />
      <Button
        kind="primary"
        icon={<Icon name="plus" />}
        onClick={() => open((close) => <PersonDialog onClose={close} />)}
      >
        {words('persons.create')}
      </Button>
    </>
  ),
});
