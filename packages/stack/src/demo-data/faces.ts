import { nameKeyOf } from '@gatehouse/accounts';
import { FaceMatchType } from '@gatehouse/events';
import { ago, DAY, HOUR, MINUTE, type DemoWorld } from './demo-world.ts';
import type { Row } from './insert-rows.ts';
import { FIRST_NAMES, LAST_NAMES } from './people-names.ts';

const PERSONS = 24;
/** The column of `person` that counts each type. */
const COUNTED = {
  [FaceMatchType.Automatch]: 'automatch',
  [FaceMatchType.ProbableMatch]: 'probable_match',
  [FaceMatchType.NotMatch]: 'not_match',
  [FaceMatchType.ConfirmedMatch]: 'confirmed_match',
  [FaceMatchType.Blurry]: 'blurry',
} as const satisfies Record<FaceMatchType, string>;

/**
 * The rows of `person`, `face`, `face_match` and `face_review`: recognised persons, and faces that wait for a review.
 */
export function inventFaces(world: DemoWorld, adminId: string): Record<string, Row[]> {
  const persons = Array.from({ length: PERSONS }, (_, number) => somebody(world, number));
  const found = persons.flatMap((person, number) =>
    facesOf(world, { id: String(person['id']), number, adminId }),
  );
  return {
    person: persons.map((person) => ({ ...person, ...countsOf(found, person['id']) })),
    face: found.map(({ face }) => face),
    face_match: found.map(({ match }) => match),
    face_review: found.flatMap(({ review }) => (review === undefined ? [] : [review])),
  };
}

function somebody(world: DemoWorld, number: number): Row {
  const { random } = world;
  const first = FIRST_NAMES[(number * 7) % FIRST_NAMES.length] ?? '';
  const last = LAST_NAMES[(number * 11 + 3) % LAST_NAMES.length] ?? '';
  const createdAt = ago(world, random.whole(20, 200) * DAY + random.whole(0, 1439) * MINUTE);
  const name = `${first} ${last}`;
  return {
    id: random.idAt(createdAt),
    name,
    name_key: nameKeyOf(name),
    notes: number % 5 === 0 ? 'Speaks at the annual meeting' : null,
    external_id: number % 3 === 0 ? `hr-${1000 + number}` : null,
    version: 1,
    created_at: createdAt,
    updated_at: createdAt,
  };
}

interface Found {
  face: Row;
  match: Row & { person_id: string; type: FaceMatchType };
  review: Row | undefined;
}

function facesOf(
  world: DemoWorld,
  { id, number, adminId }: { id: string; number: number; adminId: string },
): Found[] {
  const { random } = world;
  // The first three persons have enough faces for several pages.
  const count = number < 3 ? 90 : random.whole(8, 40);
  return Array.from({ length: count }, (_, picture) => {
    const at = ago(world, random.whole(1, 19 * 24) * HOUR + random.whole(0, 59) * MINUTE);
    const type = someType(world);
    const isBlurry = type === FaceMatchType.Blurry;
    // A probable match sometimes shows another person: this is why people review them.
    const isOther =
      type === FaceMatchType.NotMatch || (type === FaceMatchType.ProbableMatch && random.isLucky(0.25));
    const shown = isOther ? (number + random.whole(1, PERSONS - 1)) % PERSONS : number;
    const faceId = random.idAt(at);
    const isDecided = type === FaceMatchType.NotMatch || type === FaceMatchType.ConfirmedMatch;
    const decidedAt = isDecided ? new Date(at.getTime() + random.whole(10, 600) * MINUTE) : undefined;
    const decision = { decided_by: isDecided ? adminId : null, decided_at: decidedAt ?? null, reason: null };
    const similarity =
      type === FaceMatchType.Automatch ? 0.92 + random.next() * 0.07 : 0.71 + random.next() * 0.16;
    return {
      face: {
        id: faceId,
        source_id: `demo camera ${1 + (picture % 4)}, person ${number}, face ${picture}`,
        sharpness: isBlurry ? 0.05 + random.next() * 0.2 : 0.6 + random.next() * 0.4,
        image_url: `${world.facesUrl}/${shown}-${picture}${isBlurry ? '-blurry' : ''}.svg`,
        bounding_box: { Left: 0.2, Top: 0.1, Width: 0.6, Height: 0.75 },
        captured_at: at,
        created_at: at,
      },
      match: { face_id: faceId, person_id: id, type, similarity, ...decision },
      review:
        decidedAt === undefined
          ? undefined
          : {
              id: random.idAt(decidedAt),
              face_id: faceId,
              person_id: id,
              previous_type: FaceMatchType.ProbableMatch,
              type,
              reason: null,
              decided_by: adminId,
              decided_at: decidedAt,
            },
    };
  });
}

function someType({ random }: DemoWorld): FaceMatchType {
  const { Automatch, ProbableMatch, NotMatch, ConfirmedMatch, Blurry } = FaceMatchType;
  return random.pick([
    // Types that are more likely are listed more often.
    Automatch,
    Automatch,
    Automatch,
    ProbableMatch,
    ProbableMatch,
    ProbableMatch,
    ProbableMatch,
    ConfirmedMatch,
    NotMatch,
    Blurry,
  ]);
}

function countsOf(found: readonly Found[], personId: unknown): Row {
  return Object.fromEntries(
    Object.entries(COUNTED).map(([type, column]) => [
      column,
      found.filter(({ match }) => match.person_id === personId && match.type === Number(type)).length,
    ]),
  );
}
