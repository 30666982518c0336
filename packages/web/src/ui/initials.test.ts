import assert from 'node:assert/strict';
import { initialsOf } from './initials.ts';

describe('initialsOf', () => {
  it('returns the first letters of the first and the last word', () => {
    const names = {
      'Ann Example': 'AE',
      ann: 'A',
      'Ann Maria van Dyk': 'AD',
      '“Émile” Zola': 'ÉZ',
      '𝒳 y': '𝒳Y',
    };
    for (const [name, initials] of Object.entries(names)) assert.equal(initialsOf(name), initials);
  });

  it('returns one letter of an email address, and nothing of a name without letters', () => {
    assert.equal(initialsOf('ann.example@example.com'), 'A');
    assert.equal(initialsOf(' – '), '');
  });
});
