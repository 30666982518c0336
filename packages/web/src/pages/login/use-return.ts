import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { returnIn, type Return } from './destination.ts';
import type { Step } from './login-answer.ts';

/**
 * Where to go after the login: as the sign-on that ends here says, else the page that requested the mailed code, else the
 * page's address. The link of that mail opens another tab, whose address does not say it.
 */
export function useReturn(step: Step, ofSignOn: Return | undefined): Return {
  const { query } = useLocation();
  const [asked, setAsked] = useState<Return>();
  useEffect(() => {
    if (step.kind !== 'mail-code') return;
    setAsked(returnIn(Object.fromEntries(new URLSearchParams(step.request.search))));
  }, [step]);
  return ofSignOn ?? asked ?? returnIn(query);
}
