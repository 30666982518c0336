import { useWords } from '../text.ts';

/** Instead of a button that removes a second factor: administrators remove their own as every owner does. */
export function OwnFactors() {
  const words = useWords();
  return <a href="/console/profile">{words('methods.own')}</a>;
}
