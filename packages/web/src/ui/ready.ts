import { useEffect, useState } from 'preact/hooks';

/** Whether the page's script runs: until then no form may send itself, as it would by the browser's own ways. */
export function useReady(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return isReady;
}
