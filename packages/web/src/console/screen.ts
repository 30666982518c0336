import type { ComponentType } from 'preact';
import type { IconName } from './ui/icon.tsx';
import type { TextKey } from './text.ts';

export interface Screen {
  /** The route pattern below `/console`, for example `/accounts/:id`. */
  path: string;
  component: ComponentType;
  /** The entry in the navigation bar; absent if only other screens link to this one. */
  nav?: { label: TextKey; icon: IconName; key: string };
}
