import { useRoute } from 'preact-iso';
import { useQuery } from '../api/use-query.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Card, Facts, ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import tabStyles from '../ui/layout/tabs.module.css';
import { Time } from '../ui/time.tsx';
import { FaceReview } from './face-review.tsx';
import { FACE_TYPES, readFaceType, type FaceType, type Person } from './face-types.ts';
import { PersonActions } from './person-actions.tsx';

/** One person, and their faces by match type. */
export function PersonScreen() {
  const words = useWords();
  const { id = '' } = useRoute().params;
  const { values } = useFilters();
  const type = readFaceType(values['type']);
  const result = useQuery('GET /person/{id}', { path: { id } });
  const { data } = result;
  return (
    <ScreenPage
      title={data?.Name ?? words('persons.one')}
      actions={data && <PersonActions person={data} />}
      wide
    >
      <Loaded result={result}>
        {(person) => (
          <>
            <TypeTabs person={person} type={type} />
            <FaceReview key={person.Id} person={person} type={type} />
            <PersonFacts person={person} />
          </>
        )}
      </Loaded>
      <p>
        <a href="/console/persons">{words('persons.all')}</a>
      </p>
    </ScreenPage>
  );
}

function TypeTabs({ person, type }: { person: Person; type: FaceType }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  return (
    <nav class={tabStyles['tabs']} aria-label={words('persons.types')}>
      {FACE_TYPES.map(([name, value]) => (
        <a
          key={name}
          class={tabStyles['tab']}
          href={`/console/persons/${person.Id}?type=${value}`}
          aria-current={value === type ? 'page' : undefined}
        >
          {wordsFor('faceType', value)} {person.FaceMatchCounts[name]}
        </a>
      ))}
    </nav>
  );
}

function PersonFacts({ person }: { person: Person }) {
  const words = useWords();
  const { Id, ExternalId, Notes, CreatedAt, UpdatedAt } = person;
  return (
    <Card title={words('persons.facts')}>
      <Facts
        rows={[
          [words('persons.externalId'), ExternalId],
          [words('persons.notes'), Notes],
          [words('persons.created'), <Time at={CreatedAt} exact />],
          [words('persons.updated'), <Time at={UpdatedAt} exact />],
          [words('persons.id'), <Copy value={Id} label={words('persons.id')} />],
          [words('c.audit.title'), <a href={`/console/audit?targetId=${Id}`}>{words('persons.changes')}</a>],
        ]}
      />
    </Card>
  );
}
