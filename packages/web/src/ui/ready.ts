import { useEffect, useState } from 'preact/hooks';

/** Whether the page's script is running. Before that, forms are disabled: the browser would submit them itself. */
export function useReady(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return isReady;
}
