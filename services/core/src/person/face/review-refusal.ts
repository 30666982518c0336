import { type ApiError, type Refuse } from '@gatehouse/http';
import { noSuchPerson } from '../person-answer.ts';
import type { Reviewed } from './review-faces.ts';

/** The answer to reviews that were refused; `pointerOf` leads to the face of each. */
export function reviewRefusal(
  refuse: Refuse<'not_found' | 'conflict'>,
  reviewed: Exclude<Reviewed, { faces: unknown }>,
  pointerOf: (at: number) => string,
): ApiError {
  if (!('at' in reviewed)) return noSuchPerson(refuse);
  const [code, message, fault] =
    reviewed.refused === 'no such face'
      ? (['not_found', 'is not a face of this person', 'unknown_object'] as const)
      : (['conflict', 'is confirmed for another person', 'taken'] as const);
  const errors = reviewed.at.map((at) => ({ pointer: pointerOf(at), message, code: fault }));
  return refuse(code, `A face ${message}`, { errors });
}
