import type { ComponentType } from 'preact';
import type { IconName } from './ui/icon.tsx';
import type { TextKey } from './text.ts';

/** A screen of the console: where it stands, and how one gets there. */
export interface Screen {
  /** Below `/console`, as the router writes it: `/accounts/:id`. */
  path: string;
  component: ComponentType;
  /** Its place in the bar on the left; none for screens that others lead to. */
  nav?: { label: TextKey; icon: IconName; key: string };
}
