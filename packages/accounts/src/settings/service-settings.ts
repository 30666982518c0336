import type { Static, TObject } from '@gatehouse/schema';
import type { accountSettings } from './account-settings.ts';
import type { KeySettings } from './key-settings.ts';

/** The settings that `openAccounts` reads. */
export type ServiceSettings = Readonly<Static<TObject<ReturnType<typeof accountSettings>>>> & KeySettings;
