import type { Reviewed } from '@gatehouse/accounts';
import type { ApiError, Refuse } from '@gatehouse/http';
import type { FaultCode } from '@gatehouse/schema';
import { noSuchPerson } from '../person-answer.ts';

/** The error for refused reviews; `pointerOf` returns the pointer to the face of each. */
export function reviewRefusal(
  refuse: Refuse<'not_found' | 'conflict'>,
  reviewed: Exclude<Reviewed, { kind: 'reviewed' }>,
  pointerOf: (at: number) => string,
): ApiError {
  const refuseFaces = (
    code: 'not_found' | 'conflict',
    message: string,
    [at, fault]: [readonly number[], FaultCode],
  ): ApiError => {
    const errors = at.map((place) => ({ pointer: pointerOf(place), message, code: fault }));
    return refuse(code, `A face ${message}`, { errors });
  };
  switch (reviewed.kind) {
    case 'unknown_person':
      return noSuchPerson(refuse);
    case 'unknown_faces':
      return refuseFaces('not_found', 'is not a face of this person', [reviewed.at, 'unknown_object']);
    case 'confirmed_elsewhere':
      return refuseFaces('conflict', 'is confirmed for another person', [reviewed.at, 'taken']);
  }
}
