import assert from 'node:assert/strict';
import { createFaceReportReader } from './faces.ts';

const read = createFaceReportReader();
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const report = {
  SourceId: 'camera 7, frame 12',
  Candidates: [{ Name: 'Ann', Similarity: 0.5 }],
  Sharpness: 1,
  BoundingBox: { Left: 0, Top: 0, Width: 1, Height: 1 },
  ImageUrl: 'https://images.example/1.jpg',
  CapturedAt: '2026-01-02T03:04:05Z',
};

describe('createFaceReportReader', () => {
  it('reads a report of version 1, the default', () => {
    assert.deepEqual(read(bytes(report)), report);
    assert.deepEqual(read(bytes({ ...report, Version: 1 })), { ...report, Version: 1 });
  });

  it('accepts null for unknown values', () => {
    const bare = { ...report, Sharpness: null, BoundingBox: null, ImageUrl: null, CapturedAt: null };
    assert.deepEqual(read(bytes(bare)), bare);
    const named = { ...report, Candidates: [{ PersonId: null, Name: 'Ann', Similarity: 0.5 }] };
    assert.deepEqual(read(bytes(named)), named);
    const nobody = { ...report, Candidates: [{ PersonId: null, Name: null, Similarity: 0.5 }] };
    assert.equal(read(bytes(nobody)), '/Candidates/0 must have a PersonId or a Name');
  });

  it('ignores fields added by newer versions', () => {
    const newer = { ...report, Mood: 'fine', BoundingBox: { ...report.BoundingBox, Depth: 1 } };
    assert.deepEqual(read(bytes(newer)), report);
  });

  it('refuses another version before it looks at the fields', () => {
    for (const version of [0, 2, '1', null])
      assert.equal(read(bytes({ ...report, Version: version })), 'unknown version');
  });

  const PERSON = '0198f3c2-7d6e-7b1a-9c55-3f0b5a1c2d3e';
  for (const [changes, reason] of [
    [{ SourceId: 'a\u0000b' }, /\/SourceId/],
    [{ Candidates: undefined }, /\/Candidates is required/],
    [{ Candidates: [{ PersonId: PERSON, Similarity: 1.5 }] }, /\/Candidates\/0\/Similarity/],
    [{ Candidates: [{ PersonId: `urn:uuid:${PERSON}`, Similarity: 1 }] }, /PersonId/],
    [{ BoundingBox: { Left: 2 } }, /\/BoundingBox/],
    [{ CapturedAt: '2016-12-31T23:59:60Z' }, /\/CapturedAt/],
    [{ ImageUrl: 'javascript:alert(1)' }, /\/ImageUrl/],
  ] as const)
    it(`says what is wrong with ${JSON.stringify(changes)}`, () =>
      assert.match(JSON.stringify(read(bytes({ ...report, ...changes }))), reason));

  it('does not repeat refused values in the reason', () => {
    const canary = 'canary';
    for (const bad of [
      { ...report, SourceId: `${canary}\n` },
      { ...report, ImageUrl: canary },
      { ...report, CapturedAt: canary },
      { ...report, Candidates: [{ PersonId: canary, Similarity: canary }] },
    ]) {
      const reason = read(bytes(bad));
      assert.ok(typeof reason === 'string');
      assert.ok(!reason.includes(canary), reason);
    }
  });
});
