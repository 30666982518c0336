import type { Verdict } from 'gatehouse-verify';

/** The code of a refusal, otherwise the kind of the verdict. */
export function codeOf(verdict: Verdict): string {
  return verdict.kind === 'refused' ? verdict.code : verdict.kind;
}
