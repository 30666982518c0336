import { serviceSettings } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';

/** Core's settings, by their names in the environment. */
export const settings = Type.Object(serviceSettings({ port: 8081, internalPort: 9081 }));
