import assert from 'node:assert/strict';
import { FaceMatchType } from '@gatehouse/events';
import { propose, typeOf, type Candidate } from './match-rules.ts';

const faceRules = {
  sharpnessFloor: 0.3,
  automatchThreshold: 0.9,
  margin: 0.05,
  probableThreshold: 0.7,
};
const { Automatch, ProbableMatch, Blurry } = FaceMatchType;
const candidates = (...similarities: number[]): Candidate[] =>
  similarities.map((similarity, at) => ({ personId: String(at), similarity }));

describe('the rules for faces', () => {
  for (const [sharpness, similarity, second, type] of [
    [0.299, 1, undefined, Blurry],
    [0.3, 0.9, undefined, Automatch],
    [null, 0.9, 0.85, Automatch],
    [null, 0.95, 0.9, Automatch],
    [null, 0.95, 0.9001, ProbableMatch],
    [null, 0.95, 0.97, ProbableMatch],
    [null, 0.899, undefined, ProbableMatch],
    [null, 0.7, 0.7, ProbableMatch],
    [null, 0.699, undefined, undefined],
    [0, 0, undefined, Blurry],
  ] as const) {
    const what = Object.entries(FaceMatchType).find(([, one]) => one === type)?.[0] ?? 'nothing';
    it(`make ${what} of sharpness ${sharpness}, similarity ${similarity}, second ${second}`, () => {
      assert.equal(typeOf(faceRules, { sharpness, similarity, second }), type);
    });
  }

  it('hold at the exact thresholds despite floating-point rounding', () => {
    for (let hundredth = 90; hundredth <= 100; hundredth += 1) {
      const face = { sharpness: null, similarity: hundredth / 100, second: (hundredth - 5) / 100 };
      assert.equal(typeOf(faceRules, face), Automatch, String(hundredth));
    }
  });

  it('select the most similar candidate, and the first of several with equal similarity', () => {
    assert.deepEqual(propose(faceRules, null, candidates(0.1, 0.95, 0.3)), {
      personId: '1',
      similarity: 0.95,
      type: Automatch,
    });
    assert.equal(propose(faceRules, null, candidates(0.95, 0.95))?.personId, '0');
    assert.equal(propose(faceRules, null, candidates(0.95, 0.95))?.type, ProbableMatch);
    assert.equal(propose(faceRules, 0, []), undefined);
    assert.equal(propose(faceRules, null, candidates(0.5)), undefined);
  });
});
